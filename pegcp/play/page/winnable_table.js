// The winnable positions of a problem, packed into the page by pegcp/play/winnable_table.py.
//
// A position class is a number; those of a level rise, and the gaps between them are Rice-coded: a quotient in unary,
// then so many low bits. `kept[i]` is the hole of bit i of such a number; the other holes follow from the class.

const sumOfPowers = (holes, place) => holes.reduce((total, hole) => total + 2 ** place[hole], 0);

export class WinnableTable {
  constructor({ holes, reversal, symmetries, kept, levels, data }) {
    Object.assign(this, { holes, reversal, symmetries });
    this.bit = new Array(holes).fill(null);
    kept.forEach((hole, bit) => { this.bit[hole] = bit; });
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    let at = 0;
    const next = () => (bytes[at >> 3] >> (7 - (at++ & 7))) & 1;
    this.levels = new Map();
    for (const [pegs, size, low] of levels) {
      const numbers = new Float64Array(size);
      let last = -1;
      for (let i = 0; i < size; i++) {
        let gap = 0;
        while (next()) gap++;
        for (let k = 0; k < low; k++) gap = 2 * gap + next();
        last += gap + 1;
        numbers[i] = last;
      }
      this.levels.set(pegs, numbers);
    }
  }

  about = "Answers come from the winnable set: all positions from which the goal can be reached.";
  shows = "no position that follows is in the winnable set";

  /** Whether the goal can be reached from a position, a set of holes, that can be reached itself. */
  ask(pegs) {
    let pegHoles = [...pegs];
    if (!this.levels.has(pegHoles.length) && this.reversal) {
      pegHoles = [...Array(this.holes).keys()].filter((hole) => !pegs.has(hole)).map((hole) => this.reversal[hole]);
    }
    const level = this.levels.get(pegHoles.length);
    if (!level) return false;
    let least = Infinity, best = null;
    for (const symmetry of this.symmetries) {
      const value = sumOfPowers(pegHoles, symmetry);
      if (value < least) [least, best] = [value, symmetry];
    }
    const number = sumOfPowers(pegHoles.map((hole) => best[hole]).filter((hole) => this.bit[hole] !== null), this.bit);
    let [low, high] = [0, level.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (level[middle] < number) low = middle + 1;
      else high = middle;
    }
    return level[low] === number;
  }
}
