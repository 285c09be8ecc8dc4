// The page "Models here": a position, its models, the solvers to run, and a table of what they answered.
import "./isolation.js";
import { Pegcp } from "./asking.js";
import { Changes } from "./changes.js";
import { BoardView } from "./shared/board.js";
import { afterJump } from "./shared/game.js";
import { make } from "./shared/drawing.js";
import { ROWS } from "./programs.js";
import { showWrong } from "./wrong.js";

const $ = (id) => document.getElementById(id);
const EXAMPLES = ["XoXX", "english", "english:c1->d4", "triangle15:a1->?", "triangle15:b3!", "XXoXX"];
const LANGUAGES = { sat: "Clauses", asp: "Answer-set rules", mzn: "MiniZinc", smt: "Bit vectors", pddl: "Planning" };
const REFERENCES = ["sat-rounds cadical", "sat-fools", "dfs-plain"]; // rows to ask for a solution that a changed model denies
const GRACE = 3; // seconds after the limit, then the worker is ended

const reader = new Pegcp(); // reads, compiles and judges
const runner = new Pegcp(); // solves; it can be ended at any time
const changes = new Changes();
const lab = {
  text: "", typed: "", problem: null, board: null, pegs: new Set(), source: "", solution: [], timer: null, running: false,
  faults: new Map(), // of models, by key: {message, line}
};

const text = () => $("text").value;
const method = () => $("model").value;
const refusal = (name) => lab.problem?.refusals[name] ?? null;
/** The name under which a model is kept: that of its file. The domain of PDDL depends on the position. */
const keyOf = (name) => (name === "pddl" ? `${lab.problem.domain}.pddl` : name);
const edited = (name) => changes.texts.get(keyOf(name)) ?? null;

/** Do something for a button; what goes wrong is said at a place of the page. */
async function attempt(place, work) {
  $(place).textContent = "";
  try {
    return await work();
  } catch (error) {
    showFault($(place), error);
    return null;
  }
}

/** Say what is wrong, with a button that shows the line of a model. */
function showFault(place, { message, line = null }, name = method()) {
  place.replaceChildren();
  if (line !== null && place.id !== "position-fault") {
    make(place, "button", { type: "button", class: "line" }, `line ${line}`).onclick = () => attempt("model-fault", () => goTo(name, line));
    place.append(": ");
  } else if (line !== null) {
    place.append(`line ${line}: `);
  }
  place.append(message);
}

// The position

/** Read what was typed. `step`: how the history of the browser goes on. */
async function readPosition(step = "pushState") {
  if (lab.running) runner.end("cancelled");
  const problem = await reader.ask("about", text());
  lab.problem = problem;
  lab.text = text();
  lab.pegs = new Set(problem.start);
  $("name").textContent = `${problem.name}: ${problem.sizes}; goal: ${problem.goal.text}`;
  $("why").hidden = !problem.why;
  $("why-text").textContent = problem.why ?? "";
  $("why-picture").innerHTML = problem.picture ?? ""; // drawn by pegcp, with names of holes escaped
  clearResults();
  lab.faults.clear();
  lab.board = new BoardView($("board"), problem.board, problem.goal, {
    choose: (hole) => attempt("position-fault", () => toggle(hole)), targets: () => [], lift: () => {}, drop: () => {},
  });
  player([]);
  await chooseModel(step);
}

/** Read a text that somebody typed or chose; holes that were clicked before are forgotten. */
async function readTyped(step) {
  await readPosition(step);
  lab.typed = text();
  $("back").hidden = true;
}

/** Put a peg into a hole of the start, or take it away. */
async function toggle(hole) {
  const pegs = new Set(lab.problem.start);
  if (!pegs.delete(hole)) pegs.add(hole);
  setText(await reader.ask("with_pegs", lab.text, [...pegs]));
  await readPosition();
  const short = lab.typed.trim().split("\n")[0].slice(0, 20);
  $("back").hidden = text() === lab.typed;
  $("back").textContent = `Back to ${short}`;
  lab.board.focus(hole);
}

function setText(words) {
  $("text").value = words;
  $("text").rows = Math.min(14, Math.max(3, words.split("\n").length));
}

// The address holds the position, the model, and what was changed of models

async function writeLink(step = "replaceState") {
  const parts = new URLSearchParams({ model: method() }), packed = await changes.packed();
  if (packed) parts.set("changes", packed);
  const head = lab.text.includes("\n") ? `#&text=${encodeURIComponent(lab.text)}` : `#${encodeURIComponent(lab.text.trim())}`;
  const link = `${head}&${parts}`;
  if (link === location.hash) return;
  try {
    history[step]({ own: true }, "", link);
  } catch { /* a browser takes some hundred a minute, not more */ }
}

/** The position and the model of the link that led here; changes of models only from a link that is not our own. */
async function readLink() {
  const [head, ...rest] = location.hash.slice(1).split("&");
  const parts = new URLSearchParams(rest.join("&"));
  setText(parts.get("text") ?? (decodeURIComponent(head) || "english"));
  const name = parts.get("model");
  if ([...$("model").options].some((option) => option.value === name)) $("model").value = name;
  if (!lab.problem || !history.state?.own) await changes.unpack(parts.get("changes"));
}

// The model

async function chooseModel(step) {
  const name = method(), fault = refusal(name);
  showRefusal(name, fault);
  lab.source = fault && name === "pddl" ? "" : await reader.ask("source", name, lab.text);
  if (name !== method()) return;
  $("source").value = (fault && name === "pddl" ? null : edited(name)) ?? lab.source;
  $("source").scrollTop = 0;
  showChanges();
  await showModel();
  await writeLink(step);
}

/** Say that a model does not take the position, and offer those that do. */
function showRefusal(name, fault) {
  $("refusal").hidden = !fault;
  if (!fault) return;
  $("refusal").replaceChildren(`${fault}. For this position:`);
  for (const { value } of $("model").options) {
    if (!refusal(value)) make($("refusal"), "button", { type: "button" }, value).onclick = () => choose(value);
  }
}

async function choose(name) {
  $("model").value = name;
  await attempt("model-fault", chooseModel);
}

async function showModel() {
  const isCompiled = document.querySelector("[name=view]:checked").value === "compiled";
  $("editor").hidden = isCompiled;
  $("compiled").hidden = !isCompiled;
  const fault = lab.faults.get(keyOf(method()));
  if (fault) showFault($("model-fault"), fault);
  else $("model-fault").textContent = "";
  if (!isCompiled) return;
  $("compiled").textContent = "...";
  const files = await reader.ask("compiled", lab.text, method(), edited(method())).catch((error) => {
    $("compiled").textContent = "";
    throw error;
  });
  lab.files = files;
  $("compiled").textContent = Object.entries(files).map(([name, content]) => {
    const rest = content.length - 20_000;
    return `== ${name}, ${content.length.toLocaleString("en")} characters\n${content.slice(0, 20_000)}${rest > 0 ? `\n... ${rest.toLocaleString("en")} more: download` : ""}`;
  }).join("\n\n");
}

/** After a key in the editor: keep the change. */
function keep() {
  const name = keyOf(method()), source = $("source").value;
  changes.set(name, source === lab.source ? null : source);
  lab.faults.delete(name);
  $("model-fault").textContent = "";
  showChanges();
  clearTimeout(lab.saving);
  lab.saving = setTimeout(writeLink, 300);
}

/** Show which models are changed, beside the editor, in the list of models and in that of solvers. */
function showChanges() {
  colour();
  $("restore").hidden = edited(method()) === null;
  const names = [...changes.texts.keys()];
  $("changed").textContent = names.length ? `Changed: ${names.join(", ")}. Changes are kept in this browser and in the address of this page, and each changed model is run.` : "";
  for (const option of $("model").options) option.textContent = option.value + (edited(option.value) === null ? "" : " (changed)");
  const others = new Set();
  for (const { row, method: name } of ROWS) {
    const label = $(`use ${row}`).parentElement;
    label.hidden = Boolean(refusal(name));
    if (label.hidden) others.add(name);
    label.querySelector("b").textContent = edited(name) === null ? "" : " (changed)";
  }
  $("others").textContent = others.size ? `Not for this goal or objective: ${[...others].join(", ")}.` : "";
}

/** Show a line of a model in the editor. */
async function goTo(name, line) {
  document.querySelector("[value=source]").checked = true;
  if (method() !== name) $("model").value = name;
  await chooseModel();
  const lines = $("source").value.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1);
  $("source").focus();
  $("source").setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  $("source").scrollTop = Math.max(0, line - 4) * parseFloat(getComputedStyle($("source")).lineHeight);
  $("editor").scrollIntoView({ block: "nearest" });
}

const WORDS = /\b(def|return|for|in|if|else|elif|import|from|not|and|or|class|lambda|constraint|forall|sum|solve|satisfy|var|array|set|of|int|bool|include|function|define|action|parameters|precondition|effect|program|external|show)\b/;
const TOKENS = new RegExp(`(?<comment>"""[^]*?"""|%\\*[^]*?\\*%|/\\*[^]*?\\*/|(?<![\\w#])#(?!program|show|external|min|max|include|count|sum)[^\\n]*|%[^\\n]*|;;?[^\\n]*)|(?<text>f?"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*')|(?<word>${WORDS.source})`, "g");

/** Draw the colours of the model below the letters that are edited. */
function colour() {
  const source = $("source").value, parts = [], semicolons = method() === "pddl";
  let end = 0;
  for (const match of source.matchAll(TOKENS)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind === "comment" && match[0].startsWith(";") && !semicolons) continue;
    parts.push(source.slice(end, match.index), Object.assign(document.createElement("span"), { className: kind, textContent: match[0] }));
    end = match.index + match[0].length;
  }
  $("colours").replaceChildren(...parts, source.slice(end), "\n");
  follow();
}

const follow = () => { $("colours").scrollTop = $("source").scrollTop; $("colours").scrollLeft = $("source").scrollLeft; };

// A solution on the board

/** Show the start, or the jumps of a solution, on the board. */
function player(jumps) {
  clearInterval(lab.timer);
  lab.solution = jumps;
  $("player").hidden = !jumps.length;
  $("timeline").max = jumps.length;
  $("play").textContent = "Play";
  step(0);
}

function step(to) {
  const before = Number($("timeline").value);
  $("timeline").value = to;
  $("count").textContent = `${to} of ${lab.solution.length}`;
  const pegs = lab.solution.slice(0, to).reduce(afterJump, new Set(lab.pegs));
  lab.board.show(pegs, { last: lab.solution[to - 1] ?? null });
  if (to === before + 1) lab.board.slide(lab.solution[before]);
}

function playOrPause() {
  const going = $("play").textContent === "Pause";
  clearInterval(lab.timer);
  $("play").textContent = going ? "Play" : "Pause";
  if (going) return;
  if (Number($("timeline").value) === lab.solution.length) step(0);
  lab.timer = setInterval(() => {
    step(Number($("timeline").value) + 1);
    if (Number($("timeline").value) === lab.solution.length) playOrPause();
  }, 500);
}

const watch = (jumps) => { player(jumps); playOrPause(); $("board").scrollIntoView({ block: "nearest" }); };

// Solving

const titleOf = (line) => `${line.cells[0].textContent} by ${line.cells[1].textContent}`;

function clearResults() {
  $("table").replaceChildren();
  $("wrong").replaceChildren();
  lab.wrong = [];
}

/** The rows to run: those that are ticked, and one of each changed model. */
function rowsToRun() {
  const fit = ROWS.filter((entry) => !refusal(entry.method));
  for (const name of new Set(fit.map((entry) => entry.method))) {
    const rows = fit.filter((entry) => entry.method === name).map(({ row }) => $(`use ${row}`));
    if (edited(name) !== null && !rows.some((box) => box.checked)) rows[0].checked = true;
  }
  return fit.filter(({ row }) => $(`use ${row}`).checked);
}

async function solveAll() {
  if (text() !== lab.text) await readTyped();
  const rows = rowsToRun();
  if (!rows.length) throw new Error("Tick at least one solver.");
  lab.running = true;
  $("solve").disabled = true;
  $("cancel").hidden = false;
  clearResults();
  lab.faults.clear();
  await reader.ask("forget");
  document.querySelector(".scroll").scrollIntoView({ block: "nearest" });
  try {
    for (const entry of rows) if (lab.running) await solveOne(entry);
    if (lab.running) await findDoubted(rows);
    for (const wrong of lab.wrong) if (lab.running) await explainWrong(wrong);
  } finally {
    lab.running = false;
    $("solve").disabled = false;
    $("cancel").hidden = true;
    await showModel();
  }
}

/** Where a changed model alone says that there is no solution, ask one that is not changed. */
async function findDoubted(rows) {
  const verdict = ({ row }) => $("table").querySelector(`[data-row="${row}"]`).cells[2].textContent;
  const denies = rows.some((entry) => edited(entry.method) !== null && verdict(entry).startsWith("INFEASIBLE"));
  if (!denies || lab.problem.why || rows.some((entry) => /^(SOLVED|OPTIMAL)/.test(verdict(entry)))) return;
  const reference = ROWS.find(({ row, method: name }) => REFERENCES.includes(row) && !refusal(name));
  if (reference) await solveOne({ ...reference, row: `${reference.row} as it ships` }, true);
}

async function solveOne(entry, isOriginal = false) {
  const name = entry.method, mine = isOriginal ? null : edited(name), key = keyOf(name);
  const mark = edited(name) === null ? "" : isOriginal ? " (as it ships)" : " (changed)";
  const line = make($("table"), "tr", { "data-row": entry.row });
  const cells = [name + mark, entry.title, "...", "", "", "", "", "", ""].map((words) => make(line, "td", {}, words));
  make(make($("table"), "tr", { "data-note": entry.row, class: "note", hidden: "" }), "td", { colspan: 9 });
  const late = { status: "UNKNOWN", message: "", certificate: null, jumps: null, statistics: {} };
  let answer, place = null;
  const stop = countSeconds((words) => { cells[2].textContent = words; });
  try {
    answer = await runner.ask("solve", { ...question(entry), edited: mine });
  } catch ({ message, line: number }) {
    const reason = { time: "TIME", cancelled: "INTERRUPTED" }[message] ?? "ERROR";
    answer = JSON.stringify({ ...late, reason, message: reason === "ERROR" ? message : "" });
    place = number ?? null;
    if (reason === "ERROR" && mine !== null) lab.faults.set(key, { message, line: place });
  }
  stop();
  line.dataset.line = place ?? "";
  const { rows, wrong } = await reader.ask("judge", lab.text, entry.row, name, answer, titleOf(line));
  lab.wrong = wrong;
  for (const result of rows) showResult(result, wrong.some(({ row }) => row === result.row));
}

/** What a worker is asked about a row. */
const question = (entry) => ({
  text: lab.text, method: entry.method + (entry.backend ?? ""), seconds: Math.max(1, Number($("seconds").value) || 60),
  program: entry.program ?? null, packages: entry.program ? [] : entry.parts,
});

/** Show how long the worker runs, and end it after the limit. Returns a function that ends the counting. */
function countSeconds(show, limit = question(ROWS[0]).seconds) {
  let timer;
  runner.progress = (progress) => {
    const began = performance.now();
    clearInterval(timer);
    timer = setInterval(() => {
      const spent = (performance.now() - began) / 1000;
      show(progress === "loading" ? "loading ..." : `running, ${spent.toFixed(0)} s`);
      if (progress === "running" && spent > limit + GRACE) runner.end("time");
    }, 200);
  };
  return () => clearInterval(timer);
}

function showResult({ row, verdict, evidence, message, jumps, moves, horizon, build_seconds: build, solve_seconds: solve }, isWrong) {
  const line = document.querySelector(`[data-row="${row}"]`), note = document.querySelector(`[data-note="${row}"]`);
  if (!line) return;
  const words = /INVALID/.test(verdict) ? "WRONG: not a solution" : isWrong ? `WRONG: ${verdict}` : verdict;
  const figures = [words, isWrong ? "" : evidence, jumps?.length ?? "", jumps ? moves.length : "", horizon ?? "", build?.toFixed(2) ?? "", solve?.toFixed(2) ?? ""];
  figures.forEach((figure, i) => { line.cells[i + 2].textContent = figure; });
  line.className = isWrong || /INVALID|ERROR/.test(verdict) ? "faulty" : /^(SOLVED|OPTIMAL|INFEASIBLE)/.test(verdict) ? "answered" : "";
  note.hidden = !message;
  const entry = ROWS.find((one) => row.startsWith(one.row) && one.method === line.cells[0].textContent.split(" ")[0]);
  if (message) showFault(note.cells[0], { message, line: line.dataset.line ? Number(line.dataset.line) : null }, entry.method);
  if (!jumps) return;
  const button = make(line.cells[2], "button", { type: "button", title: moves.join(" ") }, words);
  line.cells[2].replaceChildren(button);
  button.onclick = () => watch(jumps);
  if (!lab.solution.length && !isWrong) player(jumps);
}

/** Say what is wrong with a row, and look for the line. */
async function explainWrong({ row, says, jumps }) {
  const line = document.querySelector(`[data-row="${row}"]`), entry = ROWS.find((one) => one.row === row);
  const model = entry && [...$("model").options].some((option) => option.value === entry.method) ? entry.method : null;
  const answer = showWrong($("wrong"), {
    title: titleOf(line), says, jumps, isExplained: model !== null, watch: () => watch(jumps),
    goTo: (number) => attempt("model-fault", () => goTo(model, number)),
  });
  if (model === null) return;
  const source = edited(model) ?? await reader.ask("source", model, lab.text);
  const stop = countSeconds((words) => answer({ says: `Looking for the line: ${words}` }));
  try {
    answer(await runner.ask("why", { ...question(entry), edited: source, jumps }));
  } catch ({ message }) {
    const reason = { time: "the time is over", cancelled: "cancelled" }[message] ?? message;
    answer({ says: `The line was not found: ${reason}.` });
  }
  stop();
}

// Buttons

const content = () => ($("compiled").hidden ? { [`${keyOf(method())}${method() === "pddl" ? "" : ".txt"}`]: $("source").value } : lab.files);

async function copy(words, says) {
  await navigator.clipboard.writeText(words);
  $("copied").textContent = says;
}

function download() {
  for (const [name, words] of Object.entries(content())) {
    const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([words])) });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

const PARTS = await (await fetch("parts.json")).json();
for (const { method: name, program } of ROWS) {
  const language = LANGUAGES[name.split("-")[0]] ?? (program === "cp-sat" ? "CP-SAT" : null);
  if (!language || $("model").querySelector(`[value="${name}"]`)) continue;
  const group = $("model").querySelector(`[label="${language}"]`) ?? make($("model"), "optgroup", { label: language });
  make(group, "option", { value: name }, name);
}
for (const name of EXAMPLES) {
  make($("examples"), "button", { type: "button" }, name).onclick = () => { setText(name); attempt("position-fault", readTyped); };
}
for (const { row, method: name, title, parts, ticked } of ROWS) {
  const label = make($("rows"), "label");
  make(label, "input", { type: "checkbox", id: `use ${row}`, ...(ticked ? { checked: "" } : {}) });
  const megabytes = parts.reduce((sum, part) => sum + PARTS[part].bytes, 0) / 1e6;
  label.append(` ${name}`, make(label, "b"), `: ${title} `);
  if (megabytes) make(label, "small", {}, `fetches ${megabytes.toFixed(1)} MB`);
}
for (const { name, version, licence, holds } of Object.values(PARTS)) make($("parts"), "li", {}, `${name} ${version}: ${licence}${holds ? ` (${holds})` : ""}`);
$("read").onclick = () => attempt("position-fault", readTyped);
$("back").onclick = () => { setText(lab.typed); attempt("position-fault", readTyped); };
$("model").onchange = () => attempt("model-fault", chooseModel);
for (const radio of document.getElementsByName("view")) radio.onchange = () => attempt("model-fault", showModel);
$("source").oninput = keep;
$("source").onscroll = follow;
$("restore").onclick = () => { $("source").value = lab.source; keep(); };
$("copy").onclick = () => attempt("model-fault", () => copy(Object.values(content()).join("\n"), "Copied"));
$("link").onclick = () => attempt("model-fault", async () => { await writeLink(); await copy(location.href, "Copied the link"); });
$("download").onclick = () => attempt("model-fault", download);
$("solve").onclick = () => attempt("solve-fault", solveAll);
$("cancel").onclick = () => { lab.running = false; runner.end("cancelled"); };
$("timeline").oninput = () => { clearInterval(lab.timer); $("play").textContent = "Play"; step(Number($("timeline").value)); };
$("play").onclick = playOrPause;
window.onpopstate = () => attempt("position-fault", async () => { await readLink(); await readTyped("replaceState"); });

await attempt("position-fault", readLink);
await attempt("position-fault", () => readTyped("replaceState"));
if (!lab.problem) { // a link that cannot be read: its text stays, beside a board that can
  const words = text(), fault = $("position-fault").textContent;
  setText("english");
  await attempt("position-fault", () => readTyped("replaceState"));
  setText(words);
  $("position-fault").textContent = fault;
}
$("state").textContent = "Everything runs in this page: nothing to install.";
$("solve").disabled = false;
document.body.dataset.usable = Math.round(performance.now());
await runner.ask("source", "sat-rounds"); // so that the second Python is there when it is needed
