// A link says where a game stands, in the words of the command line: #english:c1->d4&after=d2-d4+b3-d3, with &start= and
// &goal= where that form does not say them, and &text= for what does not ship. It is in the part of the address that no
// server sees, so every page to play on understands it. A link comes from anybody: it is read within bounds.

import { Game, findHole, jumpsText, readGoal, readHoles, rising } from "./game.js";

const LONGEST_LINK = 100_000; // characters; a text may be in it

/** The form BOARD:... of a start and a goal; null if there is none. */
export function compactForm({ problem, start }) {
  const { board: { name, holes }, goal } = problem;
  if (!problem.ships || start.length !== holes.length - 1) return null;
  const vacancy = holes.find((_, hole) => !start.includes(hole));
  switch (goal.kind) {
    case "one-peg": return `${name}:${vacancy}->?`;
    case "dead-end": return `${name}:${vacancy}!`;
    case "exact": return goal.pegs.length !== 1 ? null
      : holes[goal.pegs[0]] === vacancy ? `${name}:${vacancy}` : `${name}:${vacancy}->${holes[goal.pegs[0]]}`;
    default: return null;
  }
}

export function toLink(game) {
  const { problem, start, history: jumps } = game;
  const { board, goal, ships } = problem;
  const compact = compactForm(game);
  const parts = new URLSearchParams();
  if (!ships) parts.set("text", problem.text);
  if (!compact && (ships || start.join() !== problem.start.join())) parts.set("start", start.map((hole) => board.holes[hole]).join(" "));
  if (!compact && (ships || problem.goalChanged)) parts.set("goal", goal.option);
  if (jumps.length) parts.set("after", jumpsText(board, jumps).join(" "));
  const head = compact ?? (ships ? board.name : encodeURIComponent(problem.name));
  return [head, parts.toString()].filter(Boolean).join("&");
}

/** The game of a link, on one of these problems. Throws an error that says what is wrong with the link. */
export function readLink(link, problems) {
  if (link.length > LONGEST_LINK) throw new Error(`The link is longer than ${LONGEST_LINK.toLocaleString("en")} characters.`);
  const [head, ...rest] = link.split("&");
  let name;
  try {
    name = decodeURIComponent(head);
  } catch {
    throw new Error("The link cannot be read: it has an invalid % escape.");
  }
  const parts = new URLSearchParams(rest.join("&"));
  const text = parts.get("text"), board = name.split(":")[0];
  const problem = problems.find((candidate) => (text === null ? candidate.ships && candidate.board.name === board : candidate.text === text));
  if (!problem) {
    throw new Error(text === null ? `The link is to a game on the board "${board.slice(0, 30)}", which this page does not have.`
      : "The link is to a board from a file, which this page does not have.");
  }
  try {
    const game = makeGame(problem, name, parts.get("start"), parts.get("goal"));
    playText(game, parts.get("after") ?? "");
    return game;
  } catch (error) {
    throw new Error(`The link cannot be followed: ${error.message}.`);
  }
}

/** The game on a problem from a start and to a goal, as they are written; null: as its name says. */
function makeGame(problem, name, start, goal) {
  const { board } = problem;
  let pegs = start === null ? null : readHoles(board, start);
  if (problem.ships) {
    const [, vacancy, finish] = (name.includes(":") ? name : board.own).match(/:(.*?)(!|->.*)?$/s);
    pegs ??= [...board.holes.keys()].filter((hole) => hole !== findHole(board, vacancy));
    goal ??= finish === "!" ? "dead end" : finish === "->?" ? "one peg" : finish?.slice(2) ?? vacancy;
  }
  const same = goal === null || goal === problem.goal.option;
  const linkedProblem = same ? problem : { ...problem, name, goal: readGoal(board, goal), goalChanged: true };
  return new Game(linkedProblem, pegs ?? rising(problem.start));
}

/** Make jumps as they are written; the first that cannot be made is an error. */
function playText(game, text) {
  const { board } = game.problem;
  for (const word of text.match(/\([^)]*\)|\S+/g) ?? []) {
    const triple = word.startsWith("(");
    const holes = word.replace(/[()]/g, "").split(triple ? /\s+/ : "-").map((name) => findHole(board, name));
    const ways = triple ? [holes] : holes.slice(1).map((to, i) => [holes[i], null, to]);
    if (!ways.length) throw new Error(`jump ${game.history.length + 1} (${word.slice(0, 60)}) is impossible`);
    for (const way of ways) {
      const fits = (hole, i) => way[i] === null || hole === way[i];
      const jump = way.length === 3 ? game.legal().find((legal) => legal.every(fits)) : null;
      if (!jump) throw new Error(`jump ${game.history.length + 1} (${word.slice(0, 60)}) is impossible`);
      game.play(jump);
    }
  }
}
