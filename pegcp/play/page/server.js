// Asks the server. Each question brings the whole game.

const told = ({ problem, start, made }) => ({
  problem: problem.text, name: problem.name, goal: problem.wish ?? "", start, jumps: made,
});

async function ask(where, what, signal) {
  const answer = await fetch(where, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what), signal,
  });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? `the server says ${answer.status}`);
  return answer;
}

/** Calls `take` with every line of a stream of JSON. */
async function stream(where, what, take, signal) {
  const reader = (await ask(where, what, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.filter(Boolean).forEach((line) => take(JSON.parse(line)));
  }
}

export const advise = (game, take, signal) => stream("advice", told(game), take, signal);
export const solve = (game, methods, limit, take, signal) =>
  stream("solve", { ...told(game), methods, time_limit: limit }, take, signal);
export const problem = async (what) => (await ask("problem", what)).json();
export const boards = async () => (await fetch("boards")).json();
