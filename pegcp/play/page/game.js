// A game: a problem, the jumps that were made (history), and those taken back (ahead). Holes are numbers.

export class Game {
  constructor(problem, start = problem.start) {
    this.problem = problem;
    this.start = start;
    this.history = []; // [from, over, to]
    this.ahead = []; // the jump taken back last comes last
    this.losingStep = null; // which jump lost the game, by its place from 0
    this.jumps = problem.board.lines.flatMap(([a, over, b]) => [[a, over, b], [b, over, a]]);
  }

  /** The holes with pegs after so many jumps. */
  pegs(jumps = this.history.length) {
    return this.history.slice(0, jumps).reduce(afterJump, new Set(this.start));
  }

  legal(pegs = this.pegs()) {
    return this.jumps.filter(([from, over, to]) => pegs.has(from) && pegs.has(over) && !pegs.has(to));
  }

  play(jump) {
    this.history.push(jump);
    const next = this.ahead.pop();
    if (next && sameJump(next, jump)) return;
    this.ahead = [];
    if (this.losingStep >= this.history.length - 1) this.losingStep = null;
  }

  /** Go to the position after so many jumps of the line. */
  go(step) {
    while (this.history.length > step) this.ahead.push(this.history.pop());
    while (this.history.length < step && this.ahead.length) this.history.push(this.ahead.pop());
  }

  /** The jumps made, and those ahead. */
  get line() {
    return [...this.history, ...this.ahead.toReversed()];
  }

  get length() {
    return this.history.length + this.ahead.length;
  }

  get isReached() {
    const pegs = this.pegs();
    const { kind, pegs: lastPegs, vacancies } = this.problem.goal;
    switch (kind) {
      case "one-peg": return pegs.size === 1;
      case "dead-end": return this.legal(pegs).length === 0;
      case "nearest": return true;
      case "exact": case "partial":
        return lastPegs.every((hole) => pegs.has(hole)) && vacancies.every((hole) => !pegs.has(hole));
      default: throw new Error(`game.js does not know goals of the kind "${kind}"`);
    }
  }
}

/** A goal as the player is told it. */
export function goalSentence({ board }, { kind, text, pegs }) {
  if (kind === "dead-end") return "get stuck in as few jumps as you can";
  return kind === "exact" && pegs.length === 1 ? `one peg, in ${board.holes[pegs[0]]}` : text;
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
  const option = words.join(" ");
  if (option === "one peg") return { option, kind: "one-peg", text: "one peg anywhere", pegs: [], vacancies: [] };
  if (option === "dead end") return { option, kind: "dead-end", text: "a dead end", pegs: [], vacancies: [] };
  const holes = words.filter((word) => word !== "*");
  const free = words.includes("*");
  const vacant = holes.filter((word) => free && word.startsWith("-"));
  const pegs = readHoles(board, holes.filter((word) => !vacant.includes(word)).join(" "));
  if (free) {
    const vacancies = readHoles(board, vacant.map((word) => word.slice(1)).join(" "));
    return { option, kind: "partial", text: `${holes.join(" ")}, the others free`, pegs, vacancies };
  }
  if (!pegs.length) throw new Error("say which holes hold the last pegs");
  return { option, kind: "exact", text: `exactly ${option}`, pegs, vacancies: [...board.holes.keys()].filter((hole) => !pegs.includes(hole)) };
}

/** The pegs of a drawing of a position; the uses of each sign say that it may be a peg (p), a vacancy (v), outside (o). */
export function readDrawing(board, text, uses) {
  const rows = text.replace(/[|\ufe0e\ufe0f]/gu, "").split("\n").map((row) => [...row.replace(/\s/g, "")]).filter((row) => row.length);
  const kinds = [...new Set(rows.flat())];
  const unknown = kinds.find((kind) => !Object.hasOwn(uses, kind));
  if (unknown) throw new Error(`no position can be read from what is pasted: cannot tell what "${unknown}" means`);
  const heights = board.places.map(([, y]) => y);
  const lengths = [...new Set(heights)].map((y) => heights.filter((other) => other === y).length);
  const readings = [];
  for (const outside of [null, ...kinds.filter((kind) => uses[kind].includes("o"))]) {
    const drawn = rows.map((row) => row.filter((kind) => kind !== outside)).filter((row) => row.length);
    const fits = drawn.length === 1 ? drawn[0].length === board.holes.length : String(drawn.map((row) => row.length)) === String(lengths);
    const inside = kinds.filter((kind) => kind !== outside);
    if (!fits || inside.length > 2) continue;
    for (const peg of inside.filter((kind) => uses[kind].includes("p"))) {
      const pegs = drawn.flat().flatMap((kind, hole) => (kind === peg ? [hole] : []));
      const canJump = board.lines.some(([a, b, c]) => pegs.includes(b) && pegs.includes(a) !== pegs.includes(c));
      if (canJump && inside.every((kind) => kind === peg || uses[kind].includes("v"))) readings.push(pegs);
    }
  }
  if (readings.length !== 1) {
    const why = readings.length ? `it can be read in ${readings.length} ways; write X for a peg and o for a vacancy` : `it has not the holes of ${board.name}, or no jump to begin with`;
    throw new Error(`no position can be read from what is pasted: ${why}`);
  }
  return readings[0];
}

/** The holes of some names, rising. */
export function readHoles(board, text) {
  const holes = text.split(/[\s,]+/).filter(Boolean).map((name) => findHole(board, name));
  if (new Set(holes).size < holes.length) throw new Error(`a hole is given twice: ${text.slice(0, 60)}`);
  return rising(holes);
}

export function findHole(board, name) {
  const hole = board.holes.indexOf(name);
  if (hole < 0) throw new Error(`${board.name} has no hole "${name.slice(0, 30)}"`);
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
