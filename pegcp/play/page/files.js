// A game as texts: the command that solves it, the problem from here, and a filmstrip of its moves as SVG.

import { jumpsText, moves } from "./game.js";
import { compactForm } from "./links.js";

const listText = (words) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
const shellQuote = (text) => (/^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The command that solves the position on the board; of a soft goal or another objective pegcp chooses the method. */
export function solveCommand(game) {
  const { problem, start, history: jumps } = game;
  const { board, goal, ships } = problem;
  const words = ["pegcp", "solve", compactForm(game) ?? (ships ? board.name : problemFile(problem, new Set(start)).trimEnd())];
  if (ships && !compactForm(game)) {
    words.push("--start", start.map((hole) => board.holes[hole]).join(" "), "--goal", goal.option);
  }
  if (jumps.length) words.push("--after", jumpsText(board, jumps).join(" "));
  const any = problem.goalChanged || problem.objective === "any";
  if (any && ["one-peg", "exact", "partial"].includes(goal.kind)) words.push("-m", "rounds");
  return words.map(shellQuote).join(" ");
}

/** A problem file with these pegs at the start, and the goal of the page. */
export function problemFile({ text, board, goal, ships, goalChanged }, pegs) {
  const names = listText(board.holes.filter((_, place) => pegs.has(place)));
  const goalText = ["exact", "partial"].includes(goal.kind) ? listText(goal.option.split(" ")) : JSON.stringify(goal.option);
  if (ships) return `board = ${JSON.stringify(board.name)}\nstart = ${names}\ngoal = ${goalText}\n`;
  let hole = 0;
  const newText = text
    .replace(/^(start = """\n)([^"]*)/m, (_, head, map) => head + map.replace(/[Xo]/g, () => (pegs.has(hole++) ? "X" : "o")))
    .replace(/^start = \[.*\]$/m, () => `start = ${names}`);
  if (!goalChanged) return newText;
  const objective = goal.kind === "dead-end" ? "fewest-jumps" : "any";
  return newText.replace(/^goal = .*$/m, () => `goal = ${goalText}`).replace(/^objective = .*$/m, `objective = "${objective}"`);
}

/** A colour of the page, as it is in the light: pictures have a light ground of their own. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).match(/#\w+/)[0];

/** A picture for each move, with its jumps as arrows, and one of the position now. */
export function filmstrip(game) {
  const { board } = game.problem;
  const [ground, ink, peg, vacancy, arrowColour] = ["board", "ink", "peg", "hole", "pick"].map(colour);
  const lines = board.lines.map((line) => `M${line.map((hole) => board.places[hole].join(" ")).join("L")}`).join("");
  const [xs, ys] = [0, 1].map((axis) => board.places.map((place) => place[axis]));
  const [left, top] = [Math.min(...xs) - 1, Math.min(...ys) - 1.4];
  const [wide, high] = [Math.max(...xs) + 1 - left, Math.max(...ys) + 0.8 - top];
  const frames = [...moves(game.history), []];
  const columns = Math.min(frames.length, Math.max(1, Math.round(40 / wide)));
  const escapeMarkup = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  let step = 0;
  const pictures = frames.map((move, number) => {
    const pegs = game.pegs(step);
    step += move.length;
    const holes = board.places.map(([x, y], hole) => (pegs.has(hole)
      ? `<circle cx="${x}" cy="${y}" r=".38" fill="${peg}"/>` : `<circle cx="${x}" cy="${y}" r=".17" fill="${vacancy}"/>`));
    const path = move.length ? [move[0][0], ...move.map((jump) => jump[2])] : [];
    const way = path.map((hole) => board.places[hole].join(" ")).join("L");
    const arrow = way && `<path d="M${way}" fill="none" stroke="${arrowColour}" stroke-width=".12" marker-end="url(#tip)"/>`;
    const title = move.length ? `${number + 1}. ${path.map((hole) => board.holes[hole]).join("-")}` : "now";
    const size = Math.min(0.6, (1.6 * wide) / title.length);
    const caption = `<text x="${left + wide / 2}" y="${top + 0.6}" font-size="${size}" text-anchor="middle">${escapeMarkup(title)}</text>`;
    const [x, y] = [(number % columns) * wide - left, Math.floor(number / columns) * high - top];
    return `<g transform="translate(${x} ${y})">${caption}<path d="${lines}" fill="none" stroke="${vacancy}" stroke-width=".05"/>${holes.join("")}${arrow}</g>`;
  });
  const [width, height] = [columns * wide, Math.ceil(frames.length / columns) * high];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${24 * width}" height="${24 * height}" `
    + `font-family="sans-serif" fill="${ink}"><rect width="${width}" height="${height}" rx=".3" fill="${ground}"/>`
    + '<defs><marker id="tip" viewBox="0 0 6 6" refX="4" refY="3" markerWidth="4" '
    + `markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6z" fill="${arrowColour}"/></marker></defs>${pictures.join("")}</svg>\n`;
}
