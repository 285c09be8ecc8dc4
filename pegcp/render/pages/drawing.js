// An element made from text, never from markup: of HTML, or svg:NAME.
function make(parent, name, attributes = {}, text = null) {
  const svg = name.startsWith("svg:");
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  parent.append(node);
  return node;
}

// A board as SVG: its lines, the letters and numbers beside it, its holes, and the way of a jump. The pages that draw
// boards share it: `board` has places, lines, holes (their names) and signs (x, y, text; none on graphs). The holes of
// the last pegs have corners.
class Drawing {
  constructor(place, board, lastPegs, attributes) {
    this.board = board;
    const points = [...board.places, ...board.signs];
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const left = Math.min(...xs) - 0.7, top = Math.min(...ys) - 0.7;
    const box = [left, top, Math.max(...xs) - left + 0.7, Math.max(...ys) - top + 0.7];
    place.replaceChildren();
    this.svg = make(place, "svg:svg", { viewBox: box.join(" "), ...attributes });
    for (const line of board.lines) {
      make(this.svg, "svg:polyline", { class: "line", points: line.map((hole) => board.places[hole].join(",")).join(" ") });
    }
    for (const [x, y, text] of board.signs) make(this.svg, "svg:text", { class: "sign", x, y: y + 0.11, "font-size": 0.32 }, text);
    this.way = make(this.svg, "svg:path", { class: "way" }); // below the pegs
    this.groups = board.holes.map((name, hole) => this.#hole(name, hole));
    for (const hole of lastPegs) {
      const [x, y] = board.places[hole];
      make(this.groups[hole], "svg:rect", { class: "wanted", x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92 });
    }
  }

  #hole(name, hole) {
    const [x, y] = this.board.places[hole];
    const group = make(this.svg, "svg:g", {});
    make(make(group, "svg:circle", { cx: x, cy: y }), "svg:title", {}, name);
    if (!this.board.signs.length) {
      const size = Math.min(0.32, 0.9 / name.length);
      make(group, "svg:text", { class: "sign name", x, y: y + 0.36 * size, "font-size": size }, name);
    }
    return group;
  }

  /** The jump that led here, or that was taken back: its peg slides, perhaps from where a hand let it go, the other fades. */
  slide([from, over, to], back = false, start = this.board.places[back ? to : from]) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [x, y] = this.board.places[back ? from : to];
    const landing = this.groups[back ? from : to].querySelector("circle");
    const peg = this.#moving(x, y), captured = this.#moving(...this.board.places[over]);
    const shift = ([px, py]) => ({ transform: `translate(${px - x}px, ${py - y}px)` });
    const timing = { duration: 260, easing: "ease-in-out", fill: "both" };
    landing.style.visibility = "hidden";
    captured.animate([{ opacity: back ? 0 : 1 }, { opacity: back ? 1 : 0 }], timing);
    this.sliding = peg.animate([shift(start), shift(this.board.places[over]), shift([x, y])], timing);
    this.sliding.onfinish = () => {
      landing.style.visibility = "";
      peg.remove();
      captured.remove();
    };
  }

  #moving(cx, cy) {
    return make(this.svg, "svg:circle", { class: "peg moving", cx, cy, r: 0.38 });
  }

  /** Show the pegs, a set of holes; `jump` (from, over, to, or null) is drawn as a way, and with `last` as made. */
  show(pegs, jump, last = jump) {
    this.sliding?.finish();
    this.groups.forEach((group, hole) => {
      const circle = group.querySelector("circle");
      circle.setAttribute("r", pegs.has(hole) ? 0.38 : this.board.signs.length ? 0.16 : 0.3);
      circle.setAttribute("class", (pegs.has(hole) ? "peg" : "hole") + (last?.[2] === hole ? " last" : ""));
    });
    this.way.setAttribute("d", jump ? `M${jump.map((hole) => this.board.places[hole].join(" ")).join("L")}` : "");
  }
}
