// The page: what is clicked changes the game; what is known of the game is asked for and shown.

import { Game, fromLink, jumpsText, linked, moves, playWritten, readGoal, same, toLink } from "./game.js";
import { BoardView } from "./board.js";
import { make } from "./drawing.js";
import { Table, advise as adviseHere } from "./here.js";
import { Search } from "./search.js";
import { description, filmstrip } from "./files.js";
import * as server from "./server.js";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const online = data.server;
const PACE = 650; // milliseconds a jump, when they are played
let game, view, picked = null, hint = null, known = null, asking = null, racing = null, table = null, oracle = null, timer = null;

for (const part of document.querySelectorAll("[data-server]")) part.hidden = !online;

const names = (jump) => jump.map((hole) => game.problem.board.holes[hole]);
const plural = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const say = (text) => { byId("said").textContent = text; };
const fail = (error) => { byId("fault").textContent = error ? error.message : ""; };

// The game ---------------------------------------------------------------------------------------------------------

function open(problem, from = new Game(problem)) {
  stop();
  game = from;
  oracle = game.start === problem.start && !problem.wish && table ? table : new Search(problem.board, problem.goal);
  byId("title").textContent = problem.name;
  document.title = `${problem.name} - pegcp`;
  byId("goal").textContent = `Goal: ${problem.goal.text}`;
  const targets = (hole) => (byId("edit").checked ? [] : game.legal().filter(([from]) => from === hole).map((jump) => jump[2]));
  view = new BoardView(byId("board"), problem.board, problem.goal, { choose, targets, lift: pick, drop });
  byId("text").value = problem.text;
  const known = ["one-peg", "dead-end"].includes(problem.goal.kind);
  byId("goal-kind").value = known ? problem.goal.given : "holes";
  byId("goal-holes").value = known ? "" : problem.goal.given;
  byId("goal-holes-label").hidden = known;
  offer(problem.methods ?? []);
  changed();
}

function choose(hole) {
  if (byId("edit").checked) {
    edit(hole);
    return;
  }
  const pegs = game.pegs();
  const jump = picked === null ? null : game.legal(pegs).find(([from, , to]) => from === picked && to === hole);
  if (jump) play(jump);
  else pick(pegs.has(hole) && picked !== hole ? hole : null);
}

function pick(hole) {
  picked = hole;
  draw();
  if (hole !== null) tellOfPeg(hole);
}

function drop(from, to) {
  const jump = game.legal().find(([start, , end]) => start === from && end === to);
  if (jump) play(jump);
  else pick(null);
}

function play(jump) {
  stop();
  game.play(jump);
  const [from, over, to] = names(jump);
  say(`${from} over ${over} to ${to}, ${plural(game.pegs().size, "peg")} left`);
  changed(jump);
  view.focus(jump[2]);
}

/** Goes to the position after so many jumps; the next or last one is seen to be made. */
function go(step) {
  const here = game.made.length;
  const jump = step === here + 1 ? game.line[here] : step === here - 1 ? game.line[step] : null;
  game.go(step);
  changed(jump, step < here);
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

/** Plays the jumps ahead; where there are none, the whole game again. */
function autoplay() {
  if (timer !== null) return stop();
  if (!game.undone.length) go(0);
  byId("play").textContent = "Pause";
  const next = () => {
    if (game.undone.length) go(game.made.length + 1);
    if (!game.undone.length) stop();
  };
  timer = setInterval(next, PACE);
}

function edit(hole) {
  const pegs = game.pegs();
  if (!pegs.delete(hole)) pegs.add(hole);
  game = new Game(game.problem, [...pegs].sort((a, b) => a - b));
  if (oracle === table) oracle = new Search(game.problem.board, game.problem.goal);
  say(`${game.problem.board.holes[hole]}: ${pegs.has(hole) ? "peg" : "vacancy"}`);
  changed();
  view.focus(hole);
}

function tellOfPeg(hole) {
  const targets = game.legal().filter(([from]) => from === hole);
  say(targets.length ? `${names([hole])} can jump to ${targets.map((jump) => names(jump)[2]).join(", ")}` : "no jump from there");
}

/** After every change: draw, with a jump that was made or taken back; write the link, ask what is known. */
function changed(jump = null, back = false) {
  picked = hint = known = null;
  fail(null);
  tip(null);
  history.replaceState(null, "", `#${toLink(game)}`);
  draw();
  if (jump) view.slide(jump, back);
  ask();
}

function draw() {
  const pegs = game.pegs();
  const glowing = byId("glow").checked && known !== null;
  const verdict = (jump) => (known?.jumps.find((other) => same(jump, other)) ?? [])[3];
  const from = (jumps) => new Set(jumps.map((jump) => jump[0]));
  const jumps = glowing ? known.jumps : [];
  const winning = from(jumps.filter((jump) => jump[3])), open = from(jumps.filter((jump) => jump[3] !== false));
  const marks = new Map([...from(jumps)].filter((hole) => !open.has(hole)).map((hole) => [hole, "loses"]));
  for (const jump of picked === null ? [] : game.legal(pegs).filter(([from]) => from === picked)) {
    const says = glowing ? verdict(jump) : null;
    marks.set(jump[2], says === true ? "good" : says === false ? "bad" : "open");
  }
  view.show(pegs, { picked, winning, marks, hint, last: game.made.at(-1) ?? null });
  byId("timeline").max = game.length;
  byId("timeline").value = game.made.length;
  const count = (game.length ? `${game.made.length} of ${plural(game.length, "jump")}, ` : "") + `${plural(pegs.size, "peg")} left`;
  byId("timeline").setAttribute("aria-valuetext", count);
  byId("count").textContent = count;
  for (const id of ["first", "undo"]) byId(id).disabled = !game.made.length;
  for (const id of ["redo", "last"]) byId(id).disabled = !game.undone.length;
  byId("play").disabled = !game.length;
  standing();
  list();
  ending(pegs);
}

/** The jumps, those ahead too; each goes to its position. */
function list() {
  const here = game.made.length, inside = byId("jumps").contains(document.activeElement);
  byId("jumps").replaceChildren(...game.line.map((jump, i) => {
    const item = document.createElement("li");
    const [text] = jumpsText(game.problem.board, [jump]);
    const lost = i === game.lost;
    item.className = [i < here ? "" : "ahead", lost ? "lost" : ""].join(" ");
    const button = action(lost ? `✕ ${text}` : text, () => { stop(); go(i + 1); });
    if (i === here - 1) button.setAttribute("aria-current", "step");
    button.setAttribute("aria-label", `Jump ${i + 1}, ${text}${lost ? ", loses the game" : ""}`);
    item.append(button);
    return item;
  }));
  const current = byId("jumps").querySelector("[aria-current]");
  if (!current) return;
  byId("jumps").scrollTop = current.offsetTop - byId("jumps").offsetTop - 40;
  if (inside) current.focus();
}

/** How a game ended: by the goal, or as no jump can be made any more. */
function ending(pegs) {
  const stuck = !game.legal(pegs).length;
  const won = game.isReached && (game.problem.goal.kind !== "nearest" || stuck);
  byId("ending").hidden = !game.made.length || !(won || stuck);
  view.svg.classList.toggle("won", won && game.made.length > 0);
  if (byId("ending").hidden) return;
  byId("ending").className = won ? "won" : "";
  byId("ending-title").textContent = won ? "You made it." : "No jump is left.";
  const where = pegs.size < 6 ? ` on ${names([...pegs].sort((a, b) => a - b)).join(" ")}` : "";
  byId("ending-text").textContent =
    `${plural(game.made.length, "jump")} in ${plural(moves(game.made).length, "move")}; ${plural(pegs.size, "peg")} left${where}.`;
  byId("ending-do").replaceChildren(action("Watch it", autoplay), action("Play again", () => { game.go(0); game.undone = []; changed(); }));
}

function action(text, does) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  button.addEventListener("click", does);
  return button;
}

// What is known ----------------------------------------------------------------------------------------------------

function ask() {
  asking?.abort();
  byId("why").hidden = true;
  const stopping = (asking = new AbortController());
  const take = (line) => {
    if (stopping.signal.aborted) return;
    if (line.jumps) { // all that is known, or what is known so far
      known = line;
      if (line.solvable === false && line.taken_back) game.lost = game.made.length - line.taken_back;
      why(line.why);
      draw();
    } else {
      standing(line);
    }
  };
  const advise = online ? server.advise : (...question) => adviseHere(game, oracle, ...question.slice(1));
  advise(game, take, stopping.signal).catch((error) => { if (!stopping.signal.aborted) fail(error); });
}

function standing(progress = null) {
  const [text, sort] = stands(progress);
  const back = known?.solvable === false && !game.isReached ? known.taken_back : null;
  if (byId("standing").textContent !== text) byId("standing").textContent = text;
  byId("standing").className = sort;
  byId("back").hidden = !back;
  byId("back").textContent = `Take back ${back}`;
}

function stands(progress) {
  if (game.isReached) return ["✓ The goal is reached.", "good"];
  if (known === null || (known.solvable === null && known.state === "searching")) {
    const far = progress?.positions ? `: ${progress.positions.toLocaleString("en")} positions so far` : "";
    return [`Not known yet${far}.`, ""];
  }
  if (known.solvable === null) return ["Not known.", ""];
  if (known.solvable) return [known.jumps.length === 1 ? "✓ Still winnable, by one jump." : "✓ Still winnable.", "good"];
  if (known.taken_back) return [`✕ Lost by jump ${game.lost + 1}, ${jumpsText(game.problem.board, [game.made[game.lost]])}.`, "bad"];
  return [game.made.length ? "✕ Lost: no start of this game wins." : "✕ No solution from here.", "bad"];
}

function why(reason) {
  byId("why").hidden = !reason;
  if (!reason) return;
  byId("why-text").textContent = reason.text;
  byId("why-picture").hidden = !reason.picture;
  byId("why-picture").src = reason.picture ? `data:image/svg+xml,${encodeURIComponent(reason.picture)}` : "data:,";
}

function giveHint() {
  const winning = known?.jumps.filter((jump) => jump[3]) ?? [];
  const next = game.undone.at(-1); // an answer that is being stepped through is the best hint
  const best = next ?? winning.find(([from]) => from === game.made.at(-1)?.[2]) ?? winning[0];
  hint = best ? best.slice(0, 3) : null;
  draw();
  if (hint) tip(`Hint: ${names(hint).join(" over ").replace(/ over (\S+)$/, " to $1")}`);
  else if (game.isReached) tip("The goal is reached.");
  else if (known?.solvable !== false) tip("No winning jump is known.");
  else if (known.taken_back) tip(`No jump from here wins: take back ${known.taken_back}.`);
  else tip(game.made.length ? "No jump wins, and taking back does not help." : "No jump wins: there is no solution from here.");
}

/** A line below the standing; it stays until the game changes. */
function tip(text) {
  byId("tip").textContent = text ?? "";
  if (text) say(text);
}

// Solvers ------------------------------------------------------------------------------------------------------------

function offer(methods) {
  byId("methods").replaceChildren();
  methods.forEach((name, i) => {
    const label = make(byId("methods"), "label");
    make(label, "input", { type: "checkbox", value: name }).checked = i === 0;
    label.append(` ${name}`);
  });
}

function solve() {
  const methods = [...byId("methods").querySelectorAll("input:checked")].map((box) => box.value);
  const race = byId("race");
  const body = race.tBodies[0];
  const rows = new Map();
  const stopping = (racing = new AbortController());
  const asked = game, step = game.made.length;
  body.replaceChildren();
  race.hidden = false;
  byId("solve").disabled = true;
  byId("cancel").disabled = false;
  fail(null);
  const take = (line) => {
    const row = rows.get(line.method) ?? body.insertRow();
    rows.set(line.method, row);
    fill(row, line, asked, step);
    if (line.state === "done") row.scrollIntoView({ block: "nearest" });
  };
  for (const method of methods) take({ method, state: "waiting" });
  server.solve(game, methods, Number(byId("limit").value), take, stopping.signal)
    .catch((error) => {
      const cancelled = stopping.signal.aborted;
      if (!cancelled) fail(error);
      for (const row of rows.values()) if (row.dataset.state !== "done") row.cells[1].textContent = cancelled ? "cancelled" : "failed";
    })
    .finally(() => {
      byId("solve").disabled = false;
      byId("cancel").disabled = true;
    });
}

function fill(row, line, asked, step) {
  const figures = Object.entries(line).filter(([, value]) => typeof value === "number").map(([key, value]) => `${key} ${value.toLocaleString("en")}`);
  const done = line.state === "done";
  row.dataset.state = line.state;
  const texts = done
    ? [line.verdict, line.evidence ?? "", line.jumps?.length ?? "", line.seconds?.toFixed(1) ?? ""]
    : [`${line.state} ${figures.join(", ")}`, "", "", ""];
  row.replaceChildren();
  make(row, "th", { scope: "row" }, line.method);
  for (const text of texts) make(row, "td", {}, text);
  row.title = line.text ?? "";
  const last = row.insertCell();
  if (!line.jumps?.length) return;
  const button = action("show", () => {
    game = asked;
    game.go(step);
    game.propose(line.jumps);
    changed();
    autoplay();
  });
  button.setAttribute("aria-label", `Play the answer of ${line.method}`);
  last.append(button);
}

// Another problem ----------------------------------------------------------------------------------------------------

const ofGame = () => ({ problem: game.problem.text, name: game.problem.name, start: [...game.pegs()] });
const load = (what) => server.problem(what).then((problem) => open(problem)).catch(fail);

function on(id, kind, action) {
  byId(id).addEventListener(kind, (event) => {
    event.preventDefault();
    action(event);
  });
}

on("goal-form", "submit", () => {
  const kind = byId("goal-kind").value;
  const wish = kind === "holes" ? byId("goal-holes").value : kind;
  if (online) {
    load({ ...ofGame(), goal: wish });
    return;
  }
  try {
    const problem = { ...game.problem, goal: readGoal(game.problem.board, wish), wish };
    open(problem, new Game(problem, [...game.pegs()].sort((a, b) => a - b)));
  } catch (error) {
    fail(error);
  }
});
byId("goal-kind").addEventListener("change", () => { byId("goal-holes-label").hidden = byId("goal-kind").value !== "holes"; });
on("board-form", "submit", () => load({ board: byId("boards").value }));
on("text-form", "submit", () => load({ problem: byId("text").value, name: "mine" }));

let drawing = [];
function sketch() {
  const [wide, high] = ["draw-wide", "draw-high"].map((id) => Math.max(1, Math.min(15, Number(byId(id).value) || 1)));
  const staggered = byId("draw-lattice").value === "triangular";
  drawing = Array.from({ length: high }, (_, r) => Array.from({ length: wide }, (_, c) => drawing[r]?.[c] ?? " "));
  byId("draw").replaceChildren(...drawing.map((cells, r) => {
    const row = document.createElement("div");
    row.className = staggered && r % 2 ? "odd" : "";
    row.append(...cells.map((cell, c) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      const show = () => {
        button.textContent = { X: "●", o: "○", " ": "" }[drawing[r][c]];
        button.setAttribute("aria-label", `row ${r + 1}, cell ${c + 1}: ${{ X: "peg", o: "vacancy", " ": "nothing" }[drawing[r][c]]}`);
      };
      button.addEventListener("click", () => {
        const wanted = byId("draw-with").value;
        drawing[r][c] = drawing[r][c] === wanted ? " " : wanted;
        show();
      });
      show();
      return button;
    }));
    return row;
  }));
}
for (const id of ["draw-wide", "draw-high", "draw-lattice"]) byId(id).addEventListener("change", sketch);
on("draw-form", "submit", () => {
  const [lattice, jumps] = byId("draw-lattice").value.split(" ");
  const map = drawing.map((cells, r) => (lattice === "triangular" && r % 2 ? " " : "") + cells.join(" ").trimEnd());
  const lines = [`lattice = "${lattice}"`, jumps ? `jumps = "${jumps}"` : "", 'legend = { peg = "X", vacancy = "o" }',
    'start = """', ...map, '"""', 'goal = "one peg"'];
  load({ problem: lines.filter(Boolean).join("\n"), name: "drawing" });
});

// Links and files ----------------------------------------------------------------------------------------------------

byId("link").addEventListener("click", async () => {
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say("The link is copied");
  byId("link-text").textContent = `#${toLink(game)}`;
});
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", () => {
    const format = button.dataset.export;
    const written = { toml: () => description(game.problem, game.pegs()), txt: () => jumpsText(game.problem.board, game.made).join("\n"), svg: () => filmstrip(game) }[format];
    const address = URL.createObjectURL(new Blob([written()], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href: address, download: `pegcp.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
}

/** The game of a link; without one, or with one for another page, the problem of this page. */
async function restore(hash) {
  let [problem, found, fault] = [data.problem, undefined, null];
  try {
    const told = hash ? fromLink(hash) : null;
    if (told && !(told.text ? told.text === problem.text : problem.ships && told.board === problem.board.name)) {
      if (!online) throw new Error(`The link is to a game on another board; this page has ${problem.board.title} alone.`);
      problem = await server.problem(told.text ? { problem: told.text, name: told.name } : { board: told.board });
    }
    if (told) {
      found = linked(problem, told);
      playWritten(found, told.after ?? "");
    }
  } catch (error) {
    fault = error;
  }
  open(found?.problem ?? data.problem, found);
  if (fault) fail(fault);
}

// The rest ---------------------------------------------------------------------------------------------------------

const clicked = {
  first: () => go(0), undo: () => go(game.made.length - 1), redo: () => go(game.made.length + 1), last: () => go(game.length),
  back: () => go(game.made.length - known.taken_back),
};
for (const [id, does] of Object.entries(clicked)) byId(id).addEventListener("click", () => { stop(); does(); });
byId("play").addEventListener("click", autoplay);
byId("hint").addEventListener("click", giveHint);
byId("glow").addEventListener("change", draw);
byId("timeline").addEventListener("input", () => { stop(); go(Number(byId("timeline").value)); });
byId("solve").addEventListener("click", solve);
byId("cancel").addEventListener("click", () => racing?.abort());
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input:not([type=checkbox], [type=range]), textarea, select");
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = { u: "undo", r: "redo", h: "hint", m: "glow", p: "play", t: "back" }[event.key.toLowerCase()];
  if (pressed && !byId(pressed).disabled && !byId(pressed).hidden) byId(pressed).click();
  if (event.key === "Escape") { picked = hint = null; draw(); }
});
addEventListener("hashchange", () => restore(location.hash.slice(1)));

if (!online && data.table) table = new Table(data.table);
await restore(location.hash.slice(1));
if (online) {
  sketch();
  server.boards().then((all) => byId("boards").replaceChildren(...all.map((name) => new Option(name, name)))).catch(fail);
}
