// Plots, drawn as wide as there is room, so that their text keeps its size. Series differ in colour, dashes and marks.
const plots = (() => {
  const COLOURS = ["#3b7dd8", "#d9480f", "#2b8a3e", "#ae3ec9", "#b8860b", "#0c8599", "#e03177", "#787f87"];
  const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
  const CHARACTER = 7.2, LINE = 20, TOP = 12, BOTTOM = 44, RIGHT = 14; // pixels
  const MOST_MARKS = 60; // of a line; more would hide it

  const colour = (index) => COLOURS[index % COLOURS.length];
  const formatFigure = (value) =>
    new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: value >= 1e5 ? "compact" : "standard" }).format(value);
  const shorten = (text, width) => {
    const most = Math.max(6, Math.floor(width / CHARACTER));
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  };
  const label = (parent, x, y, text, anchor = "start", more = {}) =>
    make(parent, "svg:text", { x, y, "text-anchor": anchor, ...more }, text);
  const line = (parent, x1, y1, x2, y2, more = {}) =>
    make(parent, "svg:line", { x1, y1, x2, y2, stroke: "currentColor", ...more });

  // The least and the greatest figure; there may be more of them than a call takes arguments
  const extent = (values) =>
    values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

  // Maps figures to places between two ends, by logarithm or, without a least figure, as counts; with as many round ticks as there is room for
  function axis(values, begin, end, least) {
    const log = least > 0;
    const by = log ? (value) => Math.log10(Math.max(value, least)) : (value) => value;
    let [low, high] = extent(values.map(by));
    const margin = log ? Math.max(0.05 * (high - low), 0.08) : 0;
    [low, high] = [low - margin, high + margin];
    if (high === low) high = low + 1;
    const place = (value) => begin + (end - begin) * (by(value) - low) / (high - low);
    const room = Math.max(2, Math.floor(Math.abs(end - begin) / (begin < end ? 58 : 30)));
    const inside = (candidates) => candidates.filter((value) => value >= least && by(value) >= low - 1e-9 && by(value) <= high + 1e-9);
    let ticks = [];
    if (log) {
      for (const sizes of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]]) {
        const finer = [];
        for (let power = Math.floor(low); power <= high; power++) {
          for (const size of sizes) finer.push(Number(`${size}e${power}`));
        }
        if (inside(finer).length <= room || ticks.length === 0) ticks = inside(finer);
      }
      while (ticks.length > room) ticks = ticks.filter((_, index) => index % 2 === 0);
    } else {
      let step = Math.max(1, 10 ** Math.floor(Math.log10((high - low) / room)));
      step = [1, 2, 5, 10, 20].map((size) => size * step).find((size) => (high - low) / size <= room) ?? 50 * step;
      for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) ticks.push(Number(value.toPrecision(12)));
    }
    return { place, ticks };
  }

  function mark(parent, kind, x, y, size, more) {
    const s = size;
    const shapes = [
      `M${x - s},${y}a${s},${s} 0 1,0 ${2 * s},0a${s},${s} 0 1,0 ${-2 * s},0z`,
      `M${x - s},${y - s}h${2 * s}v${2 * s}h${-2 * s}z`,
      `M${x},${y - 1.2 * s}l${1.2 * s},${2 * s}h${-2.4 * s}z`,
      `M${x},${y - 1.3 * s}l${1.3 * s},${1.3 * s}l${-1.3 * s},${1.3 * s}l${-1.3 * s},${-1.3 * s}z`,
    ];
    return make(parent, "svg:path", { d: shapes[kind % shapes.length], ...more });
  }

  // The height that the names of series need below a plot, and how to write them
  function legend(names, width) {
    const longest = Math.max(...names.map((name) => name.length)) * CHARACTER + 56;
    const columns = Math.max(1, Math.floor(width / longest));
    return {
      height: Math.ceil(names.length / columns) * LINE + 6,
      draw(svg, top, series) {
        names.forEach((name, index) => {
          const x = 8 + (index % columns) * (width / columns), y = top + LINE * Math.floor(index / columns) + 14;
          line(svg, x, y - 4, x + 30, y - 4, stroke(series[index]));
          mark(svg, series[index], x + 15, y - 4, 3.5, { fill: colour(series[index]) });
          label(svg, x + 38, y, shorten(name, width / columns - 42));
        });
      },
    };
  }
  const stroke = (index) => ({
    stroke: colour(index), "stroke-width": 2, "stroke-dasharray": DASHES[index % DASHES.length], fill: "none",
  });

  // An empty drawing in a section, with the names of its series below and a note; nothing if there is nothing to draw
  function sheet(section, words, note, { names = [], series = [], some = series.length }) {
    const place = section.querySelector(".drawing");
    place.replaceChildren();
    section.hidden = !some;
    if (!some) return null;
    const width = Math.max(240, place.clientWidth);
    const below = names.length ? legend(names, width) : { height: 0, draw() {} };
    const height = Math.min(440, Math.max(260, width * 0.6)) + below.height;
    const svg = make(place, "svg:svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words,
      "font-size": 13, "font-family": "system-ui, sans-serif", fill: "currentColor",
    });
    below.draw(svg, height - below.height, series);
    section.querySelector(".note").textContent = note;
    return { svg, right: width - RIGHT, bottom: height - below.height - BOTTOM };
  }

  // The axes of a sheet: figures, the least of them on an axis by logarithm, a title; beyond them a lane may be left free
  function axes({ svg, right, bottom }, horizontal, vertical, lane = 0) {
    const y = axis(vertical.values, bottom, TOP + lane, vertical.least ?? 0);
    const left = 26 + CHARACTER * Math.max(...y.ticks.map((tick) => formatFigure(tick).length), 1);
    const x = axis(horizontal.values, left, right - lane, horizontal.least ?? 0);
    for (const tick of y.ticks) {
      line(svg, left, y.place(tick), right, y.place(tick), { "stroke-opacity": 0.15 });
      label(svg, left - 6, y.place(tick) + 4, formatFigure(tick), "end");
    }
    line(svg, left, TOP, left, bottom);
    const middle = (TOP + bottom) / 2;
    label(svg, 13, middle, shorten(vertical.title, bottom - TOP), "middle", { transform: `rotate(-90 13 ${middle})` });
    for (const tick of x.ticks) {
      line(svg, x.place(tick), TOP, x.place(tick), bottom, { "stroke-opacity": 0.15 });
      label(svg, x.place(tick), bottom + 16, formatFigure(tick), "middle");
    }
    line(svg, left, bottom, right, bottom);
    label(svg, (left + right) / 2, bottom + 36, shorten(horizontal.title, right - left), "middle");
    return { x: x.place, y: y.place, left };
  }

  // How many instances each method settles with how much
  function cactus(section, state) {
    const series = state.methods
      .map((method) => ({
        method,
        costs: state.runs.filter((run) => run.method === method && run.settled && state.cost(run) !== null)
          .map(state.cost).sort((a, b) => a - b),
      }))
      .filter((curve) => curve.costs.length);
    const names = series.map((curve) => `${data.methods[curve.method]} (${curve.costs.length})`);
    const paper = sheet(section, `Instances settled over ${state.title}: ${names.join(", ")}`,
      "Each line rises from the easiest instance of a method to its hardest; lower and longer is better.",
      { names, series: series.map((curve) => curve.method) });
    if (!paper) return;
    const { x, y } = axes(paper, { values: [0, ...series.map((curve) => curve.costs.length)], title: "instances settled" },
      { values: series.flatMap((curve) => curve.costs), least: state.least, title: state.title });
    for (const { method, costs } of series) {
      const group = make(paper.svg, "svg:g");
      make(group, "svg:title", {}, `${data.methods[method]}: ${costs.length}`);
      const points = costs.map((value, index) => [x(index + 1), y(value)]);
      make(group, "svg:polyline", { points: points.join(" "), ...stroke(method) });
      const dots = points.length <= MOST_MARKS ? points : points.slice(-1);
      for (const [px, py] of dots) mark(group, method, px, py, 3.5, { fill: colour(method), class: "point" });
    }
  }

  // Two methods on the instances that both took; what is not settled lies on the outer lanes
  function scatter(section, state, first, second) {
    const runsOf = (method) => new Map(state.runs.filter((run) => run.method === method && run.counts)
      .map((run) => [`${run.problem} ${run.seed}`, run]));
    const others = runsOf(second);
    const pairs = [...runsOf(first)].filter(([key]) => others.has(key)).map(([key, run]) => [run, others.get(key)]);
    const value = (run) => (run.settled ? state.cost(run) : null);
    const values = pairs.flat().map(value).filter((cost) => cost !== null);
    const [a, b] = [data.methods[first], data.methods[second]];
    const paper = sheet(section, `${a} against ${b}, ${pairs.length} instances`,
      `By ${state.title}. Below the dashed line ${b} took less; the outer lanes hold runs that are not settled.`,
      { some: state.methods.length > 1 });
    if (!paper) return;
    const lane = 18, { svg, right, bottom } = paper, least = state.least;
    if (!pairs.length) { label(svg, right / 2, bottom / 2, "no instance that both ran", "middle"); return; }
    const { x, y, left } = axes(paper, { values: values.length ? values : [1], least, title: a },
      { values: values.length ? values : [1], least, title: b }, lane);
    line(svg, left, bottom, right - lane, TOP + lane, { "stroke-dasharray": "4 4", "stroke-opacity": 0.5 });
    line(svg, left, TOP + lane, right, TOP + lane, { "stroke-opacity": 0.5 });
    line(svg, right - lane, TOP, right - lane, bottom, { "stroke-opacity": 0.5 });
    for (const [run, other] of pairs) {
      const [v, w] = [value(run), value(other)];
      const circle = mark(svg, 0, v === null ? right - lane / 2 : x(v), w === null ? TOP + lane / 2 : y(w), 4,
        { fill: "none", stroke: COLOURS[0], "stroke-width": 1.5, class: "point" });
      make(circle, "svg:title", {}, `${data.problems[run.problem].name}, seed ${run.seed ?? 0}`);
    }
  }

  // What share of its runs on one problem each method settles with how much, over the seeds
  function spread(section, state, problem) {
    const series = state.methods
      .map((method) => {
        const runs = state.runs.filter((run) => run.problem === problem && run.method === method && run.counts);
        const costs = runs.filter((run) => run.settled).map(state.cost).filter((cost) => cost !== null).sort((a, b) => a - b);
        return { method, costs, all: runs.length };
      })
      .filter((curve) => curve.costs.length);
    const names = series.map((curve) => `${data.methods[curve.method]} (${curve.costs.length} of ${curve.all})`);
    const paper = sheet(section, `Runs settled over ${state.title}: ${names.join(", ")}`,
      `${data.problems[problem]?.name}. Each step is a seed. A line that rises far to the right has a heavy tail; one that ends below 100 % has runs that were stopped.`,
      { names, series: series.map((curve) => curve.method) });
    if (!paper) return;
    const { x, y } = axes(paper, { values: series.flatMap((curve) => curve.costs), least: state.least, title: state.title },
      { values: [0, 100], title: "% of runs settled" });
    for (const { method, costs, all } of series) {
      let path = "";
      costs.forEach((value, index) => {
        const [px, from, to] = [x(value), y(100 * index / all), y(100 * (index + 1) / all)];
        path += `${index ? `H${px}` : `M${px},${from}`}V${to}`;
        mark(paper.svg, method, px, to, 3, { fill: colour(method), class: "point" });
      });
      make(paper.svg, "svg:path", { d: `${path}H${paper.right}`, ...stroke(method) });
    }
  }

  // The cost of a family of problems by size
  function growth(section, state, methods) {
    const series = (methods ?? []).map((growth) => ({ ...growth, number: data.methods.indexOf(growth.method) }))
      .filter(({ number, points }) => state.methods.includes(number) && points.length);
    const names = series.map(({ method, stops }) => method + (stops === null ? "" : ` (stops at ${stops})`));
    const paper = sheet(section, `Growth of ${state.title}: ${names.join(", ")}`,
      "Median cost of each size that the method settles; the line ends where it stops.",
      { names, series: series.map(({ number }) => number) });
    if (!paper) return;
    const points = series.flatMap((growth) => growth.points);
    const { x, y } = axes(paper, { values: points.map(([size]) => size), title: "jumps of a solution" },
      { values: points.map(([, cost]) => cost), least: state.least, title: state.title });
    for (const { number, points: costs, stops } of series) {
      for (const [size, cost] of costs) mark(paper.svg, number, x(size), y(cost), 4, { fill: colour(number), class: "point" });
      const until = costs.filter(([size]) => stops === null || size < stops);
      make(paper.svg, "svg:polyline", { points: until.map(([size, cost]) => `${x(size)},${y(cost)}`).join(" "), ...stroke(number) });
    }
  }

  // Solutions and bounds as they came
  function bounds(section, state, problem) {
    const runs = state.runs.filter((run) => run.problem === problem && run.trace);
    const reports = runs.flatMap((run) => run.trace);
    const values = reports.flatMap(([, objective, bound]) => [objective, bound]).filter((figure) => figure !== null);
    const series = [...new Set(runs.map((run) => run.method))];
    const names = series.map((method) => data.methods[method]);
    const paper = sheet(section, `Bound over time: ${names.join(", ")}`,
      `${data.problems[problem]?.name}. Thick: the best solution so far; thin: the bound.`,
      { names, series, some: values.length });
    if (!paper) return;
    const { x, y } = axes(paper, { values: reports.map(([seconds]) => seconds), least: 0.01, title: "wall seconds" },
      { values, title: data.problems[problem].objective ?? "objective" });
    for (const run of runs) {
      for (const [column, more] of [[1, { "stroke-width": 2.5 }], [2, { "stroke-width": 1.2 }]]) {
        const points = run.trace.filter((point) => point[column] !== null);
        let path = "";
        points.forEach((point, index) => {
          const [px, py] = [x(point[0]), y(point[column])];
          path += index ? `H${px}V${py}` : `M${px},${py}`;
          mark(paper.svg, run.method, px, py, column === 1 ? 3.5 : 2, { fill: colour(run.method), class: "point" });
        });
        if (points.length) path += `H${x(run.trace.at(-1)[0])}`;
        make(paper.svg, "svg:path", { d: path, ...stroke(run.method), ...more });
      }
    }
  }

  return { cactus, scatter, spread, growth, bounds };
})();
