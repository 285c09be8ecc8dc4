// Solvers made for the browser. Each is a function that fetches one and gives back another: (files of a model, seconds) ->
// {output, code}, what its program prints, for pegcp's readers of solver output. They run in workers of their own.
// CP-SAT is another: pegcp's own backend calls it, see cpsat.js and cp_model.py.

import { cpsat } from "./cpsat.js";
import { at, unpackedAddress } from "./packed.js";

let clingoReady;

async function clingo() {
  await import("./vendor/clingo/clingo.web.js");
  await (clingoReady ??= unpackedAddress("vendor/clingo/clingo.wasm").then((address) => self.clingo.init(address)));
  return async (files, seconds) => {
    const answer = await self.clingo.run(Object.values(files).join("\n"), 1, [`--time-limit=${Math.ceil(seconds)}`]);
    if (answer.Result === "ERROR") return { output: answer.Error, code: 1 };
    const atoms = answer.Call?.flatMap((call) => call.Witnesses ?? []).at(-1)?.Value;
    return { output: [...(atoms ? ["Answer: 1", atoms.join(" ")] : []), answer.Result].join("\n"), code: 0 };
  };
}

/** MiniZinc, with workers that fetch its parts from an address. */
async function startMiniZinc() {
  const folder = "vendor/minizinc/";
  const [{ Model, init }, workerURL, wasmURL, dataURL] = await Promise.all([
    import("./vendor/minizinc/minizinc.mjs"), unpackedAddress(`${folder}minizinc-worker.js`, "text/javascript"),
    unpackedAddress(`${folder}minizinc.wasm`), unpackedAddress(`${folder}minizinc.data`, "application/octet-stream"),
  ]);
  await init({ numWorkers: 2, workerURL, wasmURL, dataURL });
  return Model;
}

let minizincReady;

const minizinc = (solver) => async () => {
  const Model = await (minizincReady ??= startMiniZinc());
  return async (files, seconds) => {
    const model = new Model();
    for (const [name, text] of Object.entries(files)) model.addFile(name, text);
    const run = model.solve({ jsonOutput: false, options: { solver, "time-limit": Math.ceil(seconds * 1000) } });
    let solution = "", printed = "", fault = null;
    run.on("stdout", ({ value }) => { printed += value; }); // of a solver that needs no search to say that there is none
    run.on("error", (error) => { fault ??= error; });
    run.on("solution", ({ output }) => { solution = output.dzn ?? output.default ?? JSON.stringify(output); });
    try {
      const { status } = await run;
      const words = { UNSATISFIABLE: "=====UNSATISFIABLE=====", UNKNOWN: "=====UNKNOWN=====" }[status] ?? status;
      return { output: solution ? `${solution}\n----------` : status === "UNKNOWN" && printed ? printed : words, code: 0 };
    } catch (error) {
      const { filename = "model", firstLine } = (fault ?? error).location ?? {};
      const message = ((fault ?? error).message ?? "no words").replaceAll("\n", " ");
      return { output: `${filename}:${firstLine ?? ""}: error: ${message}`, code: 1 };
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

// The rows of the table: a model, and what runs it. `parts` are fetched when it is first used; see parts.json. Rows that
// do not take the goal or the objective of a position are not shown with it.
export const ROWS = [
  { row: "sat-rounds cadical", method: "sat-rounds", backend: "", title: "CaDiCaL", parts: ["python-sat", "six"], ticked: true },
  { row: "sat-rounds glucose", method: "sat-rounds", backend: ":glucose", title: "Glucose", parts: ["python-sat", "six"] },
  { row: "sat-moves", method: "sat-moves", backend: "", title: "CaDiCaL", parts: ["python-sat", "six"] },
  { row: "sat-fools", method: "sat-fools", backend: "", title: "CaDiCaL", parts: ["python-sat", "six"], ticked: true },
  { row: "asp-rounds", method: "asp-rounds", program: "clingo", title: "clingo", parts: ["clingo"], ticked: true },
  { row: "asp-fools", method: "asp-fools", program: "clingo", title: "clingo", parts: ["clingo"], ticked: true },
  { row: "mzn-rounds chuffed", method: "mzn-rounds", program: "chuffed", title: "MiniZinc, Chuffed", parts: ["minizinc"], ticked: true },
  { row: "mzn-rounds highs", method: "mzn-rounds", program: "highs", title: "MiniZinc, HiGHS", parts: ["minizinc"] },
  { row: "mzn-rounds gecode", method: "mzn-rounds", program: "gecode", title: "MiniZinc, Gecode", parts: ["minizinc"] },
  { row: "mzn-moves chuffed", method: "mzn-moves", program: "chuffed", title: "MiniZinc, Chuffed", parts: ["minizinc"] },
  { row: "mzn-fools chuffed", method: "mzn-fools", program: "chuffed", title: "MiniZinc, Chuffed", parts: ["minizinc"], ticked: true },
  { row: "smt-sweep", method: "smt-sweep", backend: ":z3", title: "Z3", parts: ["z3-solver"] },
  ...["rounds", "moves", "parallel", "long-hop", "benders", "fools", "fools-counts"].map((method) => (
    { row: method, method, program: "cp-sat", title: "CP-SAT", parts: ["or-tools"] })),
  { row: "pddl", method: "pddl", backend: "", title: "a planner in Python", parts: [] },
  { row: "dfs-plain", method: "dfs-plain", backend: "", title: "Python", parts: [] },
];
