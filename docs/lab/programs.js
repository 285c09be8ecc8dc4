// Solvers made for the browser. Each is a function that fetches one and gives back another: (files of a model, seconds) ->
// {output, code}, what its program prints, for pegcp's readers of solver output. They run in workers of their own.
// CP-SAT is another: pegcp's own backend calls it, see cpsat.js and cp_model.py.

import { cpsat } from "./cpsat.js";

const at = (path) => new URL(path, import.meta.url).href;

async function clingo() {
  await import("./vendor/clingo/clingo.web.js");
  await self.clingo.init(at("vendor/clingo/clingo.wasm"));
  return async (files, seconds) => {
    const answer = await self.clingo.run(Object.values(files).join("\n"), 1, [`--time-limit=${Math.ceil(seconds)}`]);
    if (answer.Result === "ERROR") return { output: answer.Error, code: 1 };
    const atoms = answer.Call?.flatMap((call) => call.Witnesses ?? []).at(-1)?.Value;
    return { output: [...(atoms ? ["Answer: 1", atoms.join(" ")] : []), answer.Result].join("\n"), code: 0 };
  };
}

const minizinc = (solver) => async () => {
  const { Model, init } = await import("./vendor/minizinc/minizinc.mjs");
  await init({ numWorkers: 1 }).catch(() => {}); // which is refused where it was called before
  return async (files, seconds) => {
    const model = new Model();
    for (const [name, text] of Object.entries(files)) model.addFile(name, text);
    const run = model.solve({ jsonOutput: false, options: { solver, "time-limit": Math.ceil(seconds * 1000) } });
    let solution = "";
    run.on("solution", ({ output }) => { solution = output.dzn ?? output.default ?? JSON.stringify(output); });
    try {
      const { status } = await run;
      const words = { UNSATISFIABLE: "=====UNSATISFIABLE=====", UNKNOWN: "=====UNKNOWN=====" }[status] ?? status;
      return { output: solution ? `${solution}\n----------` : words, code: 0 };
    } catch (error) {
      return { output: `MiniZinc: ${error.message}`, code: 1 };
    }
  };
};

export const PROGRAMS = {
  "cp-sat": cpsat,
  clingo,
  chuffed: minizinc("chuffed"),
  gecode: minizinc("gecode"),
  highs: minizinc("highs"),
  cbc: minizinc("cbc"),
};

// The rows of the table: a model, and what runs it. `parts` are fetched when it is first used; see parts.json.
export const ROWS = [
  { row: "sat-rounds cadical", method: "sat-rounds", backend: "", title: "CaDiCaL", parts: ["python-sat", "six"], ticked: true },
  { row: "sat-rounds glucose", method: "sat-rounds", backend: ":glucose", title: "Glucose", parts: ["python-sat", "six"] },
  { row: "sat-moves", method: "sat-moves", backend: "", title: "CaDiCaL", parts: ["python-sat", "six"] },
  { row: "asp-rounds", method: "asp-rounds", program: "clingo", title: "clingo", parts: ["clingo"], ticked: true },
  { row: "mzn-rounds chuffed", method: "mzn-rounds", program: "chuffed", title: "MiniZinc, Chuffed", parts: ["minizinc"], ticked: true },
  { row: "mzn-rounds highs", method: "mzn-rounds", program: "highs", title: "MiniZinc, HiGHS", parts: ["minizinc"] },
  { row: "mzn-rounds gecode", method: "mzn-rounds", program: "gecode", title: "MiniZinc, Gecode", parts: ["minizinc"] },
  { row: "mzn-moves chuffed", method: "mzn-moves", program: "chuffed", title: "MiniZinc, Chuffed", parts: ["minizinc"] },
  { row: "smt-sweep", method: "smt-sweep", backend: ":z3", title: "Z3", parts: ["z3-solver"] },
  ...["rounds", "moves", "parallel", "long-hop", "benders", "fools", "fools-counts"].map((method) => (
    { row: method, method, program: "cp-sat", title: "CP-SAT", parts: ["or-tools"] })),
  { row: "dfs-plain", method: "dfs-plain", backend: "", title: "depth first, in Python", parts: [] },
];
