// Scores of the runs that are chosen, reckoned as pegcp/comparison/scores.py does.
const scores = (() => {
  const SHIFT = 1; // of the shifted geometric mean
  const figure = (value) =>
    value === null ? "-"
      : value >= 1000 || value === 0 ? value.toLocaleString("en", { maximumFractionDigits: 0, roundingMode: "halfEven" })
      : value.toFixed(value >= 0.1 ? 2 : 3);
  const percent = (value) => value.toLocaleString("en", { maximumFractionDigits: 0, roundingMode: "halfEven" });
  const mean = (values) =>
    values.length ? Math.exp(values.reduce((sum, value) => sum + Math.log(value + SHIFT), 0) / values.length) - SHIFT : null;

  // The runs of each method by instance. A settled run that does not tell the measure does not count by it, and no run
  // of a method that never does.
  function byMethod({ runs, taken }) {
    const found = new Map();
    for (const run of runs) {
      if (!found.has(run.method)) found.set(run.method, new Map());
      const instance = `${data.problems[run.problem].row} ${run.seed ?? 0}`;
      if (run.counts && !(run.settled && taken(run) === null)) found.get(run.method).set(instance, run);
    }
    for (const [method, of] of found) {
      if (![...of.values()].some((run) => taken(run) !== null)) found.set(method, new Map());
    }
    return found;
  }

  // What each method contributes to the virtual best, by Shapley
  function shares(found, best, cost) {
    const value = new Map([...found.keys()].map((method) => [method, 0]));
    for (const instance of best.keys()) {
      const gains = [...found].filter(([, of]) => of.has(instance)).map(([method, of]) => {
        const run = of.get(instance), worst = 2 * run.limit;
        return [method, Math.log((worst + SHIFT) / (Math.min(cost(run), worst) + SHIFT))];
      }).sort((a, b) => a[1] - b[1]);
      let below = 0, added = 0;
      gains.forEach(([method, gain], index) => {
        added += (gain - below) / (gains.length - index);
        value.set(method, value.get(method) + added);
        below = gain;
      });
    }
    const total = [...value.values()].reduce((sum, one) => sum + one, 0);
    return (method) => (total && value.has(method) ? `${percent(100 * value.get(method) / total)}%` : "-");
  }

  // The rows of the table, the best method first, the virtual best last
  function rows(state) {
    const { limited } = data.measures.find((one) => one.name === state.measure);
    const cost = (run) => (run.settled ? state.taken(run) ?? 0 : Infinity);
    const found = byMethod(state), best = new Map();
    for (const of of found.values()) {
      for (const [instance, run] of of) {
        if (!best.has(instance) || cost(run) < cost(best.get(instance))) best.set(instance, run);
      }
    }
    const able = [...found.values()].filter((of) => [...of.values()].some((run) => run.settled));
    const common = able.length ? [...best.keys()].filter((one) => able.every((of) => of.get(one)?.settled)) : [];
    const share = limited ? shares(found, best, cost) : () => "-";
    // The marks of planning competitions; the virtual best has the highest of each instance
    const highest = new Map();
    for (const of of found.values()) {
      for (const [instance, { ipc }] of of) highest.set(instance, ipc.map((mark, i) => Math.max(mark, highest.get(instance)?.[i] ?? 0)));
    }
    function row(name, of, marks, method = null) {
      const runs = [...of.values()], done = runs.filter((run) => run.settled).map(cost);
      const penalised = runs.reduce((sum, run) => sum + (run.settled ? cost(run) : 2 * run.limit), 0);
      const par2 = runs.length && limited ? penalised / runs.length : null, all = mean(done);
      const settled = done.length;
      const least = [...of].filter(([instance, run]) => run.settled && cost(run) <= cost(best.get(instance))).length;
      const shared = mean(common.filter((one) => of.get(one)?.settled).map((one) => cost(of.get(one))));
      const counts = [runs.length, settled, runs.filter((run) => run.stopped).length, runs.filter((run) => run.fault).length, least];
      const sums = [0, 1, 2].map((i) => marks.reduce((sum, mark) => sum + mark[i], 0));
      const figures = [par2, all, shared, ...sums].map(figure);
      return { settled, key: par2 ?? all ?? Infinity, cells: [name, ...counts.map(String), share(method), ...figures] };
    }
    const methods = [...found].map(([method, of]) => row(data.methods[method], of, [...of.values()].map((run) => run.ipc), method));
    methods.sort((a, b) => b.settled - a.settled || (a.key === b.key ? 0 : a.key - b.key));
    return [...methods, row("virtual best", best, [...highest.values()])].map((one) => one.cells);
  }

  return { rows };
})();
