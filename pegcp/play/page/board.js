// A board as SVG: every hole is a button, for the mouse, a finger or the arrow keys.

const SVG = "http://www.w3.org/2000/svg";

function make(parent, name, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  parent.append(node);
  return node;
}

export class BoardView {
  /** `choose(hole)` is called for a click or Enter, `drag(from, to)` when a peg is dragged to another hole. */
  constructor(parent, board, { choose, drag }) {
    this.board = board;
    this.choose = choose;
    this.drag = drag;
    const marks = board.coordinates;
    const xs = [...board.places.map((p) => p[0]), ...marks.map((m) => m[0])];
    const ys = [...board.places.map((p) => p[1]), ...marks.map((m) => m[1])];
    const [left, top] = [Math.min(...xs) - 0.55, Math.min(...ys) - 0.55];
    const box = [left, top, Math.max(...xs) - left + 0.55, Math.max(...ys) - top + 0.55];
    parent.replaceChildren();
    this.svg = make(parent, "svg", { viewBox: box.join(" "), role: "group", "aria-label": `Board ${board.title}` });
    for (const line of board.lines) {
      make(this.svg, "polyline", { class: "line", points: line.map((hole) => board.places[hole].join(",")).join(" ") });
    }
    for (const [x, y, text] of marks) make(this.svg, "text", { class: "coordinate", x, y: y + 0.11, "aria-hidden": true }, text);
    this.holes = board.holes.map((name, hole) => this.#hole(name, hole));
    this.way = make(this.svg, "path", { class: "way" });
    this.#listen();
  }

  #hole(name, hole) {
    const [x, y] = this.board.places[hole];
    const group = make(this.svg, "g", { role: "button", tabindex: hole ? -1 : 0, "data-hole": hole });
    make(group, "circle", { class: "focus", cx: x, cy: y, r: 0.48 });
    make(group, "circle", { cx: x, cy: y });
    if (this.board.named) make(group, "text", { class: "name", x, y: y + 0.1 }, name);
    make(group, "circle", { class: "ring", cx: x, cy: y, r: 0.43 });
    make(group, "text", { class: "mark", x, y: y + 0.18 });
    return group;
  }

  /** Show pegs. `picked`: a hole; `winning`: holes to ring; `marks`: a map from holes to "good", "bad" or "open"; `last`, `hint`: jumps. */
  show(pegs, { picked = null, winning = new Set(), marks = new Map(), last = null, hint = null } = {}) {
    const signs = { good: ["✓", "keeps it winnable"], bad: ["✕", "loses"], open: ["•", "can be reached"] };
    this.holes.forEach((group, hole) => {
      const [, spot] = group.children;
      const peg = pegs.has(hole);
      const mark = group.querySelector(".mark");
      const [sign, says] = signs[marks.get(hole)] ?? ["", ""];
      spot.setAttribute("class", peg ? "peg" : "spot");
      spot.setAttribute("r", peg ? 0.38 : this.board.named ? 0.34 : 0.15);
      mark.textContent = sign;
      mark.setAttribute("class", `mark ${marks.get(hole) ?? ""}`);
      group.setAttribute("class", [
        picked === hole ? "picked" : "", winning.has(hole) ? "winning" : "", hint?.includes(hole) ? "hinted" : "",
      ].join(" "));
      group.setAttribute("aria-label", [
        this.board.holes[hole], peg ? "peg" : "vacancy", says,
        picked === hole ? "picked" : "", winning.has(hole) ? "has a winning jump" : "",
      ].filter(Boolean).join(", "));
      group.setAttribute("aria-pressed", picked === hole);
    });
    const way = hint ?? last;
    this.way.setAttribute("d", way ? `M${way.map((hole) => this.board.places[hole].join(" ")).join("L")}` : "");
  }

  focus(hole) {
    for (const group of this.holes) group.setAttribute("tabindex", -1);
    this.holes[hole].setAttribute("tabindex", 0);
    this.holes[hole].focus();
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
