// What is known of a position: which jumps win, how many jumps to take back, and why the game is lost.

import { afterJump, jumpsText } from "./game.js";
import { parityReason } from "./search.js";

const PATIENCE = 20_000; // milliseconds for the questions of one position

/**
 * Ask an oracle (a WinnableTable, a Search or DeadEnds) about the position of a game. `take` is called with what is known so far
 * ({ searching: true }), and at last. `jumps`: [from, over, to, verdict]; verdicts and `solvable` are null where they are
 * not known. `takenBack`: how many jumps to take back, 0 if that is not known, null if no start of the game wins. `left`:
 * how many jumps a dead end takes at least, which is the number exactly where `solvable` is true; then a jump wins that
 * is on a shortest way.
 */
export async function advise(game, oracle, take, signal) {
  const end = performance.now() + PATIENCE;
  const { goal } = game.problem;
  const jumps = game.legal().map((jump) => [...jump, null]);
  const solvableSoFar = () => game.isReached || jumps.some((jump) => jump[3]) || null;
  const report = (more) => take({ searching: true, solvable: solvableSoFar(), jumps, takenBack: 0, ...more });

  async function ask(pegs, most) {
    if (goal.kind === "nearest") return true;
    for (;;) {
      const verdict = most === undefined ? oracle.ask(pegs) : oracle.within(pegs, most);
      if (verdict !== undefined) return verdict;
      if (performance.now() > end) return null;
      report({ positions: oracle.positions });
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return null;
    }
  }

  if (goal.kind === "dead-end") {
    let left = 0, verdict = game.isReached;
    while (verdict === false) verdict = await ask(game.pegs(), ++left);
    for (const jump of verdict ? jumps : []) jump[3] = await ask(afterJump(game.pegs(), jump), left - 1);
    return report({ searching: false, solvable: verdict, left });
  }
  for (const jump of jumps) jump[3] = await ask(afterJump(game.pegs(), jump));
  const solvable = solvableSoFar() ?? (jumps.some((jump) => jump[3] === null) ? null : false);
  if (solvable !== false) return report({ searching: false, solvable });
  let step = game.history.length, verdict = false;
  while (verdict === false && step > 0) verdict = await ask(game.pegs(--step));
  if (verdict === null) return report({ searching: false, solvable });
  const takenBack = verdict ? game.history.length - step : null;
  const why = verdict ? await whyLost(game, step, oracle, ask) : whyNeverWon(game, oracle);
  return report({ searching: false, solvable, takenBack, why });
}

/** Why the jump at this step lost: what can still be done after it, and what would have kept the goal in reach. */
async function whyLost(game, step, oracle, ask) {
  const text = (jumps) => jumps.map((jump) => jumpsText(game.problem.board, [jump])[0]).join(", ");
  const before = game.pegs(step), losingJump = game.history[step];
  const choices = game.legal(game.pegs(step + 1)).length;
  const after = choices === 0 ? "After it no jump is possible, and the goal is not reached."
    : `After it ${choices === 1 ? "one jump is possible, and it loses" : `${choices} jumps are possible, and all of them lose`}: ${oracle.shows}.`;
  const winning = [];
  for (const jump of game.legal(before)) if (await ask(afterJump(before, jump))) winning.push(jump);
  return `${text([losingJump])} lost the game. ${after} You could have won with ${text(winning)}.`;
}

function whyNeverWon(game, oracle) {
  const { board, goal } = game.problem;
  return oracle.reason ?? parityReason(board, goal, game.pegs(0)) ?? `No game from the start reaches the goal: ${oracle.shows}.`;
}
