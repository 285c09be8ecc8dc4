// A game: a problem, the jumps that were made, and those taken back. Holes are numbers.

export class Game {
  constructor(problem, start = problem.start, made = []) {
    this.problem = problem;
    this.start = start;
    this.made = made; // [from, over, to]
    this.undone = []; // the last one taken back comes last
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
    if (next && !same(next, jump)) this.undone = [];
  }

  undo() {
    if (this.made.length) this.undone.push(this.made.pop());
  }

  redo() {
    if (this.undone.length) this.made.push(this.undone.pop());
  }

  /** Go to the position after so many jumps of the line that is known. */
  go(step) {
    while (this.made.length > step) this.undo();
    while (this.made.length < step && this.undone.length) this.redo();
  }

  /** What could be played next, to be stepped through. */
  propose(jumps) {
    this.undone = [...jumps].reverse();
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
    const hole = board.holes.indexOf(word.replace(/^-/, ""));
    if (hole < 0) throw new Error(`board ${board.name} has no hole "${word}"`);
    (word.startsWith("-") ? goal.vacancies : goal.pegs).push(hole);
  }
  if (words.includes("*")) return { ...goal, kind: "partial", text: `${goal.given.replace(/ ?\*/, "")}, the others free` };
  goal.vacancies = [...board.holes.keys()].filter((hole) => !goal.pegs.includes(hole));
  return { ...goal, kind: "exact", text: `exactly ${goal.given}` };
}

export const same = (one, other) => one.every((hole, i) => hole === other[i]);

// A link holds the game as base64 of JSON, in the part of the address that no server sees.
export function toLink(game) {
  const { text, name, wish } = game.problem;
  const told = { text, name, wish, start: game.start, jumps: game.made };
  const bytes = new TextEncoder().encode(JSON.stringify(told));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromLink(hash) {
  try {
    const text = atob(hash.replaceAll("-", "+").replaceAll("_", "/"));
    const told = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
    return typeof told.text === "string" && Array.isArray(told.start) && Array.isArray(told.jumps) ? told : null;
  } catch {
    return null;
  }
}
