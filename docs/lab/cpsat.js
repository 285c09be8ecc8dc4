// CP-SAT for the Python of this page, which waits for it: it runs in a worker of its own, and answers into shared memory.
const LARGEST_ANSWER = 1 << 28; // bytes

let solver = null;

/** The solver, as a function of bytes (model, parameters, whether to report all solutions) to bytes; and its parameters. */
export function cpsat() {
  solver ??= start().catch((error) => {
    solver = null;
    throw error;
  });
  return solver;
}

async function start() {
  if (!self.crossOriginIsolated) {
    throw new Error("CP-SAT needs memory that workers share. This browser gives it to a page that comes over https or from localhost, but not in every private window.");
  }
  const worker = new Worker(new URL("cpsat_worker.js", import.meta.url), { type: "module" });
  const schema = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message ?? "CP-SAT could not be loaded"));
  });
  const solve = (model, parameters, all) => {
    const shared = new SharedArrayBuffer(8, { maxByteLength: LARGEST_ANSWER });
    const numbers = new Int32Array(shared, 0, 2);
    worker.postMessage({ shared, model: model.toJs(), parameters: parameters.toJs(), all });
    Atomics.wait(numbers, 0, 0);
    const bytes = new Uint8Array(shared, 8, numbers[1]).slice();
    if (numbers[0] === 2) throw new Error(new TextDecoder().decode(bytes));
    return bytes;
  };
  return { solve, schema };
}
