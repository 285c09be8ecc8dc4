// The page: what is clicked changes the game; what is known of the game is asked for and shown.

import { Game, readGoal, same, toLink, fromLink } from "./game.js";
import { BoardView } from "./board.js";
import { Table, advise as adviseHere } from "./here.js";
import { Search } from "./search.js";
import { description, filmstrip, jumps, moves } from "./files.js";
import * as server from "./server.js";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const online = data.server;
let game, view, picked = null, hint = null, known = null, asking = null, racing = null, table = null, oracle = null;

for (const part of document.querySelectorAll("[data-server]")) part.hidden = !online;

const names = (jump) => jump.map((hole) => game.problem.board.holes[hole]);
const plural = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const say = (text) => { byId("said").textContent = text; };
const fail = (error) => { byId("fault").textContent = error ? error.message : ""; };

// The game ---------------------------------------------------------------------------------------------------------

function open(problem, start = problem.start, made = []) {
  game = new Game(problem, start, made);
  oracle = start === problem.start && !problem.wish && table ? table : new Search(problem.board, problem.goal);
  byId("title").textContent = problem.name;
  document.title = `${problem.name} - pegcp`;
  byId("goal").textContent = `Goal: ${problem.goal.text}`;
  view = new BoardView(byId("board"), problem.board, problem.goal, { choose, drag });
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
  else {
    picked = pegs.has(hole) && picked !== hole ? hole : null;
    draw();
    if (picked !== null) tellOfPeg(hole);
  }
}

function drag(from, to) {
  const jump = game.legal().find(([start, , end]) => start === from && end === to);
  if (jump && !byId("edit").checked) play(jump);
}

function play(jump) {
  game.play(jump);
  const [from, over, to] = names(jump);
  say(`${from} over ${over} to ${to}, ${plural(game.pegs().size, "peg")} left`);
  changed();
  view.focus(jump[2]);
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

/** After every change: draw, write the link, ask what is known. */
function changed() {
  picked = hint = known = null;
  fail(null);
  tip(null);
  history.replaceState(null, "", `#${toLink(game)}`);
  draw();
  ask();
}

function draw() {
  const pegs = game.pegs();
  const glowing = byId("glow").checked && known !== null;
  const verdict = (jump) => (known?.jumps.find((other) => same(jump, other)) ?? [])[3];
  const winning = new Set(glowing ? known.jumps.filter((jump) => jump[3]).map((jump) => jump[0]) : []);
  const marks = new Map();
  for (const jump of picked === null ? [] : game.legal(pegs).filter(([from]) => from === picked)) {
    const says = glowing ? verdict(jump) : null;
    marks.set(jump[2], says === true ? "good" : says === false ? "bad" : "open");
  }
  view.show(pegs, { picked, winning, marks, hint, last: game.made.at(-1) ?? null });
  byId("timeline").max = game.length;
  byId("timeline").value = game.made.length;
  byId("made").textContent = `${game.made.length} of ${game.length}, ${plural(moves(game.made).length, "move")}, ${plural(pegs.size, "peg")}`;
  byId("undo").disabled = !game.made.length;
  byId("redo").disabled = !game.undone.length;
  byId("reset").disabled = !game.made.length;
  standing();
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
  byId("standing").textContent = text;
  byId("standing").className = sort;
}

function stands(progress) {
  if (game.isReached) return ["✓ The goal is reached.", "good"];
  if (known === null || (known.solvable === null && known.state === "searching")) {
    const far = progress?.positions ? `: ${progress.positions.toLocaleString("en")} positions so far` : "";
    return [`Not known yet${far}.`, ""];
  }
  if (known.solvable === null) return ["Not known.", ""];
  if (known.solvable) return [known.jumps.length === 1 ? "✓ Still winnable, by one jump." : "✓ Still winnable.", "good"];
  if (known.taken_back) return [`✕ Lost: take back ${plural(known.taken_back, "jump")}.`, "bad"];
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
  const back = known?.taken_back;
  if (hint) {
    tip(`Hint: ${names(hint).join(" over ").replace(/ over (\S+)$/, " to $1")}`);
  } else if (back) {
    tip("No jump from here wins.", `Take back ${plural(back, "jump")}`, () => { game.go(game.made.length - back); changed(); });
  } else {
    const lost = game.made.length ? "No jump wins, and taking back does not help." : "No jump wins: there is no solution from here.";
    tip(game.isReached ? "The goal is reached." : known?.solvable === false ? lost : "No winning jump is known.");
  }
}

/** A line below the standing, with a button if there is something to do; it stays until the game changes. */
function tip(text, label = null, action = null) {
  byId("tip").replaceChildren(text ?? "");
  if (text) say(text);
  if (!label) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  button.addEventListener("click", action);
  byId("tip").append(" ", button);
}

// Solvers ------------------------------------------------------------------------------------------------------------

function offer(methods) {
  byId("methods").replaceChildren(...methods.map((name, i) => {
    const label = document.createElement("label");
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", value: name, checked: i === 0 });
    label.append(box, ` ${name}`);
    return label;
  }));
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
  server.solve(game, methods, Number(byId("limit").value), take, stopping.signal)
    .catch((error) => {
      if (!stopping.signal.aborted) fail(error);
      for (const row of rows.values()) if (row.dataset.state !== "done") row.cells[1].textContent = "cancelled";
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
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = line.method;
  const texts = done
    ? [line.verdict, line.evidence ?? "", line.jumps?.length ?? "", line.seconds?.toFixed(1) ?? ""]
    : [`${line.state} ${figures.join(", ")}`, "", "", ""];
  row.replaceChildren(head, ...texts.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
  row.title = line.text ?? "";
  const last = row.insertCell();
  if (!line.jumps?.length) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "show" });
  button.setAttribute("aria-label", `Step through the answer of ${line.method}`);
  button.addEventListener("click", () => {
    game = asked;
    game.go(step);
    game.propose(line.jumps);
    changed();
    say(`${plural(line.jumps.length, "jump")} to step through with Redo`);
  });
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
    open({ ...game.problem, goal: readGoal(game.problem.board, wish), wish }, [...game.pegs()]);
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
  byId("link").textContent = "The address of this page is the link";
});
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", async () => {
    const format = button.dataset.export;
    const written = { toml: () => description(game.problem, game.pegs()), txt: () => jumps(game), svg: () => filmstrip(game) }[format];
    try {
      const address = URL.createObjectURL(written ? new Blob([written()], { type: "text/plain" }) : await server.save(game, format));
      Object.assign(document.createElement("a"), { href: address, download: `pegcp.${format === "pddl" ? "zip" : format}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    } catch (error) {
      fail(error);
    }
  });
}

async function restore(hash) {
  const told = fromLink(hash);
  if (!told) return false;
  const own = told.text === data.problem.text;
  if (!own && !online) return false;
  try {
    let problem = data.problem;
    if (told.wish && !online) problem = { ...problem, goal: readGoal(problem.board, told.wish), wish: told.wish };
    else if (!own || told.wish) problem = await server.problem({ problem: told.text, name: told.name, goal: told.wish ?? "" });
    const start = told.start.join() === problem.start.join() ? problem.start : told.start;
    const restored = new Game(problem, start);
    for (const jump of told.jumps) {
      if (!restored.legal().some((other) => same(other, jump))) break;
      restored.play(jump);
    }
    open(problem, start, restored.made);
    return true;
  } catch (error) {
    fail(error);
    return false;
  }
}

// The rest ---------------------------------------------------------------------------------------------------------

const step = (action) => () => { action(); changed(); };
byId("undo").addEventListener("click", step(() => game.undo()));
byId("redo").addEventListener("click", step(() => game.redo()));
byId("reset").addEventListener("click", step(() => game.go(0)));
byId("hint").addEventListener("click", giveHint);
byId("glow").addEventListener("change", draw);
byId("timeline").addEventListener("input", step(() => game.go(Number(byId("timeline").value))));
byId("solve").addEventListener("click", solve);
byId("cancel").addEventListener("click", () => racing?.abort());
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = { u: "undo", r: "redo", h: "hint" }[event.key.toLowerCase()];
  if (action && !byId(action).disabled) byId(action).click();
  if (event.key === "Escape") { picked = hint = null; draw(); }
});

if (!online && data.table) table = new Table(data.table);
if (!(location.hash && (await restore(location.hash.slice(1))))) open(data.problem);
if (online) {
  sketch();
  server.boards().then((all) => byId("boards").replaceChildren(...all.map((name) => new Option(name, name)))).catch(fail);
}
