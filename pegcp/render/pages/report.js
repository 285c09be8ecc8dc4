// The report: filters, tables, and files to download.
(() => {
  // The table of runs
  const figure = (value) => {
    if (value === null || value === undefined) return "";
    return Number.isInteger(value) ? String(value) : Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2);
  };
  const runsTable = byId("runs");
  const runRows = data.runs.map((run, index) => {
    const row = document.createElement("tr");
    const problem = data.problems[run.problem], method = data.methods[run.method];
    make(row, "th", { scope: "row" }, problem.name);
    make(row, "td", { class: "text" }, method);
    const addFigure = (value) => { make(row, "td", {}, figure(value)).figure = value ?? ""; };
    addFigure(run.seed);
    make(row, "td", { class: run.fault ? "text wraps fault" : `text wraps ${run.status}` }, run.verdict);
    make(row, "td", { class: "text" }, run.evidence);
    const look = make(row, "td", { class: "text", "data-look": "yes" });
    if (run.jumps && run.jumps.length) {
      const label = `Step through the solution of ${problem.name} by ${method}`;
      make(look, "button", { type: "button", "data-run": index, "aria-label": label }, "play");
    }
    make(look, "button", { type: "button", "data-about": index, "aria-label": `About ${problem.name} by ${method}` }, "about");
    addFigure(run.jumps && run.jumps.length / 3);
    for (const value of [run.moves, run.objective, run.bound]) addFigure(value);
    for (const measure of data.measures) addFigure(run.costs[measure.name]);
    make(row, "td", { class: "message" }, run.message);
    return row;
  });
  runsTable.tBodies[0].append(...runRows);
  runsTable.addEventListener("click", (event) => {
    const button = event.target.closest("tbody button");
    if (!button) return;
    if (button.dataset.run) player.open(data.runs[Number(button.dataset.run)]);
    else showDetails(data.runs[Number(button.dataset.about)]);
  });

  // The columns of the runs: those with something in them, of the measures the chosen one, and those the reader switches on
  const heads = [...runsTable.tHead.rows[0].cells];
  const firstMeasure = heads.length - 1 - data.measures.length;
  const columnChoices = new Map(); // columns that the reader has switched on or off
  const columns = heads.map((head, column) => {
    const label = make(byId("columns"), "label");
    const box = make(label, "input", { type: "checkbox" });
    label.append(` ${head.textContent}`);
    box.addEventListener("change", () => { columnChoices.set(column, box.checked); showColumns(); });
    return { box, used: runRows.some((row) => row.cells[column].textContent !== "") };
  });
  function showColumns() {
    const measure = firstMeasure + data.measures.findIndex(({ name }) => name === byId("measure").value);
    columns.forEach(({ box, used }, column) => {
      const isOther = column >= firstMeasure && column < heads.length - 1 && column !== measure;
      box.checked = columnChoices.get(column) ?? (used && !isOther);
      for (const row of [...runsTable.tHead.rows, ...runRows]) row.cells[column].hidden = !box.checked;
    });
  }

  // The backend, versions and log of a run
  function showDetails(run) {
    byId("details-title").textContent = `${data.problems[run.problem].name} by ${data.methods[run.method]}`;
    const seed = run.seed === null || run.seed === undefined ? [] : [`seed ${run.seed}`];
    byId("details-about").textContent = [run.verdict, ...seed, data.abouts[run.about], run.message].filter(Boolean).join("\n");
    byId("details-log").hidden = !run.log;
    byId("details-log").querySelector("pre").textContent = run.log;
    byId("details").showModal();
  }
  byId("details-close").addEventListener("click", () => byId("details").close());

  // Sorting: numbers by value, then words, empty cells last
  const sortKey = (text) => {
    const number = Number.parseFloat(text.replace(/,/g, ""));
    return text === "" ? [2, 0, ""] : /^-?[\d.]/.test(text) && !Number.isNaN(number) ? [0, number, text] : [1, 0, text];
  };
  const words = new Intl.Collator("en", { numeric: true });
  function sort(table, column, ascending) {
    const rowsWithKeys = [...table.tBodies[0].rows].map((row) => [sortKey(row.cells[column].textContent), row]);
    const sign = ascending ? 1 : -1;
    rowsWithKeys.sort(([a], [b]) =>
      a[0] === 2 || b[0] === 2 ? a[0] - b[0] : sign * (a[0] - b[0] || a[1] - b[1] || words.compare(a[2], b[2])));
    table.tBodies[0].append(...rowsWithKeys.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      if (index === column) cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    table.dispatchEvent(new Event("changed"));
  }
  for (const table of document.querySelectorAll("table")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const title = cell.textContent;
      cell.textContent = "";
      const button = make(cell, "button", { type: "button" }, title);
      button.addEventListener("click", () => sort(table, column, cell.getAttribute("aria-sort") !== "ascending"));
    });
  }

  // Search: every word must occur in the row. Long tables show their first rows only, until the reader asks for all.
  const MOST_ROWS = 200;
  const excludedRows = new Set(); // rows that the choice leaves out
  for (const input of document.querySelectorAll("input[data-table]")) {
    const table = byId(input.dataset.table);
    const count = document.querySelector(`[data-count="${input.dataset.table}"]`);
    const all = document.querySelector(`[data-all="${input.dataset.table}"]`);
    const texts = new Map();
    for (const row of table.tBodies[0].rows) {
      texts.set(row, [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase());
    }
    let most = MOST_ROWS;
    const apply = () => {
      const searchWords = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let matches = 0;
      for (const row of table.tBodies[0].rows) {
        const fits = !excludedRows.has(row) && searchWords.every((word) => texts.get(row).includes(word));
        matches += fits ? 1 : 0;
        row.found = fits; // also beyond the rows that are shown
        row.hidden = !fits || matches > most;
      }
      all.hidden = matches <= most;
      count.textContent = `${matches} of ${texts.size}` + (matches > most ? `, the first ${most} shown` : "");
    };
    input.addEventListener("input", apply);
    all.addEventListener("click", () => { most = Infinity; apply(); });
    table.addEventListener("changed", apply);
    apply();
  }

  const heats = [...document.querySelectorAll("table.heat")];
  const heatRows = heats.map((table) => [...table.tBodies[0].rows]);

  // The shades of the tables of problems: the logarithm of the median cost over seeds; runs that are not settled cost most
  const SHADES = 8, LEAST_COST = 0.001;
  function median(costs) {
    const sorted = costs.sort((a, b) => a - b), half = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
  data.measures.forEach(({ name }, number) => {
    const cells = new Map();
    for (const run of data.runs) {
      const cell = heatRows[number][data.problems[run.problem].row].cells[run.method + 1];
      if (!cells.has(cell)) cells.set(cell, []);
      if (!run.settled) cells.get(cell).push(Infinity);
      else if (run.costs[name] !== null) cells.get(cell).push(run.costs[name]);
      if (run.counts && !run.settled) cell.classList.add("open");
    }
    const known = [...cells].map(([cell, costs]) => [cell, Math.log(Math.max(median(costs), LEAST_COST))]).filter(([, log]) => Number.isFinite(log));
    const logs = known.map(([, log]) => log), low = Math.min(...logs), high = Math.max(...logs);
    for (const [cell, log] of known) {
      cell.classList.remove("open");
      cell.dataset.shade = Math.round((SHADES - 1) * (log - low) / (high - low || 1));
    }
  });

  // The choice: a measure, a board, a verdict, methods
  const boxes = [...byId("methods").querySelectorAll("input")];
  const COUNTS = ["nodes", "conflicts"];
  function readChoice() {
    const measure = byId("measure").value, board = byId("board").value, verdict = byId("verdict").value;
    const methods = boxes.filter((input) => input.checked).map((input) => Number(input.value));
    const fits = (run) => methods.includes(run.method) && (!verdict || run.verdict === verdict) &&
      (!board || data.boards[data.problems[run.problem].board].name === board);
    return {
      measure, methods, fits,
      title: data.measures.find(({ name }) => name === measure).title,
      cost: (run) => run.costs[measure] ?? null,
      least: COUNTS.includes(measure) ? 1 : 0.001,
      runs: data.runs.filter(fits),
    };
  }
  function options(select, values, names) {
    const before = select.value;
    select.replaceChildren();
    for (const value of values) make(select, "option", { value }, names(value));
    if (values.map(String).includes(before)) select.value = before;
    return values.length ? Number(select.value) : null;
  }
  /** The two methods with the most instances that both ran. */
  function likelyPair({ methods, runs }) {
    const instances = new Map(methods.map((method) => [method, new Set()]));
    for (const run of runs) if (run.counts) instances.get(run.method).add(`${run.problem} ${run.seed}`);
    const shared = ([a, b]) => [...instances.get(a)].filter((key) => instances.get(b).has(key)).length;
    const pairs = methods.flatMap((a, at) => methods.slice(at + 1).map((b) => [a, b]));
    return pairs.reduce((best, pair) => (shared(pair) > shared(best) ? pair : best), pairs[0]);
  }
  function draw(state) {
    const name = (method) => data.methods[method], title = (problem) => data.problems[problem].name;
    const some = (test) => [...new Set(state.runs.filter(test).map((run) => run.problem))];
    plots.cactus(byId("cactus"), state);
    const before = byId("second").value;
    for (const id of ["first", "second"]) options(byId(id), state.methods, name);
    if (before === "" && state.methods.length > 1) [byId("first").value, byId("second").value] = likelyPair(state);
    plots.scatter(byId("scatter"), state, Number(byId("first").value), Number(byId("second").value));
    const seeds = new Map();
    for (const run of state.runs) {
      const key = `${run.problem} ${run.method}`;
      seeds.set(key, (seeds.get(key) ?? 0) + 1);
    }
    const withSeveralSeeds = some((run) => seeds.get(`${run.problem} ${run.method}`) > 1 && run.counts);
    plots.spread(byId("spread"), state, options(byId("spread-problem"), withSeveralSeeds, title));
    const families = data.growth[state.measure];
    const family = options(byId("growth-family"), families.map((_, index) => index), (index) => families[index].name || "all");
    plots.growth(byId("growth"), state, family === null ? null : families[family].methods);
    plots.bounds(byId("bounds"), state, options(byId("bounds-problem"), some((run) => run.trace), title));
  }
  let state = readChoice();
  function change() {
    state = readChoice();
    for (const part of document.querySelectorAll("[data-measure]")) part.hidden = part.dataset.measure !== state.measure;
    excludedRows.clear();
    data.runs.forEach((run, index) => { if (!state.fits(run)) excludedRows.add(runRows[index]); });
    const rowsIn = new Set(state.runs.map((run) => data.problems[run.problem].row));
    heats.forEach((table, number) => {
      heatRows[number].forEach((row, index) => { if (!rowsIn.has(index)) excludedRows.add(row); });
      for (const row of table.rows) {
        data.methods.forEach((_, method) => { row.cells[method + 1].hidden = !state.methods.includes(method); });
      }
      table.dispatchEvent(new Event("changed"));
    });
    showColumns();
    runsTable.dispatchEvent(new Event("changed"));
    const all = state.runs.length === data.runs.length;
    byId("chosen").textContent = all ? "" :
      `${state.runs.length} of ${data.runs.length} runs. The scores are those of all runs.`;
    draw(state);
  }
  byId("choice").addEventListener("submit", (event) => event.preventDefault());
  byId("choice").addEventListener("change", change);
  for (const id of ["first", "second", "spread-problem", "growth-family", "bounds-problem"]) {
    byId(id).addEventListener("change", () => draw(state));
  }
  for (const input of document.querySelectorAll("input[data-shades]")) {
    input.addEventListener("change", () => byId(input.dataset.shades).classList.toggle("small", input.checked));
  }
  change();
  let width = innerWidth, soon = null;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(soon);
    soon = setTimeout(() => draw(state), 100);
  });

  // Files: a table as it is shown, as CSV; a plot as SVG
  function download(name, kind, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }
  const visibleCells = (table) => [...table.rows].filter((row) => row.found ?? !row.hidden)
    .map((row) => [...row.cells].filter((cell) => !cell.hidden && !cell.dataset.look).map((cell) => String(cell.figure ?? cell.textContent)));
  const quoteCell = (text) => {
    const plain = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-csv], button[data-svg]");
    if (!button) return;
    const name = button.dataset.csv ?? button.dataset.svg;
    if (button.dataset.svg) {
      const svg = byId(name).querySelector("svg").cloneNode(true);
      svg.style.color = "#000";
      download(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(svg));
    } else {
      download(`${name}.csv`, "text/csv", visibleCells(byId(name)).map((row) => row.map(quoteCell).join(",")).join("\n") + "\n");
    }
  });
})();
