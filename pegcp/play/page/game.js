// A game: a problem, the jumps that were made, and those taken back. Holes are numbers.

export class Game {
  constructor(problem, start = problem.start) {
    this.problem = problem;
    this.start = start;
    this.made = []; // [from, over, to]
    this.undone = []; // the last one taken back comes last
    this.lost = null; // which jump lost the game, by its place from 0
    this.jumps = problem.board.lines.flatMap(([a, over, b]) => [[a, over, b], [b, over, a]]);
  }

  /** The holes with pegs after so many jumps. */
  pegs(jumps = this.made.length) {
    return this.made.slice(0, jumps).reduce(afterJump, new Set(this.start));
  }

  legal(pegs = this.pegs()) {
    return this.jumps.filter(([from, over, to]) => pegs.has(from) && pegs.has(over) && !pegs.has(to));
  }

  play(jump) {
    this.made.push(jump);
    const next = this.undone.pop();
    if (next && sameJump(next, jump)) return;
    this.undone = [];
    if (this.lost >= this.made.length - 1) this.lost = null;
  }

  /** Go to the position after so many jumps of the line that is known. */
  go(step) {
    while (this.made.length > step) this.undone.push(this.made.pop());
    while (this.made.length < step && this.undone.length) this.made.push(this.undone.pop());
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

/** The pegs after one more jump. */
export function afterJump(pegs, [from, over, to]) {
  const then = new Set(pegs);
  then.delete(from);
  then.delete(over);
  return then.add(to);
}

export const sameJump = (jump, other) => jump.every((hole, i) => hole === other[i]);
export const rising = (holes) => [...holes].sort((a, b) => a - b);

/** A goal as people write it: "one peg", "dead end", holes of the last pegs; with * the others are free, -d4 ends vacant. */
export function readGoal(board, text) {
  const words = text.trim().split(/[\s,]+/);
  const given = words.join(" ");
  if (given === "one peg") return { given, kind: "one-peg", text: "one peg anywhere", pegs: [], vacancies: [] };
  if (given === "dead end") return { given, kind: "dead-end", text: "a dead end", pegs: [], vacancies: [] };
  const holes = words.filter((word) => word !== "*");
  const free = words.includes("*");
  const vacant = holes.filter((word) => free && word.startsWith("-"));
  const pegs = readHoles(board, holes.filter((word) => !vacant.includes(word)).join(" "));
  if (free) {
    const vacancies = readHoles(board, vacant.map((word) => word.slice(1)).join(" "));
    return { given, kind: "partial", text: `${holes.join(" ")}, the others free`, pegs, vacancies };
  }
  if (!pegs.length) throw new Error("say which holes hold the last pegs");
  return { given, kind: "exact", text: `exactly ${given}`, pegs, vacancies: [...board.holes.keys()].filter((hole) => !pegs.includes(hole)) };
}

/** The holes of some names, rising. */
export function readHoles(board, text) {
  const holes = text.split(/[\s,]+/).filter(Boolean).map((name) => holeNamed(board, name));
  if (new Set(holes).size < holes.length) throw new Error(`a hole is given twice: ${text.slice(0, 60)}`);
  return rising(holes);
}

export function holeNamed(board, name) {
  const hole = board.holes.indexOf(name);
  if (hole < 0) throw new Error(`board ${board.name} has no hole "${name.slice(0, 30)}"`);
  return hole;
}

/** Runs of jumps of the same peg. */
export function moves(jumps) {
  const runs = [];
  for (const jump of jumps) {
    if (runs.at(-1)?.at(-1)[2] === jump[0]) runs.at(-1).push(jump);
    else runs.push([jump]);
  }
  return runs;
}

/** The moves as they are written: d2-d4-f4, or (d2 d3 d4) where that says not enough. */
export function jumpsText(board, jumps) {
  const name = (hole) => board.holes[hole];
  const clear = ([from, , to]) => /^[a-w]\d+$/.test(name(from)) && /^[a-w]\d+$/.test(name(to))
    && board.lines.filter((line) => line.includes(from) && line.includes(to) && line[1] !== from && line[1] !== to).length === 1;
  return moves(jumps).map((move) => (move.every(clear)
    ? [move[0][0], ...move.map((jump) => jump[2])].map(name).join("-")
    : move.map((jump) => `(${jump.map(name).join(" ")})`).join(" ")));
}
