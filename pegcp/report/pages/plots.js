// Plots, drawn as wide as there is room, so that their text keeps its size. Series differ in colour, dashes and marks.
const plots = (() => {
  const COLOURS = ["#3b7dd8", "#d9480f", "#2b8a3e", "#ae3ec9", "#b8860b", "#0c8599", "#e03177", "#787f87"];
  const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
  const CHARACTER = 7.2, LINE = 20, TOP = 12, BOTTOM = 44, RIGHT = 14; // pixels
  const MOST_MARKS = 60; // of a line; more would hide it

  const colour = (index) => COLOURS[index % COLOURS.length];
  const written = (value) =>
    new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: value >= 1e5 ? "compact" : "standard" }).format(value);
  const shortened = (text, width) => {
    const most = Math.max(6, Math.floor(width / CHARACTER));
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  };
  const label = (parent, x, y, text, anchor = "start", more = {}) =>
    make(parent, "svg:text", { x, y, "text-anchor": anchor, ...more }, text);
  const line = (parent, x1, y1, x2, y2, more = {}) =>
    make(parent, "svg:line", { x1, y1, x2, y2, stroke: "currentColor", ...more });

  // An empty drawing in a section, or nothing if there is nothing to draw
  function sheet(section, height, words, some) {
    const place = section.querySelector(".drawing");
    place.replaceChildren();
    section.hidden = !some;
    if (!some) return [null, 0];
    const width = Math.max(240, place.clientWidth);
    const svg = make(place, "svg:svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words,
      "font-size": 13, "font-family": "system-ui, sans-serif", fill: "currentColor",
    });
    return [svg, width];
  }
  const note = (section, text) => { section.querySelector(".note").textContent = text; };

  // Maps figures to places between two ends, by logarithm or, without a least figure, as counts; with as many round ticks as there is room for
  function axis(values, begin, end, least) {
    const log = least > 0;
    const by = log ? (value) => Math.log10(Math.max(value, least)) : (value) => value;
    let low = Math.min(...values.map(by)), high = Math.max(...values.map(by));
    const margin = log ? Math.max(0.05 * (high - low), 0.08) : 0;
    [low, high] = [low - margin, high + margin];
    if (high === low) high = low + 1;
    const place = (value) => begin + (end - begin) * (by(value) - low) / (high - low);
    const room = Math.max(2, Math.floor(Math.abs(end - begin) / (begin < end ? 58 : 30)));
    const inside = (found) => found.filter((value) => value >= least && by(value) >= low - 1e-9 && by(value) <= high + 1e-9);
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
  function across(svg, scale, left, right, top, bottom, title) {
    for (const tick of scale.ticks) {
      const x = scale.place(tick);
      line(svg, x, top, x, bottom, { "stroke-opacity": 0.15 });
      label(svg, x, bottom + 16, written(tick), "middle");
    }
    line(svg, left, bottom, right, bottom);
    label(svg, (left + right) / 2, bottom + 36, title, "middle");
  }
  function up(svg, scale, left, right, top, bottom, title) {
    for (const tick of scale.ticks) {
      const y = scale.place(tick);
      line(svg, left, y, right, y, { "stroke-opacity": 0.15 });
      label(svg, left - 6, y + 4, written(tick), "end");
    }
    line(svg, left, top, left, bottom);
    label(svg, 13, (top + bottom) / 2, title, "middle", { transform: `rotate(-90 13 ${(top + bottom) / 2})` });
  }
  const margin = (scale) => 26 + CHARACTER * Math.max(...scale.ticks.map((tick) => written(tick).length), 1);

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
          label(svg, x + 38, y, shortened(name, width / columns - 42));
        });
      },
    };
  }
  const stroke = (index) => ({
    stroke: colour(index), "stroke-width": 2, "stroke-dasharray": DASHES[index % DASHES.length], fill: "none",
  });
  const full = (width) => Math.min(440, Math.max(260, width * 0.6));

  // How many instances each method settles with how much
  function cactus(section, state) {
    const series = state.methods
      .map((method) => ({
        method,
        taken: state.runs.filter((run) => run.method === method && run.settled && state.taken(run) !== null)
          .map(state.taken).sort((a, b) => a - b),
      }))
      .filter((one) => one.taken.length);
    const names = series.map((one) => `${data.methods[one.method]} (${one.taken.length})`);
    const room = section.querySelector(".drawing").clientWidth;
    const below = series.length ? legend(names, Math.max(240, room)) : { height: 0 };
    const height = full(room) + below.height;
    const [svg, width] = sheet(section, height, `Instances settled over ${state.title}: ${names.join(", ")}`, series.length);
    if (!svg) return;
    const bottom = height - below.height - BOTTOM;
    const scale = axis(series.flatMap((one) => one.taken), bottom, TOP, state.least);
    const left = margin(scale);
    const most = axis([0, ...series.map((one) => one.taken.length)], left, width - RIGHT, 0);
    up(svg, scale, left, width - RIGHT, TOP, bottom, state.title);
    across(svg, most, left, width - RIGHT, TOP, bottom, "instances settled");
    for (const { method, taken } of series) {
      const group = make(svg, "svg:g");
      make(group, "svg:title", {}, `${data.methods[method]}: ${taken.length}`);
      const points = taken.map((value, index) => [most.place(index + 1), scale.place(value)]);
      make(group, "svg:polyline", { points: points.join(" "), ...stroke(method) });
      const marked = points.length <= MOST_MARKS ? points : points.slice(-1);
      for (const [x, y] of marked) mark(group, method, x, y, 3.5, { fill: colour(method), class: "point" });
    }
    below.draw(svg, height - below.height, series.map((one) => one.method));
    note(section, "Each line rises from what a method found easiest to what was hardest for it; lower and longer is better.");
  }

  // Two methods on the instances that both took; what is not settled lies on the outer lanes
  function scatter(section, state, first, second) {
    const of = (method) => new Map(state.runs.filter((run) => run.method === method && run.counts)
      .map((run) => [`${run.problem} ${run.seed}`, run]));
    const others = of(second);
    const pairs = [...of(first)].filter(([key]) => others.has(key)).map(([key, run]) => [run, others.get(key)]);
    const value = (run) => (run.settled ? state.taken(run) : null);
    const values = pairs.flat().map(value).filter((one) => one !== null);
    const room = section.querySelector(".drawing").clientWidth;
    const height = full(room);
    const [a, b] = [data.methods[first], data.methods[second]];
    const [svg, width] = sheet(section, height, `${a} against ${b}, ${pairs.length} instances`, state.methods.length > 1);
    if (!svg) return;
    if (!pairs.length) { label(svg, width / 2, height / 2, "no instance that both took", "middle"); return; }
    const lane = 18, bottom = height - BOTTOM;
    const y = axis(values.length ? values : [1], bottom, TOP + lane, state.least);
    const left = margin(y), right = width - RIGHT;
    const x = axis(values.length ? values : [1], left, right - lane, state.least);
    up(svg, y, left, right, TOP, bottom, shortened(b, bottom - TOP));
    across(svg, x, left, right, TOP, bottom, shortened(a, right - left));
    line(svg, left, bottom, right - lane, TOP + lane, { "stroke-dasharray": "4 4", "stroke-opacity": 0.5 });
    line(svg, left, TOP + lane, right, TOP + lane, { "stroke-opacity": 0.5 });
    line(svg, right - lane, TOP, right - lane, bottom, { "stroke-opacity": 0.5 });
    for (const [one, other] of pairs) {
      const [v, w] = [value(one), value(other)];
      const circle = mark(svg, 0, v === null ? right - lane / 2 : x.place(v), w === null ? TOP + lane / 2 : y.place(w), 4,
        { fill: "none", stroke: COLOURS[0], "stroke-width": 1.5, class: "point" });
      make(circle, "svg:title", {}, `${data.problems[one.problem].name}, seed ${one.seed ?? 0}`);
    }
    note(section, `By ${state.title}. Below the dashed line ${b} took less; the outer lanes hold what was not settled.`);
  }

  // What share of its runs on one problem each method settles with how much, over the seeds
  function spread(section, state, problem) {
    const series = state.methods
      .map((method) => {
        const runs = state.runs.filter((run) => run.problem === problem && run.method === method && run.counts);
        const taken = runs.filter((run) => run.settled).map(state.taken).filter((one) => one !== null).sort((a, b) => a - b);
        return { method, taken, all: runs.length };
      })
      .filter((one) => one.taken.length);
    const names = series.map((one) => `${data.methods[one.method]} (${one.taken.length} of ${one.all})`);
    const room = section.querySelector(".drawing").clientWidth;
    const below = series.length ? legend(names, Math.max(240, room)) : { height: 0 };
    const height = full(room) + below.height;
    const [svg, width] = sheet(section, height, `Runs settled over ${state.title}: ${names.join(", ")}`, series.length);
    if (!svg) return;
    const bottom = height - below.height - BOTTOM;
    const y = axis([0, 100], bottom, TOP, 0);
    const left = margin(y), right = width - RIGHT;
    const x = axis(series.flatMap((one) => one.taken), left, right, state.least);
    up(svg, y, left, right, TOP, bottom, "% of runs settled");
    across(svg, x, left, right, TOP, bottom, state.title);
    for (const { method, taken, all } of series) {
      let path = "";
      taken.forEach((value, index) => {
        const [px, from, to] = [x.place(value), y.place(100 * index / all), y.place(100 * (index + 1) / all)];
        path += `${index ? `H${px}` : `M${px},${from}`}V${to}`;
        mark(svg, method, px, to, 3, { fill: colour(method), class: "point" });
      });
      make(svg, "svg:path", { d: `${path}H${right}`, ...stroke(method) });
    }
    below.draw(svg, height - below.height, series.map((one) => one.method));
    note(section, "Each step is a seed; a line that rises far to the right has a heavy tail, one that ends below 100 % runs that were stopped.");
  }

  // What a family of problems takes by size, with both laws
  function growth(section, state, found) {
    const series = (found ?? []).map((one) => ({ ...one, number: data.methods.indexOf(one.method) }))
      .filter((one) => state.methods.includes(one.number) && one.points.length);
    const names = series.map((one) => one.method + (one.stops === null ? "" : ` (stops at ${one.stops})`));
    const room = section.querySelector(".drawing").clientWidth;
    const below = series.length ? legend(names, Math.max(240, room)) : { height: 0 };
    const height = full(room) + below.height;
    const [svg, width] = sheet(section, height, `Growth of ${state.title}: ${names.join(", ")}`, series.length);
    if (!svg) return;
    const bottom = height - below.height - BOTTOM;
    const points = series.flatMap((one) => one.points);
    const y = axis(points.map(([, cost]) => cost), bottom, TOP, state.least);
    const left = margin(y), right = width - RIGHT;
    const x = axis(points.map(([size]) => size), left, right, 0);
    up(svg, y, left, right, TOP, bottom, state.title);
    across(svg, x, left, right, TOP, bottom, "jumps of a solution");
    for (const { number, points: of, laws } of series) {
      for (const [size, cost] of of) mark(svg, number, x.place(size), y.place(cost), 4, { fill: colour(number), class: "point" });
      const [first, last] = [of[0][0], of[of.length - 1][0]];
      const best = Math.max(...laws.map((law) => law.explains));
      for (const law of laws) {
        const at = (size) => law.factor * (law.name === "power" ? size ** law.base : law.base ** size);
        const drawn = [];
        for (let step = 0; step <= 40; step++) {
          const size = first + (last - first) * step / 40;
          drawn.push(`${x.place(size)},${Math.min(bottom, Math.max(TOP, y.place(at(size))))}`);
        }
        const line = make(svg, "svg:polyline", {
          points: drawn.join(" "), ...stroke(number), "stroke-width": law.explains === best ? 2.2 : 1, "stroke-opacity": law.explains === best ? 1 : 0.6,
        });
        make(line, "svg:title", {}, `${data.methods[number]}, ${law.name}: ${written(law.base)}`);
      }
    }
    below.draw(svg, height - below.height, series.map((one) => one.number));
    note(section, "Marks: medians of what each size takes; lines: the power law and the exponential fitted to them, the better one thick.");
  }

  // Solutions and bounds as they came
  function bounds(section, state, problem) {
    const runs = state.runs.filter((run) => run.problem === problem && run.trace);
    const points = runs.flatMap((run) => run.trace);
    const values = points.flatMap(([, objective, bound]) => [objective, bound]).filter((one) => one !== null);
    const named = [...new Set(runs.map((run) => run.method))];
    const names = named.map((method) => data.methods[method]);
    const room = section.querySelector(".drawing").clientWidth;
    const below = runs.length ? legend(names, Math.max(240, room)) : { height: 0 };
    const height = full(room) + below.height;
    const [svg, width] = sheet(section, height, `Bound over time: ${names.join(", ")}`, values.length);
    if (!svg) return;
    const bottom = height - below.height - BOTTOM;
    const y = axis(values, bottom, TOP, 0);
    const left = margin(y), right = width - RIGHT;
    const x = axis(points.map(([seconds]) => seconds), left, right, 0.01);
    up(svg, y, left, right, TOP, bottom, data.problems[problem].objective ?? "objective");
    across(svg, x, left, right, TOP, bottom, "wall seconds");
    for (const run of runs) {
      for (const [column, more] of [[1, { "stroke-width": 2.5 }], [2, { "stroke-width": 1.2 }]]) {
        const told = run.trace.filter((point) => point[column] !== null);
        let path = "";
        told.forEach((point, index) => {
          const [px, py] = [x.place(point[0]), y.place(point[column])];
          path += index ? `H${px}V${py}` : `M${px},${py}`;
          mark(svg, run.method, px, py, column === 1 ? 3.5 : 2, { fill: colour(run.method), class: "point" });
        });
        if (told.length) path += `H${x.place(run.trace.at(-1)[0])}`;
        make(svg, "svg:path", { d: path, ...stroke(run.method), ...more });
      }
    }
    below.draw(svg, height - below.height, named);
    note(section, "Thick: the best solution so far; thin: what is proved that no solution is below.");
  }

  return { cactus, scatter, spread, growth, bounds };
})();
