// Whether the goal can be reached from a position: first by the classes of positions, then by trying all jumps, for the
// positions that no table in the page knows. What is settled is remembered, so a question that is asked again goes on.

const HALF = 26; // a position is two numbers of 26 bits; together they are one that is exact
export const MOST_HOLES = 2 * HALF;
export const LARGEST = 3_000_000; // positions that are remembered

export function halves(holes) {
  let [low, high] = [0, 0];
  for (const hole of holes) {
    if (hole < HALF) low |= 1 << hole;
    else high |= 1 << (hole - HALF);
  }
  return [low, high];
}

export class Search {
  constructor(board, goal) {
    this.board = board;
    this.goal = goal;
    this.isTooLarge = board.holes.length > MOST_HOLES;
    this.verdicts = new Map();
    this.jumps = board.lines.flatMap(([a, over, b]) => [[a, over, b], [b, over, a]])
      .map(([from, over, to]) => [...halves([from, over]), ...halves([to])]);
    this.lastPegs = halves(goal.pegs);
    this.vacancies = halves(goal.vacancies);
    this.least = goal.kind === "one-peg" ? 1 : goal.pegs.length;
  }

  get about() {
    return this.isTooLarge ? `Hints need a board of at most ${MOST_HOLES} holes, or the command below.`
      : "The page has no winnable set for this game: it searches each position for up to 20 seconds.";
  }

  shows = "the page has tried every continuation";

  /** The number of positions with a verdict. */
  get positions() {
    return this.verdicts.size;
  }

  /** Whether the goal can be reached; undefined if not within so many more positions, null if the page never knows. */
  ask(pegs, positions = 5_000) {
    if (parityReason(this.board, this.goal, pegs)) return false;
    if (this.isTooLarge || this.positions > LARGEST) return null;
    this.end = this.positions + positions;
    return this.#search(...halves(pegs), pegs.size);
  }

  #search(low, high, count) {
    if (this.#reached(low, high, count)) return true;
    if (count <= this.least) return false;
    const key = high * 2 ** HALF + low;
    const earlier = this.verdicts.get(key);
    if (earlier !== undefined) return earlier;
    if (this.positions >= this.end) return undefined;
    for (const [l, h, toLow, toHigh] of this.jumps) {
      if ((low & l) !== l || (high & h) !== h || low & toLow || high & toHigh) continue;
      const verdict = this.#search((low ^ l) | toLow, (high ^ h) | toHigh, count - 1);
      if (verdict === false) continue;
      if (verdict) this.verdicts.set(key, true);
      return verdict;
    }
    this.verdicts.set(key, false);
    return false;
  }

  #reached(low, high, count) {
    if (this.goal.kind === "one-peg") return count === 1;
    return (low & this.lastPegs[0]) === this.lastPegs[0] && (high & this.lastPegs[1]) === this.lastPegs[1]
      && !(low & this.vacancies[0]) && !(high & this.vacancies[1]);
  }
}

/** Explain why the goal is in another class than the position, by holes whose parity every jump keeps; null if it is not. */
export function parityReason(board, { kind, pegs: lastPegs, vacancies }, pegs) {
  const isOdd = (set, holes) => set.filter((hole) => holes.has(hole)).length % 2 === 1;
  if (kind === "one-peg") {
    const some = board.holes.some((_, hole) => board.sets.every((set) => isOdd(set, pegs) === set.includes(hole)));
    return some ? null : "No position with a single peg is in the class of this one: every jump keeps the parities of certain sets of holes.";
  }
  if (lastPegs.length + vacancies.length < board.holes.length) return null;
  const set = board.sets.find((holes) => isOdd(holes, pegs) !== isOdd(holes, new Set(lastPegs)));
  if (!set) return null;
  const holes = set.map((hole) => board.holes[hole]).join(" ");
  const [here, there] = isOdd(set, pegs) ? ["odd", "even"] : ["even", "odd"];
  return `Every jump changes either no hole or two of the holes ${holes}, so the number of pegs on them stays ${here}. In the goal it is ${there}.`;
}
