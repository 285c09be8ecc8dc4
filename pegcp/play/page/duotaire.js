// Peg duotaire: two players jump in turn, and who cannot jump loses. On small boards the page plays it without a mistake.

import { afterJump } from "./game.js";

export const MOST_DUOTAIRE_HOLES = 15; // all positions of such a board are played to their ends at once

const lost = new Map(); // whether the player who is to jump loses, by lines of the board and pegs

/** Whether the player who is to jump loses. */
function loses(game, pegs) {
  const key = `${game.problem.board.lines} ${[...pegs].sort()}`;
  if (!lost.has(key)) lost.set(key, !game.legal(pegs).some((jump) => loses(game, afterJump(pegs, jump))));
  return lost.get(key);
}

/** What is known of a position, as `advise` tells it: a jump wins if the other player loses after it. */
export function adviseDuotaire(game) {
  const jumps = game.legal().map((jump) => [...jump, loses(game, afterJump(game.pegs(), jump))]);
  return { searching: false, solvable: jumps.some((jump) => jump[3]), jumps, takenBack: 0 };
}

/** The jump of the page: one that wins if there is one, else any; undefined if none is possible. */
export function replyTo(game) {
  const { jumps } = adviseDuotaire(game);
  return (jumps.find((jump) => jump[3]) ?? jumps[0])?.slice(0, 3);
}
