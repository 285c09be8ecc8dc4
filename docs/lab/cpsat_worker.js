// CP-SAT in a worker of its own. A message is {shared, model, parameters, all}: a model and parameters as protocol buffers,
// and whether all solutions are reported. The answer goes into shared memory, for which the worker that asks waits:
// its first number becomes 1, or 2 for an error, its second is the length of what follows.
import { at, unpacked } from "./packed.js";

const flavour = WebAssembly.promising ? "cp_sat_runtime" : "cp_sat_runtime_asyncify"; // the first one is twice as fast
const script = at(`vendor/or-tools/${flavour}.js`);
const { default: load } = await import(script);
const wasmBinary = new Uint8Array(await unpacked(`vendor/or-tools/${flavour}.wasm`));
const runtime = await load({ wasmBinary, mainScriptUrlOrBlob: script });

async function solve(model, parameters, all) {
  const place = (bytes) => {
    const pointer = runtime._malloc(bytes.length + 1);
    runtime.HEAPU8.set(bytes, pointer);
    return pointer;
  };
  const number = (pointer) => new DataView(runtime.HEAPU8.buffer).getUint32(pointer, true);
  const [model_, parameters_, length_] = [model, parameters, new Uint8Array(4)].map(place);
  const given = [model_, model.length, parameters_, parameters.length, ...(all ? [1] : []), length_];
  const name = all ? "solve_model_with_callback_events" : "solve_model";
  const answer = await runtime.ccall(name, "number", given.map(() => "number"), given, { async: true });
  const bytes = runtime.HEAPU8.slice(answer, answer + number(length_));
  if (answer) runtime._free_buffer(answer);
  for (const pointer of [model_, parameters_, length_]) runtime._free(pointer);
  return bytes;
}

self.onmessage = async ({ data: { shared, model, parameters, all } }) => {
  let bytes, state = 1;
  try {
    bytes = await solve(model, parameters, all);
  } catch (error) {
    [bytes, state] = [new TextEncoder().encode(`CP-SAT: ${error?.message ?? error}`), 2];
  }
  shared.grow(8 + bytes.length);
  new Uint8Array(shared, 8).set(bytes);
  const numbers = new Int32Array(shared, 0, 2);
  Atomics.store(numbers, 1, bytes.length);
  Atomics.store(numbers, 0, state);
  Atomics.notify(numbers, 0);
};

self.postMessage(runtime.ccall("get_sat_parameters_schema", "string", [], []));
