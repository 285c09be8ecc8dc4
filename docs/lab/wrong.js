// What is wrong with a model: said in words, with the solution that it forbids, and the lines.
import { make } from "./shared/drawing.js";

/**
 * Add what is said of a row that is wrong. `watch` shows its solution on the board, `goTo(line)` a line in the editor.
 * Returns a function that adds the answer of why, or says that there is none.
 */
export function showWrong(parent, { title, says, jumps, isExplained, watch, goTo }) {
  const article = make(parent, "article");
  make(article, "h3", {}, `${title} is wrong`);
  make(article, "p", {}, says);
  if (jumps) make(make(article, "p", { class: "row" }), "button", { type: "button" }, "Watch this solution").onclick = watch;
  const answer = make(article, "p", { class: "why" }, isExplained ? "Looking for the line ..." : "");
  return ({ says: words, lines = [] }) => {
    answer.textContent = words;
    if (!lines.length) return;
    const isForbidding = lines.some((line) => line.excludes);
    const list = make(article, "ol", { class: "lines" });
    for (const { number, text, place, excludes } of lines) {
      const item = make(list, "li");
      make(item, "button", { type: "button" }, `line ${number}`).onclick = () => goTo(number);
      item.append(" ");
      make(item, "code", {}, text);
      item.append(place ? ` at ${place}` : excludes || !isForbidding ? "" : " (what a line before uses)");
    }
  };
}
