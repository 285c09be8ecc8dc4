// A board as SVG: every hole is a button, for the mouse, a finger or the arrow keys.

import { Drawing } from "./drawing.js";

export class BoardView extends Drawing {
  /** `choose(hole)` is called for a click or Enter, `drag(from, to)` when a peg is dragged to another hole. */
  constructor(parent, board, goal, { choose, drag }) {
    super(parent, board, { role: "group", "aria-label": `Board ${board.title}` });
    this.wanted = new Set(["exact", "partial"].includes(goal.kind) ? goal.pegs : []);
    this.choose = choose;
    this.drag = drag;
    this.groups.forEach((group, hole) => {
      const [x, y] = board.places[hole];
      for (const [key, value] of Object.entries({ role: "button", tabindex: hole ? -1 : 0, "data-hole": hole })) {
        group.setAttribute(key, value);
      }
      if (this.wanted.has(hole)) this.add(group, "rect", { class: "wanted", x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92 });
      this.add(group, "circle", { class: "ring", cx: x, cy: y, r: 0.43 });
      this.add(group, "circle", { class: "focus", cx: x, cy: y, r: 0.48 });
    });
    this.marks = board.places.map(([x, y]) => this.add(this.svg, "text", { class: "mark", x, y: y + 0.18 })); // above all
    this.#listen();
  }

  /** Show pegs. `picked`: a hole; `winning`: holes to ring; `marks`: a map from holes to "good", "bad" or "open"; `last`, `hint`: jumps. */
  show(pegs, { picked = null, winning = new Set(), marks = new Map(), last = null, hint = null } = {}) {
    super.show(pegs, hint ?? last, null);
    const signs = { good: ["✓", "keeps it winnable"], bad: ["✕", "loses"], open: ["•", "can be reached"] };
    this.groups.forEach((group, hole) => {
      const peg = pegs.has(hole);
      const mark = this.marks[hole];
      const [sign, says] = signs[marks.get(hole)] ?? ["", ""];
      mark.textContent = sign;
      mark.setAttribute("class", `mark ${marks.get(hole) ?? ""}`);
      group.setAttribute("class", [
        picked === hole ? "picked" : "", winning.has(hole) ? "winning" : "", hint?.includes(hole) ? "hinted" : "",
      ].join(" "));
      group.setAttribute("aria-label", [
        this.board.holes[hole], peg ? "peg" : "vacancy", this.wanted.has(hole) ? "ends with a peg" : "", says,
        picked === hole ? "picked" : "", winning.has(hole) ? "has a winning jump" : "",
      ].filter(Boolean).join(", "));
      group.setAttribute("aria-pressed", picked === hole);
    });
  }

  focus(hole) {
    for (const group of this.groups) group.setAttribute("tabindex", -1);
    this.groups[hole].setAttribute("tabindex", 0);
    this.groups[hole].focus();
  }

  #listen() {
    const at = (event) => {
      const group = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-hole]");
      return group && this.svg.contains(group) ? Number(group.dataset.hole) : null;
    };
    let pressed = null;
    this.svg.addEventListener("pointerdown", (event) => { pressed = at(event); });
    this.svg.addEventListener("pointerup", (event) => {
      const hole = at(event);
      if (hole === null || pressed === null) return;
      if (hole === pressed) this.choose(hole);
      else this.drag(pressed, hole);
      pressed = null;
    });
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    this.svg.addEventListener("keydown", (event) => {
      const group = event.target.closest("[data-hole]");
      if (!group) return;
      const hole = Number(group.dataset.hole);
      if (event.key in ways) this.#step(hole, ...ways[event.key]);
      else if (event.key === "Enter" || event.key === " ") this.choose(hole);
      else return;
      event.preventDefault();
    });
  }

  /** The focus goes to the nearest hole in a direction. */
  #step(hole, dx, dy) {
    const [x, y] = this.board.places[hole];
    let best = null, least = Infinity;
    this.board.places.forEach(([px, py], other) => {
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      const far = along + 2 * aside;
      if (along > 0.1 && aside <= along + 0.1 && far < least) [best, least] = [other, far];
    });
    if (best !== null) this.focus(best);
  }
}
