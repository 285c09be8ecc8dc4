// Advice without a server: a table of the winnable positions that is in the page, packed, or a search.
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
  ask(pegs) {
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

const PATIENCE = 20_000; // milliseconds for the questions of one position

/** What the server would say, asked of a table or a search; `take` is called with what is known so far, and at last. */
export async function advise(game, oracle, take, signal) {
  const end = performance.now() + PATIENCE;
  const pegs = game.pegs();
  const jumps = game.legal(pegs).map((jump) => [...jump, null]);
  const reached = game.isReached;
  const told = (more) => ({ state: "searching", reached, solvable: reached || jumps.some((jump) => jump[3]) || null, jumps, ...more });

  async function find(position) {
    if (game.problem.goal.kind === "dead-end" || game.problem.goal.kind === "nearest") return true; // every game gets there
    for (;;) {
      const verdict = oracle.ask(position);
      if (verdict !== undefined) return verdict;
      if (performance.now() > end) return null;
      take(told({ positions: oracle.positions }));
      await new Promise((done) => setTimeout(done));
      if (signal.aborted) return null;
    }
  }

  for (const jump of jumps) jump[3] = await find(after(pegs, jump));
  const solvable = told().solvable ?? (jumps.some((jump) => jump[3] === null) ? null : false);
  let back = null;
  for (let step = game.made.length - 1; solvable === false && back === null && step >= 0; step--) {
    const verdict = await find(game.pegs(step));
    if (verdict === null) break;
    if (verdict) back = game.made.length - step;
  }
  const why = solvable === false && oracle.odd?.(pegs);
  take(told({ state: "known", solvable, taken_back: back, why: why ? { text: why } : null }));
}
