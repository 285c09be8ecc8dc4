// A board as SVG: every hole is a button, for the mouse, a finger or the arrow keys.

import { Drawing, make } from "./drawing.js";

const SIGNS = {
  good: ["✓", "keeps it winnable"], bad: ["✕", "loses"], open: ["•", "can be reached"], loses: ["✕", "has losing jumps only"],
};

export class BoardView extends Drawing {
  /**
   * `choose(hole)` is called for a click or Enter; `targets(hole)` returns where a peg can jump; `lift(hole)` is called
   * when a peg that can jump is dragged, `drop(hole, to)` when a drag ends, over a hole or none (null).
   */
  constructor(parent, board, goal, actions) {
    const lastPegs = new Set(["exact", "partial"].includes(goal.kind) ? goal.pegs : []);
    super(parent, board, lastPegs, { role: "group", "aria-label": `Board ${board.title}` });
    this.lastPegs = lastPegs;
    Object.assign(this, actions);
    this.groups.forEach((group, hole) => {
      const [x, y] = board.places[hole];
      for (const [key, value] of Object.entries({ role: "button", tabindex: hole ? -1 : 0, "data-hole": hole })) {
        group.setAttribute(key, value);
      }
      make(group, "svg:circle", { class: "ring", cx: x, cy: y, r: 0.43 });
      make(group, "svg:circle", { class: "focus", cx: x, cy: y, r: 0.48 });
    });
    this.marks = board.places.map(([x, y]) => make(this.svg, "svg:text", { class: "mark", x, y: y + 0.18 })); // above all
    this.#hands();
    this.#keys();
  }

  /** Show pegs. `picked`: a hole; `winning`: holes to ring; `marks`: a map from holes to SIGNS; `last`, `hint`: jumps. */
  show(pegs, { picked = null, winning = new Set(), marks = new Map(), last = null, hint = null } = {}) {
    super.show(pegs, hint ?? last, null);
    this.groups.forEach((group, hole) => {
      const peg = pegs.has(hole);
      const mark = this.marks[hole];
      const [sign, says] = SIGNS[marks.get(hole)] ?? ["", ""];
      mark.textContent = sign;
      mark.setAttribute("class", `mark ${marks.get(hole) ?? ""}`);
      group.setAttribute("class", [
        picked === hole ? "picked" : "", winning.has(hole) ? "winning" : "", hint?.includes(hole) ? "hinted" : "",
      ].join(" "));
      group.setAttribute("aria-label", [
        this.board.holes[hole], peg ? "peg" : "vacancy", this.lastPegs.has(hole) ? "ends with a peg" : "", says,
        picked === hole ? "picked" : "", winning.has(hole) ? "has a winning jump" : "",
      ].filter(Boolean).join(", "));
      group.setAttribute("aria-pressed", picked === hole);
    });
  }

  /** A peg that was dropped goes on from there. */
  slide(jump, back = false) {
    super.slide(jump, back, this.dropPoint ?? undefined);
    this.dropPoint = null;
  }

  focus(hole) {
    for (const group of this.groups) group.setAttribute("tabindex", -1);
    this.groups[hole].setAttribute("tabindex", 0);
    this.groups[hole].focus({ preventScroll: true });
  }

  /** The pointer in the units of `places`. */
  #point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  #nearest([x, y]) {
    const far = this.board.places.map(([px, py]) => Math.hypot(px - x, py - y));
    const least = Math.min(...far);
    return least < 0.6 ? far.indexOf(least) : null;
  }

  /** A peg that is pressed and moved follows the mouse or finger; pressed and let go, it is chosen. */
  #hands() {
    let hand = null;
    const end = () => {
      hand.peg?.remove();
      this.groups[hand.hole].classList.remove("lifted");
      hand = null;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      const hole = event.isPrimary && event.button === 0 ? this.#nearest(this.#point(event)) : null;
      if (hole === null) return;
      event.preventDefault(); // no text is selected, and the focus stays
      hand = { hole, begin: this.#point(event), targets: this.targets(hole), peg: null };
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!hand?.targets.length) return;
      const [x, y] = this.#point(event);
      if (!hand.peg) {
        if (Math.hypot(x - hand.begin[0], y - hand.begin[1]) < 0.25) return;
        this.lift(hand.hole);
        this.groups[hand.hole].classList.add("lifted");
        hand.peg = make(this.svg, "svg:circle", { class: "peg moving held", r: 0.42 });
      }
      hand.peg.setAttribute("cx", x);
      hand.peg.setAttribute("cy", y);
    });
    this.svg.addEventListener("pointerup", (event) => {
      if (!hand) return;
      const { hole, peg } = hand, point = this.#point(event), target = this.#nearest(point);
      end();
      if (!peg && target === hole) {
        this.choose(hole);
        return;
      }
      this.dropPoint = peg ? point : null;
      this.drop(hole, target);
      this.dropPoint = null;
    });
    this.svg.addEventListener("pointercancel", () => { if (hand) end(); });
  }

  #keys() {
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
