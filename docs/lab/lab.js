// The page "Models here": a position, its models, the solvers to run, and a table of what they answered.
import "./isolation.js";
import { BoardView } from "./shared/board.js";
import { afterJump } from "./shared/game.js";
import { make } from "./shared/drawing.js";
import { ROWS } from "./programs.js";

const $ = (id) => document.getElementById(id);
const EXAMPLES = ["XoXX", "english", "english:c1->d4", "triangle15:a1->?", "XXoXX"];
const GRACE = 3; // seconds after the limit, then the worker is ended

/** A worker with pegcp, made when it is first asked, and again after it was ended. */
class Pegcp {
  progress = () => {};

  #start() {
    const waiting = this.waiting = new Map();
    this.number = 0;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data: [number, answer] }) => {
      if (number === null) this.progress(answer);
      else waiting.get(number)(answer);
      waiting.delete(number);
    };
    this.worker.onerror = (event) => this.end(event.message ?? "a part of this page could not be loaded");
  }

  async ask(name, ...given) {
    if (!this.worker) this.#start();
    const answer = await new Promise((resolve) => {
      this.waiting.set(++this.number, resolve);
      this.worker.postMessage([this.number, name, ...given]);
    });
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  }

  /** End the worker; whatever it was asked ends with an error. */
  end(reason) {
    this.worker?.terminate();
    this.worker = null;
    for (const resolve of this.waiting?.values() ?? []) resolve({ error: reason });
    this.waiting?.clear();
  }
}

const reader = new Pegcp(); // reads, compiles and judges
const runner = new Pegcp(); // solves; it can be ended at any time
const lab = { problem: null, board: null, pegs: new Set(), source: "", solution: [], timer: null, running: false };

const text = () => $("text").value;
const method = () => $("model").value;
const edited = () => ($("source").value === lab.source || method() === "pddl" ? null : $("source").value);

/** Do something for a button: what goes wrong is said at the foot of the page. */
async function attempt(work) {
  $("fault").textContent = "";
  try {
    return await work();
  } catch (error) {
    $("fault").textContent = error.message;
    return null;
  }
}

async function readPosition() {
  if (lab.running) runner.end("cancelled");
  const problem = lab.problem = await reader.ask("about", text());
  lab.pegs = new Set(problem.start);
  $("name").textContent = `${problem.name}: ${problem.sizes}; goal: ${problem.goal.text}`;
  $("why").hidden = !problem.why;
  $("why-text").textContent = problem.why ?? "";
  $("why-picture").innerHTML = problem.picture ?? ""; // drawn by pegcp, with names of holes escaped
  $("table").replaceChildren();
  lab.board = new BoardView($("board"), problem.board, problem.goal, {
    choose: (hole) => attempt(() => toggle(hole)), targets: () => [], lift: () => {}, drop: () => {},
  });
  player([]);
  const link = new URLSearchParams({ model: method() });
  history.replaceState(null, "", text().includes("\n") ? `#&text=${encodeURIComponent(text())}&${link}` : `#${encodeURIComponent(text().trim())}&${link}`);
  await showModel();
}

/** Put a peg into a hole of the start, or take it away. */
async function toggle(hole) {
  const pegs = new Set(lab.problem.start);
  if (!pegs.delete(hole)) pegs.add(hole);
  $("text").value = await reader.ask("with_pegs", text(), [...pegs]);
  $("text").rows = Math.min(14, $("text").value.split("\n").length);
  await readPosition();
  lab.board.focus(hole);
}

async function showModel() {
  const compiled = document.querySelector("[name=view]:checked").value === "compiled";
  $("editor").hidden = compiled;
  $("compiled").hidden = !compiled;
  if (!compiled) return;
  $("compiled").textContent = "...";
  const files = await reader.ask("compiled", text(), method(), edited());
  lab.files = files;
  $("compiled").textContent = Object.entries(files).map(([name, content]) => {
    const rest = content.length - 20_000;
    return `== ${name}, ${content.length.toLocaleString("en")} characters\n${content.slice(0, 20_000)}${rest > 0 ? `\n... ${rest.toLocaleString("en")} more: download` : ""}`;
  }).join("\n\n");
}

async function chooseModel() {
  lab.source = await reader.ask("source", method());
  $("source").value = lab.source;
  $("source").readOnly = method() === "pddl";
  $("source").scrollTop = 0;
  colour();
  await showModel();
}

const WORDS = /\b(def|return|for|in|if|else|elif|import|from|not|and|or|class|lambda|constraint|forall|sum|solve|satisfy|var|array|set|of|int|bool|include|function|define|action|parameters|precondition|effect|program|external|show)\b/;
const TOKENS = new RegExp(`(?<comment>"""[^]*?"""|%\\*[^]*?\\*%|/\\*[^]*?\\*/|(?<![\\w#])#(?!program|show|external|min|max|include|count|sum)[^\\n]*|%[^\\n]*|;;?[^\\n]*)|(?<text>f?"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*')|(?<word>${WORDS.source})`, "g");

/** Draw the colours of the model below the letters that are edited. */
function colour() {
  const source = $("source").value, parts = [];
  let end = 0;
  const semicolons = /\.(pddl)$|^pddl$/.test(method());
  for (const match of source.matchAll(TOKENS)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind === "comment" && match[0].startsWith(";") && !semicolons) continue;
    parts.push(source.slice(end, match.index), Object.assign(document.createElement("span"), { className: kind, textContent: match[0] }));
    end = match.index + match[0].length;
  }
  $("colours").replaceChildren(...parts, source.slice(end), "\n");
  $("restore").hidden = edited() === null;
  follow();
}

const follow = () => { $("colours").scrollTop = $("source").scrollTop; $("colours").scrollLeft = $("source").scrollLeft; };

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

async function solveAll() {
  const changed = edited() === null ? [] : ROWS.filter((entry) => entry.method === method());
  if (changed.length && !changed.some(({ row }) => $(`use ${row}`).checked)) $(`use ${changed[0].row}`).checked = true;
  const ticked = ROWS.filter(({ row }) => $(`use ${row}`).checked);
  if (!ticked.length) throw new Error("Tick at least one solver.");
  lab.running = true;
  $("solve").disabled = true;
  $("cancel").hidden = false;
  $("table").replaceChildren();
  $("message").textContent = "";
  try {
    for (const entry of ticked) if (lab.running) await solveOne(entry);
  } finally {
    lab.running = false;
    $("solve").disabled = false;
    $("cancel").hidden = true;
  }
}

async function solveOne(entry) {
  const line = make($("table"), "tr", { "data-row": entry.row });
  const mine = edited() !== null && method() === entry.method;
  const cells = [entry.method + (mine ? " (changed)" : ""), entry.title, "...", "", "", "", "", "", ""].map((words) => make(line, "td", {}, words));
  const seconds = Math.max(1, Number($("seconds").value) || 60);
  const late = { status: "UNKNOWN", message: "", certificate: null, jumps: null, statistics: {} };
  let answer, timer;
  runner.progress = (progress) => {
    const began = performance.now();
    clearInterval(timer);
    timer = setInterval(() => {
      const spent = (performance.now() - began) / 1000;
      cells[2].textContent = progress === "loading" ? "loading ..." : `running, ${spent.toFixed(0)} s`;
      if (progress === "running" && spent > seconds + GRACE) runner.end("time");
    }, 200);
  };
  try {
    answer = await runner.ask("solve", {
      text: text(), method: entry.method + (entry.backend ?? ""), edited: mine ? edited() : null, seconds,
      program: entry.program ?? null, packages: entry.program ? [] : entry.parts,
    });
  } catch ({ message }) {
    const reason = { time: "TIME", cancelled: "INTERRUPTED" }[message] ?? "ERROR";
    answer = JSON.stringify({ ...late, reason, message: reason === "ERROR" ? message : "" });
  }
  clearInterval(timer);
  for (const result of await reader.ask("judge", text(), entry.row, entry.method, answer)) showResult(result);
}

function showResult({ row, verdict, evidence, message, jumps, moves, horizon, build_seconds: build, solve_seconds: solve }) {
  const line = document.querySelector(`[data-row="${row}"]`);
  if (!line) return;
  const figures = [verdict, evidence, jumps?.length ?? "", jumps ? moves.length : "", horizon ?? "", build?.toFixed(2) ?? "", solve?.toFixed(2) ?? ""];
  figures.forEach((words, i) => { line.cells[i + 2].textContent = words; });
  line.className = /^(SOLVED|OPTIMAL|INFEASIBLE)/.test(verdict) ? "answered" : /INVALID|ERROR/.test(verdict) ? "faulty" : "";
  if (message) $("message").textContent = `${line.cells[0].textContent}, ${line.cells[1].textContent}: ${message}`;
  if (!jumps) return;
  const button = make(line.cells[2], "button", { type: "button", title: moves.join(" ") }, verdict);
  line.cells[2].replaceChildren(button);
  button.onclick = () => { player(jumps); playOrPause(); };
  if (!lab.solution.length) player(jumps);
}

const content = () => ($("compiled").hidden ? { [`${method()}.txt`]: $("source").value } : lab.files);

async function copy() {
  await navigator.clipboard.writeText(Object.values(content()).join("\n"));
  $("copied").textContent = "Copied";
}

function download() {
  for (const [name, words] of Object.entries(content())) {
    const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([words])) });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

/** The position and the model of the link that led here. */
function readLink() {
  const [head, ...rest] = location.hash.slice(1).split("&");
  const parts = new URLSearchParams(rest.join("&"));
  $("text").value = parts.get("text") ?? (decodeURIComponent(head) || "english");
  return parts.get("model");
}

const PARTS = await (await fetch("parts.json")).json();
for (const name of ["sat-rounds", "sat-moves", "asp-rounds", "mzn-rounds", "mzn-moves", "smt-sweep", "rounds", "moves", "parallel", "long-hop", "benders", "fools", "fools-counts", "pddl"]) make($("model"), "option", {}, name);
for (const name of EXAMPLES) {
  make($("examples"), "button", { type: "button" }, name).onclick = () => { $("text").value = name; $("text").rows = 3; attempt(readPosition); };
}
for (const { row, method: name, title, parts, ticked } of ROWS) {
  const label = make($("rows"), "label");
  make(label, "input", { type: "checkbox", id: `use ${row}`, ...(ticked ? { checked: "" } : {}) });
  const megabytes = parts.reduce((sum, part) => sum + PARTS[part].bytes, 0) / 1e6;
  label.append(` ${name}: ${title} `);
  if (megabytes) make(label, "small", {}, `fetches ${megabytes.toFixed(1)} MB`);
}
for (const { name, version, licence, holds } of Object.values(PARTS)) make($("parts"), "li", {}, `${name} ${version}: ${licence}${holds ? ` (${holds})` : ""}`);
$("read").onclick = () => attempt(readPosition);
$("model").onchange = () => attempt(chooseModel);
for (const radio of document.getElementsByName("view")) radio.onchange = () => attempt(showModel);
$("source").oninput = colour;
$("source").onscroll = follow;
$("restore").onclick = () => { $("source").value = lab.source; colour(); };
$("copy").onclick = () => attempt(copy);
$("download").onclick = () => attempt(download);
$("solve").onclick = () => attempt(solveAll);
$("cancel").onclick = () => { lab.running = false; runner.end("cancelled"); };
$("timeline").oninput = () => { clearInterval(lab.timer); $("play").textContent = "Play"; step(Number($("timeline").value)); };
$("play").onclick = playOrPause;
window.onhashchange = () => { readLink(); attempt(readPosition); };

const model = readLink();
if ([...$("model").options].some((option) => option.value === model)) $("model").value = model;
await attempt(async () => {
  await readPosition();
  await chooseModel();
  $("state").textContent = "Everything runs in this page: nothing to install.";
  $("solve").disabled = false;
  document.body.dataset.usable = Math.round(performance.now());
  await runner.ask("source", "sat-rounds"); // so that the second Python is there when it is needed
});
