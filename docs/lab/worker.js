// pegcp in a worker: Python by Pyodide, and the programs that pegcp hands its models to. A message is
// [number, function of lab.py, ...arguments], or [number, "solve" or "why", {...}]; the answer [number, {value} or {error}].
import { loadPyodide } from "./vendor/pyodide/pyodide.mjs";
import { at, unpacked, unpackedAddress } from "./packed.js";
import { PROGRAMS } from "./programs.js";

const wheelOf = async (name) => (await fetch(at(`vendor/wheels/${name}.whl`))).arrayBuffer();
const tell = (progress) => self.postMessage([null, progress]);
const plain = self.fetch.bind(self);

/** Python's own large file is fetched packed; Pyodide asks for it under its name. */
self.fetch = async (address, options) => {
  if (!String(address).endsWith("/pyodide.asm.wasm")) return plain(address, options);
  return new Response(await unpacked("vendor/pyodide/pyodide.asm.wasm"), { headers: { "Content-Type": "application/wasm" } });
};

async function start() {
  const packages = Promise.all(["pegcp", "msgspec"].map(wheelOf));
  const script = unpackedAddress("vendor/pyodide/pyodide.asm.mjs", "text/javascript");
  const python = await loadPyodide({
    indexURL: at("vendor/pyodide/"), stdLibURL: at("vendor/python/stdlib.zip"),
    createPyodideModule: (await import(await script)).default,
  });
  for (const wheel of await packages) python.unpackArchive(wheel, "wheel");
  for (const name of ["protobuf.py", "cp_model.py", "planner.py", "lab.py"]) python.FS.writeFile(`/home/pyodide/${name}`, await (await fetch(at(name))).text());
  return { python, lab: python.pyimport("lab") };
}

const ready = start();
const wheels = {};

async function addWheel(name) {
  const { python } = await ready;
  wheels[name] ??= wheelOf(name).then((bytes) => python.unpackArchive(bytes, "wheel"));
  return wheels[name];
}

/** Let the Python of this worker call CP-SAT. */
async function addCpsat() {
  const { solve, schema } = await PROGRAMS["cp-sat"]();
  (await ready).lab.add_cpsat(solve, schema);
}

/** Fetch what a row needs; return the function that runs its program, or undefined. */
async function prepare({ program, packages }) {
  const { python } = await ready;
  tell("loading");
  await Promise.all(packages.map(addWheel));
  const run = program === "cp-sat" ? await addCpsat() : program && await PROGRAMS[program]();
  tell("running");
  return run && (async (files, limit) => {
    const { output, code } = await run(files.toJs({ dict_converter: Object.fromEntries }), limit);
    return python.toPy([output, code]);
  });
}

const TASKS = {
  /** An answer as JSON: by a program here, or by a backend of pegcp, whose Python packages are fetched first. */
  async solve(row) {
    const { lab } = await ready, execute = await prepare(row);
    return lab.solve(row.text, row.method, row.edited ?? undefined, row.seconds, execute ?? undefined);
  },

  /** Which line of a model is wrong. Python waits for a program, which not every browser can. */
  async why(row) {
    const { python, lab } = await ready, execute = await prepare(row);
    if (execute && !("Suspending" in WebAssembly)) {
      throw new Error("this browser cannot look for the line in this language. Chrome and Edge can; so can: pegcp why");
    }
    const wait = execute && python.runPython(`
from pyodide.ffi import run_sync
lambda execute: lambda files, seconds: tuple(run_sync(execute(files, seconds)))
`)(execute);
    return lab.why.callPromising(row.text, row.method, row.edited, python.toPy(row.jumps ?? undefined), row.seconds, wait ?? undefined);
  },
};

self.onmessage = async ({ data: [number, name, ...given] }) => {
  let python, lab;
  try {
    ({ python, lab } = await ready);
    if (name === "compiled" && given[1] === "long-hop") await addCpsat(); // which bounds the number of moves
    const result = await (TASKS[name]?.(...given) ?? lab[name](...given.map((value) => python.toPy(value ?? undefined))));
    self.postMessage([number, { value: result?.toJs ? result.toJs({ dict_converter: Object.fromEntries }) : result }]);
  } catch (error) {
    self.postMessage([number, { error: reason(python, error) }]);
  }
};

/** What to show of an error, {message, line}: Python keeps the last one. */
function reason(python, error) {
  if (!python || error?.constructor?.name !== "PythonError") return { message: String(error?.message ?? error), line: null };
  return python.runPython("import sys, lab; lab.explained(sys.last_exc)").toJs({ dict_converter: Object.fromEntries });
}
