"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  function make(parent, name, attributes = {}, text = null) {
    const node = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== null) node.textContent = text;
    parent.append(node);
    return node;
  }

  // Light or dark
  byId("look").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.look ? root.dataset.look === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.look = dark ? "light" : "dark";
  });

  // The table of runs
  const figure = (value, digits) =>
    value === null || value === undefined ? "" : digits === undefined ? String(value) : value.toFixed(digits);
  const runsBody = byId("runs").tBodies[0];
  const rows = document.createDocumentFragment();
  data.runs.forEach((run, index) => {
    const row = make(rows, "tr");
    const problem = data.problems[run.problem];
    make(row, "th", { scope: "row" }, problem.name);
    make(row, "td", { class: "text" }, run.method);
    make(row, "td", {}, figure(run.seed));
    const fault = run.reason === "ERROR" || run.reason === "INVALID_SOLUTION";
    make(row, "td", { class: fault ? "text fault" : `text ${run.status}` }, run.status + (run.reason ? ` ${run.reason}` : ""));
    make(row, "td", { class: "text" }, run.evidence);
    const solution = make(row, "td", { class: "text" });
    if (run.jumps && run.jumps.length) {
      const label = `Step through the solution of ${problem.name} by ${run.method}`;
      make(solution, "button", { type: "button", "data-run": index, "aria-label": label }, "show");
    }
    make(row, "td", {}, run.jumps ? String(run.jumps.length / 3) : "");
    for (const value of [run.moves, run.objective, run.bound]) make(row, "td", {}, figure(value));
    for (const value of [run.build, run.solve, run.wall, run.cpu]) make(row, "td", {}, figure(value, 2));
    make(row, "td", {}, figure(run.memory, 0));
    make(row, "td", { class: "message" }, run.message);
  });
  runsBody.append(rows);
  runsBody.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-run]");
    if (button) open(data.runs[Number(button.dataset.run)]);
  });

  // Sorting: numbers by value, then words, empty cells last
  const ranked = (text) => {
    const number = Number.parseFloat(text.replace(/,/g, ""));
    return text === "" ? [2, 0, ""] : /^-?[\d.]/.test(text) && !Number.isNaN(number) ? [0, number, text] : [1, 0, text];
  };
  const words = new Intl.Collator("en", { numeric: true });
  function sort(table, column, ascending) {
    const keyed = [...table.tBodies[0].rows].map((row) => [ranked(row.cells[column].textContent), row]);
    const sign = ascending ? 1 : -1;
    keyed.sort(([a], [b]) =>
      a[0] === 2 || b[0] === 2 ? a[0] - b[0] : sign * (a[0] - b[0] || a[1] - b[1] || words.compare(a[2], b[2])));
    table.tBodies[0].append(...keyed.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      if (index === column) cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    table.dispatchEvent(new Event("sorted"));
  }
  for (const table of document.querySelectorAll("table")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const title = cell.textContent;
      cell.textContent = "";
      const button = make(cell, "button", { type: "button" }, title);
      button.addEventListener("click", () => sort(table, column, cell.getAttribute("aria-sort") !== "ascending"));
    });
  }

  // Filtering: every word must occur in the row. Long tables show their first rows only, until all are wanted.
  const MOST_ROWS = 200;
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
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const row of table.tBodies[0].rows) {
        const fits = wanted.every((word) => texts.get(row).includes(word));
        found += fits ? 1 : 0;
        row.hidden = !fits || found > most;
      }
      all.hidden = found <= most;
      count.textContent = `${found} of ${texts.size}` + (found > most ? `, the first ${most} shown` : "");
    };
    input.addEventListener("input", apply);
    all.addEventListener("click", () => { most = Infinity; apply(); });
    table.addEventListener("sorted", apply);
    apply();
  }

  // Scatter plots: one at a time
  const pair = byId("pair");
  if (pair) pair.addEventListener("change", () => {
    for (const plot of document.querySelectorAll(".scatter")) plot.hidden = plot.dataset.pair !== pair.value;
  });

  // The player
  const player = byId("player");
  const scrub = byId("player-scrub");
  const playButton = player.querySelector("[data-go=play]");
  let run, problem, board, positions, circles, way, timer = null;

  function open(chosen) {
    run = chosen;
    problem = data.problems[run.problem];
    board = data.boards[problem.board];
    let pegs = new Set(problem.pegs);
    positions = [pegs];
    for (let i = 0; i < run.jumps.length; i += 3) {
      pegs = new Set(pegs);
      pegs.delete(run.jumps[i]);
      pegs.delete(run.jumps[i + 1]);
      pegs.add(run.jumps[i + 2]);
      positions.push(pegs);
    }
    byId("player-title").textContent = `${problem.name} by ${run.method}`;
    byId("player-goal").textContent = `Goal: ${problem.goal}`;
    draw();
    scrub.max = positions.length - 1;
    show(0);
    player.showModal();
  }

  function draw() {
    const place = byId("player-board");
    place.replaceChildren();
    const xs = board.places.map((p) => p[0]), ys = board.places.map((p) => p[1]);
    const left = Math.min(...xs) - 0.7, top = Math.min(...ys) - 0.7;
    const box = [left, top, Math.max(...xs) - left + 0.7, Math.max(...ys) - top + 0.7];
    const svg = make(place, "svg:svg", { viewBox: box.join(" "), role: "img", "aria-label": "Board" });
    for (const line of board.lines) {
      const points = line.map((hole) => board.places[hole].join(",")).join(" ");
      make(svg, "svg:polyline", { points, class: "line", fill: "none" });
    }
    circles = board.places.map(([x, y], hole) => {
      const circle = make(svg, "svg:circle", { cx: x, cy: y });
      make(circle, "svg:title", {}, board.holes[hole]);
      return circle;
    });
    way = make(svg, "svg:path", { class: "way" });
  }

  function show(step) {
    scrub.value = step;
    const last = run.jumps.slice(3 * (step - 1), 3 * step);
    circles.forEach((circle, hole) => {
      const peg = positions[step].has(hole);
      circle.setAttribute("r", peg ? 0.38 : 0.16);
      circle.setAttribute("class", (peg ? "peg" : "hole") + (step && hole === last[2] ? " last" : ""));
    });
    const [from, over, to] = last.map((hole) => board.places[hole].join(" "));
    way.setAttribute("d", step ? `M${from}L${over}L${to}` : "");
    const text = step ? `${board.holes[last[0]]} over ${board.holes[last[1]]} to ${board.holes[last[2]]}` : "start";
    const left = positions[step].size;
    const words = `${step} of ${positions.length - 1}: ${text}; ${left} ${left === 1 ? "peg" : "pegs"} left`;
    byId("player-step").textContent = words;
    scrub.setAttribute("aria-valuetext", words);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    playButton.textContent = "Play";
  }
  const step = () => Number(scrub.value);
  const end = () => positions.length - 1;
  const actions = {
    first: () => { stop(); show(0); },
    back: () => { stop(); show(Math.max(0, step() - 1)); },
    next: () => { stop(); show(Math.min(end(), step() + 1)); },
    last: () => { stop(); show(end()); },
    close: () => player.close(),
    play: () => {
      if (timer !== null) { stop(); return; }
      if (step() === end()) show(0);
      playButton.textContent = "Pause";
      timer = setInterval(() => (step() < end() ? show(step() + 1) : stop()), 500);
    },
  };
  player.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-go]");
    if (button) actions[button.dataset.go]();
  });
  scrub.addEventListener("input", () => { stop(); show(step()); });
  player.addEventListener("close", stop);
  player.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    if (!(event.key in keys) || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
})();
