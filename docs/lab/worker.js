// pegcp in a worker: Python by Pyodide, and the programs that pegcp hands its models to. A message is
// [number, function of lab.py, ...arguments] or [number, "solve", {...}]; the answer [number, {value} or {error}].
import { loadPyodide } from "./vendor/pyodide/pyodide.mjs";
import { PROGRAMS } from "./programs.js";

const at = (path) => new URL(path, import.meta.url).href;
const fetched = async (path) => (await fetch(at(path))).arrayBuffer();
const tell = (progress) => self.postMessage([null, progress]);

async function start() {
  const wheel = fetched("vendor/wheels/pegcp.whl");
  const python = await loadPyodide({ indexURL: at("vendor/pyodide/") });
  python.unpackArchive(await wheel, "wheel");
  for (const name of ["protobuf.py", "cp_model.py", "lab.py"]) python.FS.writeFile(`/home/pyodide/${name}`, await (await fetch(at(name))).text());
  return { python, lab: python.pyimport("lab") };
}

const ready = start();
const wheels = {};

async function addWheel(name) {
  const { python } = await ready;
  wheels[name] ??= fetched(`vendor/wheels/${name}.whl`).then((bytes) => python.unpackArchive(bytes, "wheel"));
  return wheels[name];
}

/** Let the Python of this worker call CP-SAT. */
async function addCpsat() {
  const { solve, schema } = await PROGRAMS["cp-sat"]();
  (await ready).lab.add_cpsat(solve, schema);
}

/** An answer as JSON: by a program here, or by a backend of pegcp, whose Python packages are fetched first. */
async function solve({ text, method, edited, seconds, program, packages }) {
  const { python, lab } = await ready;
  tell("loading");
  await Promise.all(packages.map(addWheel));
  const run = program === "cp-sat" ? await addCpsat() : program && await PROGRAMS[program]();
  tell("running");
  const execute = run && (async (files, limit) => {
    const { output, code } = await run(files.toJs({ dict_converter: Object.fromEntries }), limit);
    return python.toPy([output, code]);
  });
  return lab.solve(text, method, edited ?? undefined, seconds, execute ?? undefined);
}

self.onmessage = async ({ data: [number, name, ...given] }) => {
  let python, lab;
  try {
    ({ python, lab } = await ready);
    if (name === "compiled" && given[1] === "long-hop") await addCpsat(); // which bounds the number of moves
    const result = name === "solve" ? await solve(given[0]) : lab[name](...given.map((value) => python.toPy(value ?? undefined)));
    self.postMessage([number, { value: result?.toJs ? result.toJs({ dict_converter: Object.fromEntries }) : result }]);
  } catch (error) {
    self.postMessage([number, { error: reason(python, error) }]);
  }
};

/** What to show of an error: Python keeps the last one. */
function reason(python, error) {
  if (!python || error?.constructor?.name !== "PythonError") return String(error?.message ?? error);
  return python.runPython("import sys, lab; lab.explained(sys.last_exc)");
}
