// The player: steps through a solution on its board.
const player = byId("player") && (() => {
  const root = byId("player");
  const dialog = root.tagName === "DIALOG";
  const scrub = byId("player-scrub");
  const playButton = root.querySelector("[data-go=play]");
  root.querySelector("[data-go=close]").hidden = !dialog;
  let run, board, positions, drawing, currentStep = null, timer = null;

  function open(solution) {
    run = solution;
    const problem = data.problems[run.problem];
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
    byId("player-title").textContent = `${problem.name} by ${data.methods[run.method]}`;
    byId("player-goal").textContent = `Goal: ${problem.goal}`;
    drawing = new Drawing(byId("player-board"), board, problem.lastPegs, { role: "img", "aria-label": "Board" });
    scrub.max = positions.length - 1;
    currentStep = null;
    show(0);
    if (dialog) root.showModal();
  }

  function show(step) {
    const before = currentStep;
    scrub.value = currentStep = step;
    const jump = (number) => run.jumps.slice(3 * (number - 1), 3 * number);
    const last = jump(step);
    drawing.show(positions[step], step ? last : null);
    if (Math.abs(step - before) === 1) drawing.slide(jump(Math.max(step, before)), step < before);
    const text = step ? `${board.holes[last[0]]} over ${board.holes[last[1]]} to ${board.holes[last[2]]}` : "start";
    const pegs = positions[step].size;
    const words = `${step} of ${positions.length - 1}: ${text}; ${pegs} ${pegs === 1 ? "peg" : "pegs"} left`;
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
    close: () => root.close(),
    play: () => {
      if (timer !== null) { stop(); return; }
      if (step() === end()) show(0);
      playButton.textContent = "Pause";
      timer = setInterval(() => (step() < end() ? show(step() + 1) : stop()), 650);
    },
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-go]");
    if (button) actions[button.dataset.go]();
  });
  scrub.addEventListener("input", () => { stop(); show(step()); });
  root.addEventListener("close", stop);
  (dialog ? root : document).addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    if (!(event.key in keys) || (event.key === " " && event.target.closest("button"))) return;
    if (!root.contains(event.target) && event.target !== document.body) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  return { open };
})();
