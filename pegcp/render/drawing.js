// A board as SVG: its lines, the letters and numbers beside it, its holes, and the way of a jump. The pages that draw
// boards share it: `board` has places, lines, holes (their names) and signs (x, y, text; none on graphs).
class Drawing {
  constructor(place, board, attributes) {
    this.board = board;
    const drawn = [...board.places, ...board.signs];
    const xs = drawn.map((p) => p[0]), ys = drawn.map((p) => p[1]);
    const left = Math.min(...xs) - 0.7, top = Math.min(...ys) - 0.7;
    const box = [left, top, Math.max(...xs) - left + 0.7, Math.max(...ys) - top + 0.7];
    place.replaceChildren();
    this.svg = this.add(place, "svg", { viewBox: box.join(" "), ...attributes });
    for (const line of board.lines) {
      this.add(this.svg, "polyline", { class: "line", points: line.map((hole) => board.places[hole].join(",")).join(" ") });
    }
    for (const [x, y, text] of board.signs) this.add(this.svg, "text", { class: "sign", x, y: y + 0.11, "font-size": 0.32 }, text);
    this.groups = board.holes.map((name, hole) => this.#hole(name, hole));
    this.ways = ["halo way", "way"].map((name) => this.add(this.svg, "path", { class: name }));
  }

  add(parent, name, attributes, text = null) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== null) node.textContent = text;
    parent.append(node);
    return node;
  }

  #hole(name, hole) {
    const [x, y] = this.board.places[hole];
    const group = this.add(this.svg, "g", {});
    this.add(this.add(group, "circle", { cx: x, cy: y }), "title", {}, name);
    if (!this.board.signs.length) {
      const size = Math.min(0.32, 0.9 / name.length);
      this.add(group, "text", { class: "sign name", x, y: y + 0.36 * size, "font-size": size }, name);
    }
    return group;
  }

  /** Show the pegs, a set of holes; `jump` (from, over, to, or null) is drawn as a way, and with `last` as made. */
  show(pegs, jump, last = jump) {
    this.groups.forEach((group, hole) => {
      const circle = group.querySelector("circle");
      circle.setAttribute("r", pegs.has(hole) ? 0.38 : this.board.signs.length ? 0.16 : 0.3);
      circle.setAttribute("class", (pegs.has(hole) ? "peg" : "hole") + (last?.[2] === hole ? " last" : ""));
    });
    const way = jump ? `M${jump.map((hole) => this.board.places[hole].join(" ")).join("L")}` : "";
    for (const path of this.ways) path.setAttribute("d", way);
  }
}
