// The page: clicks change the game; an oracle (a table or a search) answers whether it can still be won.

import { Game, goalSentence, jumpsText, moves, readDrawing, readGoal, rising, sameJump } from "./game.js";
import { compactForm, readLink, toLink } from "./links.js";
import { filmstrip, problemFile, solveCommand } from "./files.js";
import { BoardView } from "./board.js";
import { WinnableTable } from "./winnable_table.js";
import { Search } from "./search.js";
import { DeadEnds } from "./dead_ends.js";
import { MOST_DUOTAIRE_HOLES, adviseDuotaire, replyTo } from "./duotaire.js";
import { advise } from "./advice.js";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const PACE = 650; // milliseconds a jump, when they are played
const problems = [data.problem, ...data.boards];
const table = data.table && new WinnableTable(data.table);
let game, view, oracle, asking = null; // the board, and who is asked about it
let pickedHole = null, hint = null, advice = null, timer = null; // of the position

const names = (jump) => jump.map((hole) => game.problem.board.holes[hole]);
const plural = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const log = (text) => { byId("log").textContent = text; };
const isDuotaire = () => byId("duotaire").checked;
const showFault = (error) => { byId("fault").textContent = error ? error.message : ""; };

// The game ---------------------------------------------------------------------------------------------------------

function open(newGame) {
  stop();
  game = newGame;
  const { problem } = game, { goal } = problem;
  byId("title").textContent = problem.name;
  document.title = `${problem.name} - pegcp`;
  byId("goal").textContent = `Goal: ${goalSentence(problem, goal)}`;
  const targets = (hole) => (byId("edit").checked ? [] : jumpsFrom(hole).map((jump) => jump[2]));
  view = new BoardView(byId("board"), problem.board, goal, { choose, targets, lift: pick, drop });
  const hasName = ["one-peg", "dead-end"].includes(goal.kind);
  byId("goal-kind").value = hasName ? goal.option : "holes";
  byId("goal-holes").value = hasName ? "" : goal.option;
  byId("goal-holes-label").hidden = hasName;
  byId("duotaire-label").hidden = problem.board.holes.length > MOST_DUOTAIRE_HOLES;
  if (byId("duotaire-label").hidden) byId("duotaire").checked = false;
  byId("boards").value = problems.findIndex(({ board }) => board.name === problem.board.name);
  chooseOracle();
  refresh();
}

/** The winnable set of the page, and its certificate, are for one start and one goal; all else is searched. */
function chooseOracle() {
  const key = ({ problem: { text, board, goal }, start }) => JSON.stringify([text ?? board.name, goal.kind, goal.pegs, goal.vacancies, start]);
  const { board, goal } = game.problem, isOwn = key(game) === key(new Game(data.problem));
  oracle = table && isOwn ? table : goal.kind === "dead-end" ? new DeadEnds(board) : new Search(board, goal);
  oracle.reason = isOwn ? data.reason : null;
  byId("source").textContent = goal.kind === "nearest" ? "" : oracle.about;
}

const jumpsFrom = (hole) => game.legal().filter(([from]) => from === hole);

function choose(hole) {
  if (byId("edit").checked) edit(hole);
  else if (pickedHole === hole) pick(null);
  else if (game.pegs().has(hole)) pick(hole);
  else if (pickedHole !== null) drop(pickedHole, hole);
  else tip(`${names([hole])} is vacant: choose a peg.`);
}

function pick(hole) {
  pickedHole = hole;
  draw();
  const targets = hole === null ? null : jumpsFrom(hole).map((jump) => names(jump)[2]);
  tip(targets?.length === 0 ? `No jump from ${names([hole])}.` : "");
  if (targets?.length) log(`${names([hole])} can jump to ${targets.join(", ")}`);
}

/** A peg is to jump to a hole; `to` is null beside the board. */
function drop(from, to) {
  const jump = jumpsFrom(from).find((legal) => legal[2] === to);
  if (jump) {
    play(jump);
    return;
  }
  pick(null);
  if (byId("edit").checked || from === to) return;
  if (!game.pegs().has(from)) tip(`${names([from])} is vacant: choose a peg.`);
  else if (!jumpsFrom(from).length) tip(`No jump from ${names([from])}.`);
  else if (to === null) tip(`${names([from])} stays: drop a peg on a hole.`);
  else tip(`${names([from])} cannot jump to ${names([to])}.`);
}

function play(jump) {
  stop();
  game.play(jump);
  const reply = isDuotaire() ? replyTo(game) : undefined;
  if (reply) game.play(reply);
  refresh(reply ?? jump);
  const said = [jump, ...(reply ? [reply] : [])].map((made) => names(made).join(" over ").replace(/ over (\S+)$/, " to $1"));
  log(`${said.join(", the page: ")}, ${plural(game.pegs().size, "peg")} left`);
  view.focus((reply ?? jump)[2]);
}

/** Go to the position after so many jumps; the next or last one is seen to be made. */
function go(step) {
  const here = game.history.length;
  const jump = step === here + 1 ? game.line[here] : step === here - 1 ? game.line[step] : null;
  game.go(step);
  refresh(jump, step < here);
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

/** Play the jumps ahead; where there are none, the whole game again. */
function autoplay() {
  if (timer !== null) return stop();
  if (!game.ahead.length) go(0);
  byId("play").textContent = "Pause";
  timer = setInterval(() => {
    if (game.ahead.length) go(game.history.length + 1);
    if (!game.ahead.length) stop();
  }, PACE);
}

function edit(hole) {
  const pegs = game.pegs();
  if (!pegs.delete(hole)) pegs.add(hole);
  stop();
  game = new Game(game.problem, rising(pegs));
  chooseOracle();
  refresh();
  log(`${names([hole])}: ${pegs.has(hole) ? "peg" : "vacancy"}`);
  view.focus(hole);
}

/** The page of models at this position: where this page stands on a site, that says where its page of models is. */
function linkToModels() {
  const place = document.querySelector("meta[name=pegcp-models]")?.content;
  byId("models-here").hidden = !place;
  if (!place) return;
  const compact = game.history.length ? null : compactForm(game);
  const head = compact ? encodeURIComponent(compact) : `&text=${encodeURIComponent(problemFile(game.problem, game.pegs()))}`;
  byId("models").href = `${place}#${head}`;
}

/** After every change: draw, with a jump that was made or taken back; write the link and the command, ask what is known. */
function refresh(jump = null, back = false) {
  pickedHole = hint = advice = null;
  asking?.abort();
  showFault(null);
  tip("");
  log("");
  const link = `#${toLink(game)}`;
  try {
    history.replaceState(null, "", link);
  } catch { /* a browser takes some hundred a minute, not more */ }
  const isFile = location.protocol === "file:"; // whose address is nobody else's
  byId("link").textContent = isFile ? link : new URL(link, location.href).href;
  byId("link-file").hidden = !isFile;
  byId("command").textContent = solveCommand(game);
  linkToModels();
  for (const id of ["link-copied", "command-copied"]) byId(id).textContent = "";
  draw();
  if (jump) view.slide(jump, back);
  ask();
}

function draw() {
  const pegs = game.pegs();
  const showsMarks = byId("marks").checked && advice !== null;
  const jumps = showsMarks ? advice.jumps : [];
  const starts = (some) => new Set(some.map((jump) => jump[0]));
  const winning = starts(jumps.filter((jump) => jump[3])), open = starts(jumps.filter((jump) => jump[3] !== false));
  const marks = new Map([...starts(jumps)].filter((hole) => !open.has(hole)).map((hole) => [hole, "loses"]));
  for (const jump of pickedHole === null ? [] : jumpsFrom(pickedHole)) {
    const verdict = jumps.find((other) => sameJump(jump, other))?.[3];
    marks.set(jump[2], verdict === true ? "good" : verdict === false ? "bad" : "open");
  }
  view.show(pegs, { picked: pickedHole, winning, marks, hint, last: game.history.at(-1) ?? null });
  byId("timeline").max = game.length;
  byId("timeline").value = game.history.length;
  const count = (game.length ? `${game.history.length} of ${plural(game.length, "jump")}, ` : "") + `${plural(pegs.size, "peg")} left`;
  byId("timeline").setAttribute("aria-valuetext", count);
  byId("count").textContent = count;
  for (const id of ["first", "undo"]) byId(id).disabled = !game.history.length;
  for (const id of ["redo", "last"]) byId(id).disabled = !game.ahead.length;
  byId("play").disabled = !game.length;
  drawStanding();
  drawJumps();
  drawEnding(pegs);
}

/** The jumps, those ahead too; each goes to its position. */
function drawJumps() {
  const here = game.history.length, inside = byId("jumps").contains(document.activeElement);
  byId("jumps").replaceChildren(...game.line.map((jump, i) => {
    const item = document.createElement("li");
    const [text] = jumpsText(game.problem.board, [jump]);
    const isLosing = i === game.losingStep;
    item.className = [i < here ? "" : "ahead", isLosing ? "lost" : ""].join(" ");
    const button = action(isLosing ? `✕ ${text}` : text, () => { stop(); go(i + 1); });
    if (i === here - 1) button.setAttribute("aria-current", "step");
    button.setAttribute("aria-label", `Jump ${i + 1}, ${text}${isLosing ? ", loses the game" : ""}`);
    item.append(button);
    return item;
  }));
  const current = byId("jumps").querySelector("[aria-current]");
  if (!current) return;
  byId("jumps").scrollTop = current.offsetTop - byId("jumps").offsetTop - 40;
  if (inside) current.focus();
}

/** How a game ended: by the goal, or because no jump can be made any more. */
function drawEnding(pegs) {
  const stuck = !game.legal(pegs).length;
  const won = !isDuotaire() && game.isReached && (game.problem.goal.kind !== "nearest" || stuck);
  byId("ending").hidden = !game.history.length || !(won || stuck);
  view.svg.classList.toggle("won", won && game.history.length > 0);
  if (byId("ending").hidden) return;
  byId("ending").className = won ? "won" : "";
  const loser = isDuotaire() ? `The ${game.history.length % 2 ? "second" : "first"} player loses: n` : "N";
  byId("ending-title").textContent = won ? "You made it." : `${loser}o jump is possible.`;
  const fewest = game.fewest ? ` (${game.fewest} are the fewest)` : "";
  const where = pegs.size < 6 ? ` on ${names(rising(pegs)).join(" ")}` : "";
  byId("ending-text").textContent =
    `${plural(game.history.length, "jump")}${fewest} in ${plural(moves(game.history).length, "move")}; ${plural(pegs.size, "peg")} left${where}.`;
  byId("ending-do").replaceChildren(action("Watch it", autoplay), action("Play again", () => { go(0); game.ahead = []; refresh(); }));
}

function action(text, does) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  button.addEventListener("click", does);
  return button;
}

// What is known ----------------------------------------------------------------------------------------------------

function ask() {
  if (isDuotaire()) {
    game.losingStep = null;
    advice = adviseDuotaire(game);
    draw();
    return;
  }
  const { signal } = (asking = new AbortController());
  const take = (answer) => {
    if (signal.aborted) return; // the game has gone on
    advice = answer;
    if (advice.left && advice.solvable) game.fewest ??= game.history.length === 0 ? advice.left : undefined;
    if (advice.takenBack) game.losingStep = game.history.length - advice.takenBack;
    draw();
  };
  advise(game, oracle, take, signal).catch((error) => { if (!signal.aborted) showFault(error); });
}

function drawStanding() {
  const [text, look] = standing();
  if (byId("standing").textContent !== text) byId("standing").textContent = text;
  byId("standing").className = look;
  byId("back").hidden = !advice?.takenBack;
  byId("back").textContent = `Take back ${advice?.takenBack}`;
  byId("why").hidden = !advice?.why;
  byId("why-title").textContent = advice?.takenBack ? "Why it is lost" : "Why there is no solution";
  byId("why-text").textContent = advice?.why ?? "";
  byId("why-text").className = advice?.why?.includes("\n") ? "drawn" : "";
}

/** One line about the position, and its look. */
function standing() {
  if (isDuotaire() && advice) {
    const player = game.history.length % 2 ? "second" : "first";
    return advice.solvable ? [`✓ The ${player} player jumps, and can win.`, "good"] : [`✕ The ${player} player has lost, if the other makes no mistake.`, "bad"];
  }
  if (game.isReached) return ["✓ The goal is reached.", "good"];
  if (advice === null || (advice.solvable === null && advice.searching)) {
    return [`Searching${advice?.positions ? `: ${advice.positions.toLocaleString("en")} positions so far` : ""} ...`, ""];
  }
  if (oracle.isTooLarge && advice.solvable === null) return ["This board is too large for hints.", ""];
  if (game.problem.goal.kind === "dead-end") {
    const how = advice.solvable ? plural(advice.left, "more jump") : `at least ${plural(advice.left, "more jump")}`;
    return [`A dead end takes ${how}.`, advice.solvable ? "good" : ""];
  }
  if (advice.solvable === null) return ["Unknown: 20 seconds of search were not enough.", ""];
  if (advice.solvable) return [advice.jumps.length === 1 ? "✓ Still winnable, by the only jump." : "✓ Still winnable.", "good"];
  if (advice.takenBack) return [`✕ Lost by jump ${game.losingStep + 1}, ${jumpsText(game.problem.board, [game.history[game.losingStep]])}.`, "bad"];
  if (!game.history.length) return ["✕ No solution from here.", "bad"];
  return [advice.takenBack === null ? "✕ Lost: this game had no solution from the start." : "✕ Lost; it is unknown by which jump.", "bad"];
}

function giveHint() {
  const winning = advice?.jumps.filter((jump) => jump[3]) ?? [];
  const next = advice?.solvable === false ? null : game.ahead.at(-1); // a game that is stepped through is the best hint
  const sure = winning.find((jump) => next && sameJump(next, jump));
  const best = sure ?? winning.find(([from]) => from === game.history.at(-1)?.[2]) ?? winning[0];
  hint = best ? best.slice(0, 3) : null;
  draw();
  if (hint) tip(`Hint: ${names(hint).join(" over ").replace(/ over (\S+)$/, " to $1")}`);
  else if (isDuotaire()) tip("No jump wins against a player who makes no mistake.");
  else if (game.isReached) tip("The goal is reached.");
  else if (advice?.solvable !== false) tip("No winning jump is known.");
  else if (advice.takenBack) tip(`No jump from here wins: take back ${advice.takenBack}.`);
  else if (!game.history.length) tip("No jump wins: there is no solution from here.");
  else tip(`No jump wins${advice.takenBack === null ? ", and taking back does not help" : ""}.`);
}

/** A line below the board; it stays until something else is done. */
function tip(text) {
  byId("tip").textContent = text;
  if (text) log(text);
}

// What the page is asked for ---------------------------------------------------------------------------------------

function on(id, kind, does) {
  byId(id).addEventListener(kind, (event) => {
    event.preventDefault();
    does(event);
  });
}

on("goal-form", "submit", () => {
  const kind = byId("goal-kind").value;
  try {
    const goal = readGoal(game.problem.board, kind === "holes" ? byId("goal-holes").value : kind);
    open(new Game({ ...game.problem, goal, goalChanged: true }, rising(game.pegs())));
  } catch (error) {
    showFault(error);
  }
});
byId("goal-kind").addEventListener("change", () => { byId("goal-holes-label").hidden = byId("goal-kind").value !== "holes"; });
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, select")) return;
  try {
    open(new Game(game.problem, readDrawing(game.problem.board, event.clipboardData.getData("text").slice(0, 10000), data.signs)));
  } catch (error) {
    showFault(error);
  }
});
on("board-form", "submit", () => {
  byId("edit").checked = false;
  open(new Game(problems[byId("boards").value]));
});

/** Copy the text of an element; if the browser does not allow it, select the text. */
async function copy(id) {
  try {
    await navigator.clipboard.writeText(byId(id).textContent);
    byId(`${id}-copied`).textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(byId(id));
    byId(`${id}-copied`).textContent = "The browser does not allow the page to copy. The text is selected: press Ctrl-C.";
  }
}
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));

const SAVED = {
  toml: () => problemFile(game.problem, game.pegs()),
  txt: () => jumpsText(game.problem.board, game.history).join("\n"),
  svg: () => filmstrip(game),
};
for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const kind = button.dataset.save;
    const address = URL.createObjectURL(new Blob([SAVED[kind]()], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href: address, download: `pegcp.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
}

/** Open the game of the link in the address; without a link, or with one that cannot be read, the game of this page. */
function followLink() {
  const link = location.hash.slice(1);
  byId("edit").checked = false;
  try {
    open(link ? readLink(link, problems) : new Game(data.problem));
  } catch (error) {
    open(new Game(data.problem));
    showFault(error);
  }
}

const buttons = {
  first: () => go(0), undo: () => go(game.history.length - 1), redo: () => go(game.history.length + 1), last: () => go(game.length),
  back: () => go(game.history.length - advice.takenBack),
};
for (const [id, does] of Object.entries(buttons)) byId(id).addEventListener("click", () => { stop(); does(); });
byId("play").addEventListener("click", autoplay);
byId("hint").addEventListener("click", giveHint);
byId("marks").addEventListener("change", draw);
byId("duotaire").addEventListener("change", () => refresh());
byId("timeline").addEventListener("input", () => { stop(); go(Number(byId("timeline").value)); });
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input:not([type=checkbox], [type=range]), select");
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttonId = { u: "undo", r: "redo", h: "hint", m: "marks", p: "play", t: "back" }[event.key.toLowerCase()];
  if (buttonId && !byId(buttonId).disabled && !byId(buttonId).hidden) byId(buttonId).click();
  if (event.key === "Escape") { pickedHole = hint = null; draw(); }
});
addEventListener("hashchange", followLink);

byId("boards").append(...problems.map(({ name, board }, i) => new Option(i ? board.name : `${name} (this page's)`, i)));
followLink();
