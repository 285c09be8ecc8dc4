// How many jumps a dead end is away (Fool's Solitaire), by depth-first search within a number of jumps that grows.

import { LARGEST, MOST_HOLES, halves } from "./search.js";

export class DeadEnds {
  constructor(board) {
    this.isTooLarge = board.holes.length > MOST_HOLES;
    this.excluded = new Map(); // a position: within how many jumps there is no dead end
    this.jumps = board.lines.flatMap(([a, over, b]) => [[a, over, b], [b, over, a]]).map(([from, over, to]) => {
      const [low, high] = halves([from, over]), [toLow, toHigh] = halves([to]);
      return { low, high, toLow, toHigh, allLow: low | toLow, allHigh: high | toHigh };
    });
  }

  about = "The page searches for the nearest dead end, for up to 20 seconds a position.";

  /** The number of positions that are remembered. */
  get positions() {
    return this.excluded.size;
  }

  /** Whether a dead end can be reached in at most so many jumps; undefined if that takes more time, null if never known. */
  within(pegs, most, positions = 5_000) {
    if (this.isTooLarge || this.positions > LARGEST) return null;
    this.budget = positions;
    return this.#search(...halves(pegs), most);
  }

  #search(low, high, most) {
    const legal = this.jumps.filter((jump) => (low & jump.low) === jump.low && (high & jump.high) === jump.high
      && !(low & jump.toLow) && !(high & jump.toHigh));
    if (!legal.length) return true;
    if (!most || this.#least(legal) > most) return false;
    const key = high * 2 ** 26 + low;
    if ((this.excluded.get(key) ?? 0) >= most) return false;
    if (this.budget-- <= 0) return undefined;
    for (const jump of legal) {
      const verdict = this.#search(low ^ jump.allLow, high ^ jump.allHigh, most - 1);
      if (verdict !== false) return verdict;
    }
    this.excluded.set(key, most);
    return false;
  }

  /** A jump changes three holes, so it ends at most three of the jumps that have no hole in common. */
  #least(legal) {
    let [low, high, apart] = [0, 0, 0];
    for (const jump of legal) {
      if (low & jump.allLow || high & jump.allHigh) continue;
      low |= jump.allLow;
      high |= jump.allHigh;
      apart++;
    }
    return Math.ceil(apart / 3);
  }
}
