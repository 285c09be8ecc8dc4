// A game: a problem, the jumps that were made, and those taken back. Holes are numbers.

export class Game {
  constructor(problem, start = problem.start, made = []) {
    this.problem = problem;
    this.start = start;
    this.made = made; // [from, over, to]
    this.undone = []; // the last one taken back comes last
    this.lost = null; // which of these jumps lost the game, by its place from 0
    this.jumps = problem.board.lines.flatMap(([a, over, b]) => [[a, over, b], [b, over, a]]);
  }

  /** The holes with pegs after so many jumps. */
  pegs(jumps = this.made.length) {
    const pegs = new Set(this.start);
    for (const [from, over, to] of this.made.slice(0, jumps)) {
      pegs.delete(from);
      pegs.delete(over);
      pegs.add(to);
    }
    return pegs;
  }

  legal(pegs = this.pegs()) {
    return this.jumps.filter(([from, over, to]) => pegs.has(from) && pegs.has(over) && !pegs.has(to));
  }

  play(jump) {
    this.made.push(jump);
    const next = this.undone.pop();
    if (next && same(next, jump)) return;
    this.undone = [];
    if (this.lost >= this.made.length - 1) this.lost = null;
  }

  /** Go to the position after so many jumps of the line that is known. */
  go(step) {
    while (this.made.length > step) this.undone.push(this.made.pop());
    while (this.made.length < step && this.undone.length) this.made.push(this.undone.pop());
  }

  /** What could be played next, to be stepped through. */
  propose(jumps) {
    this.undone = [...jumps].reverse();
    this.lost = null;
  }

  /** The jumps made, and those ahead. */
  get line() {
    return [...this.made, ...this.undone.toReversed()];
  }

  get length() {
    return this.made.length + this.undone.length;
  }

  get isReached() {
    const pegs = this.pegs();
    const { kind, pegs: wanted, vacancies } = this.problem.goal;
    switch (kind) {
      case "one-peg": return pegs.size === 1;
      case "dead-end": return this.legal(pegs).length === 0;
      case "nearest": return true;
      case "exact": case "partial":
        return wanted.every((hole) => pegs.has(hole)) && vacancies.every((hole) => !pegs.has(hole));
      default: throw new Error(`game.js does not know goals of the kind "${kind}"`);
    }
  }
}

/** A goal as people write it: "one peg", "dead end", holes of the last pegs; with * the others are free, -d4 ends vacant. */
export function readGoal(board, given) {
  const words = given.trim().split(/[\s,]+/);
  const goal = { given: words.join(" "), text: words.join(" "), pegs: [], vacancies: [] };
  if (goal.given === "one peg") return { ...goal, kind: "one-peg", text: "one peg anywhere" };
  if (goal.given === "dead end") return { ...goal, kind: "dead-end", text: "a dead end" };
  for (const word of words.filter((name) => name !== "*")) {
    const hole = holeNamed(board, word.replace(/^-/, ""));
    (word.startsWith("-") ? goal.vacancies : goal.pegs).push(hole);
  }
  if (words.includes("*")) return { ...goal, kind: "partial", text: `${goal.given.replace(/ ?\*/, "")}, the others free` };
  goal.vacancies = [...board.holes.keys()].filter((hole) => !goal.pegs.includes(hole));
  return { ...goal, kind: "exact", text: `exactly ${goal.given}` };
}

export const same = (one, other) => one.every((hole, i) => hole === other[i]);

// A link says where a game stands, in the words of the command line: #english:c1->d4&after=d2-d4+b3-d3, with &start= and
// &goal= where that form does not say them, and &text= for what does not ship. It is in the part of the address that no
// server sees, so every page to play on understands it.

/** The form BOARD:... of a start and a goal; null if there is none. */
function form({ name, holes }, start, goal) {
  if (start.length !== holes.length - 1) return null;
  const vacancy = holes.find((_, hole) => !start.includes(hole));
  switch (goal.kind) {
    case "one-peg": return `${name}:${vacancy}->?`;
    case "dead-end": return `${name}:${vacancy}!`;
    case "exact": return goal.pegs.length !== 1 ? null
      : holes[goal.pegs[0]] === vacancy ? `${name}:${vacancy}` : `${name}:${vacancy}->${holes[goal.pegs[0]]}`;
    default: return null;
  }
}

export function toLink({ problem, start, made }) {
  const { board, goal } = problem;
  const short = problem.ships ? form(board, start, goal) : null;
  const told = new URLSearchParams();
  if (!problem.ships) told.set("text", problem.text);
  if (!short && (problem.ships || start.join() !== problem.start.join())) told.set("start", start.map((hole) => board.holes[hole]).join(" "));
  if (!short && (problem.ships || problem.wish)) told.set("goal", goal.given);
  if (made.length) told.set("after", jumpsText(board, made).join(" "));
  const head = short ?? (problem.ships ? board.name : encodeURIComponent(problem.name));
  return [head, told.toString()].filter(Boolean).join("&");
}

/** What a link says: the name of a problem and its board, perhaps a text, start, goal, jumps after it, as they were written. */
export function fromLink(hash) {
  const [head, ...rest] = hash.split("&");
  const name = decodeURIComponent(head);
  return { name, board: name.split(":")[0], ...Object.fromEntries(new URLSearchParams(rest.join("&"))) };
}

/** The game of a link on a problem, whose board it is on, before its jumps. */
export function linked(problem, { name, start, goal }) {
  const { board } = problem;
  let given = goal, pegs = start?.split(/\s+/).filter(Boolean).map((hole) => holeNamed(board, hole));
  if (problem.ships) {
    const [, first, last] = (name.includes(":") ? name : board.own).match(/:(.*?)(!|->.*)?$/);
    pegs ??= [...board.holes.keys()].filter((hole) => hole !== holeNamed(board, first));
    given ??= last === "!" ? "dead end" : last === "->?" ? "one peg" : last?.slice(2) ?? first;
  }
  const own = given === undefined || given === problem.goal.given;
  const found = own ? problem : { ...problem, name, goal: readGoal(board, given), wish: given };
  return new Game(found, pegs && pegs.sort((a, b) => a - b).join() !== problem.start.join() ? pegs : problem.start);
}

function holeNamed(board, name) {
  const hole = board.holes.indexOf(name);
  if (hole < 0) throw new Error(`board ${board.name} has no hole "${name}"`);
  return hole;
}

/** Makes jumps as they are written; the first that cannot be made is an error. */
export function playWritten(game, text) {
  const { board } = game.problem;
  for (const word of text.match(/\([^)]*\)|\S+/g) ?? []) {
    const triple = word.startsWith("(");
    const holes = word.replace(/[()]/g, "").split(triple ? /\s+/ : "-").map((name) => holeNamed(board, name));
    const ways = triple ? [holes] : holes.slice(1).map((to, i) => [holes[i], null, to]);
    for (const way of ways) {
      const jump = game.legal().find((one) => one.every((hole, i) => way[i] === null || hole === way[i]));
      if (!jump) throw new Error(`jump ${game.made.length + 1} of the link, ${word}, cannot be made`);
      game.play(jump);
    }
  }
}

/** Runs of jumps of the same peg. */
export function moves(made) {
  const found = [];
  for (const jump of made) {
    if (found.at(-1)?.at(-1)[2] === jump[0]) found.at(-1).push(jump);
    else found.push([jump]);
  }
  return found;
}

/** The moves as they are written: d2-d4-f4, or (d2 d3 d4) where that says not enough. */
export function jumpsText(board, made) {
  const name = (hole) => board.holes[hole];
  const clear = ([from, , to]) => /^[a-w]\d+$/.test(name(from) + "") && /^[a-w]\d+$/.test(name(to))
    && board.lines.filter((line) => line.includes(from) && line.includes(to) && line[1] !== from && line[1] !== to).length === 1;
  return moves(made).map((move) => (move.every(clear)
    ? [move[0][0], ...move.map((jump) => jump[2])].map(name).join("-")
    : move.map((jump) => `(${jump.map(name).join(" ")})`).join(" ")));
}
