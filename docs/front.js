// The board on the first page of the site: docs/conf.py puts the modules of the page to play on before it.

const place = document.getElementById("front");
place.replaceChildren();
const board = make(place, "div", { id: "board", class: "wood" });
const says = make(place, "p", { role: "status" });
const back = make(place, "button", { type: "button" }, "Back");
const again = make(place, "button", { type: "button" }, "Again");
const game = new Game(PROBLEM);
let picked = null;
const jumpsFrom = (hole) => game.legal().filter((jump) => jump[0] === hole);

function pick(hole) {
  picked = hole;
  draw();
}

function drop(from, to) {
  const jump = jumpsFrom(from).find((other) => other[2] === to);
  picked = null;
  if (jump) game.play(jump);
  draw();
  if (jump) view.slide(jump);
}

function choose(hole) {
  if (game.pegs().has(hole)) pick(picked === hole ? null : hole);
  else if (picked !== null) drop(picked, hole);
}

function goTo(step) {
  game.go(step);
  pick(null);
}

function sentence(left) {
  if (left === 1) return "One peg: you made it.";
  if (!game.legal().length) return `No jump is possible, and ${left} pegs are left.`;
  if (game.history.length) return `${left} pegs.`;
  return `${left} pegs. Choose one, then the vacancy where it lands.`;
}

function draw() {
  const marks = new Map(picked === null ? [] : jumpsFrom(picked).map((jump) => [jump[2], "open"]));
  view.show(game.pegs(), { picked, marks, last: game.history.at(-1) ?? null });
  says.textContent = sentence(game.pegs().size);
  back.disabled = again.disabled = !game.history.length;
}

const targets = (hole) => jumpsFrom(hole).map((jump) => jump[2]);
const view = new BoardView(board, PROBLEM.board, PROBLEM.goal, { choose, targets, lift: pick, drop });
back.addEventListener("click", () => goTo(game.history.length - 1));
again.addEventListener("click", () => goTo(0));
draw();
