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

  /** Moves: runs of jumps of the same peg. */
  get moves() {
    return this.made.filter((jump, i) => i === 0 || this.made[i - 1][2] !== jump[0]).length;
  }

  get isReached() {
    const pegs = this.pegs();
    const { kind, pegs: wanted, vacancies } = this.problem.goal;
    if (kind === "one-peg") return pegs.size === 1;
    if (kind === "dead-end") return this.legal(pegs).length === 0;
    return wanted.every((hole) => pegs.has(hole)) && vacancies.every((hole) => !pegs.has(hole));
  }
}

export const same = (one, other) => one.every((hole, i) => hole === other[i]);

// A link holds the game as base64 of JSON, in the part of the address that no server sees.
export function toLink(game) {
  const { text, name } = game.problem;
  const told = { text, name, start: game.start, jumps: game.made };
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
