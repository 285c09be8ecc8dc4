// Advice without a server: the winnable set is in the page, packed.
//
// A position class is a number; those of a level rise, and the gaps between them are Rice-coded: a quotient in unary,
// then so many low bits. `kept[i]` is the hole of bit i of such a number; the other holes follow from the class.

const sum = (holes, place) => holes.reduce((total, hole) => total + 2 ** place[hole], 0);

export class Table {
  constructor({ holes, reversal, symmetries, kept, levels, data }) {
    Object.assign(this, { holes, reversal, symmetries });
    this.bit = new Array(holes).fill(null);
    kept.forEach((hole, bit) => { this.bit[hole] = bit; });
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    let at = 0;
    const next = () => (bytes[at >> 3] >> (7 - (at++ & 7))) & 1;
    this.levels = new Map();
    for (const [pegs, size, low] of levels) {
      const found = new Float64Array(size);
      let last = -1;
      for (let i = 0; i < size; i++) {
        let gap = 0;
        while (next()) gap++;
        for (let k = 0; k < low; k++) gap = 2 * gap + next();
        last += gap + 1;
        found[i] = last;
      }
      this.levels.set(pegs, found);
    }
  }

  /** Whether the goal can be reached from a position, a set of holes, that can be reached itself. */
  has(pegs) {
    let held = [...pegs];
    if (!this.levels.has(held.length) && this.reversal) {
      held = [...Array(this.holes).keys()].filter((hole) => !pegs.has(hole)).map((hole) => this.reversal[hole]);
    }
    const level = this.levels.get(held.length);
    if (!level) return false;
    let least = Infinity, best = null;
    for (const symmetry of this.symmetries) {
      const value = sum(held, symmetry);
      if (value < least) [least, best] = [value, symmetry];
    }
    const wanted = sum(held.map((hole) => best[hole]).filter((hole) => this.bit[hole] !== null), this.bit);
    let [low, high] = [0, level.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (level[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return level[low] === wanted;
  }
}

const after = (pegs, [from, over, to]) => {
  const then = new Set(pegs);
  then.delete(from);
  then.delete(over);
  then.add(to);
  return then;
};

/** What the server would say, from a table; `null` for a table: nothing is known. */
export function advise(game, table) {
  const pegs = game.pegs();
  const dead = game.problem.goal.kind === "dead-end";
  const knows = (position) => (dead ? true : table ? table.has(position) : null);
  const jumps = game.legal(pegs).map((jump) => [...jump, knows(after(pegs, jump))]);
  const verdicts = new Set(jumps.map((jump) => jump[3]));
  const reached = game.isReached;
  const solvable = reached || verdicts.has(true) ? true : verdicts.has(null) || !(table || dead) ? null : false;
  let back = null;
  for (let step = game.made.length - 1; solvable === false && back === null && step >= 0; step--) {
    if (knows(game.pegs(step))) back = game.made.length - step;
  }
  return { state: "known", reached, solvable, jumps, taken_back: back };
}
