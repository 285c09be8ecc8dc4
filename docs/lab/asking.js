// A worker with pegcp, which answers one question after the other.

/** Made when it is first asked, and again after it was ended. */
export class Pegcp {
  progress = () => {};

  #start() {
    const waiting = this.waiting = new Map();
    this.number = 0;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data: [number, answer] }) => {
      if (number === null) return this.progress(answer);
      waiting.get(number)(answer);
      waiting.delete(number);
    };
    this.worker.onerror = (event) => this.end(event.message ?? "a part of this page could not be loaded");
  }

  /** The answer. An error has the line of the model that it is about, or null. */
  async ask(name, ...given) {
    if (!this.worker) this.#start();
    const answer = await new Promise((resolve) => {
      this.waiting.set(++this.number, resolve);
      this.worker.postMessage([this.number, name, ...given]);
    });
    if ("error" in answer) throw Object.assign(new Error(answer.error.message), { line: answer.error.line ?? null });
    return answer.value;
  }

  /** End the worker; whatever it was asked ends with an error. */
  end(message) {
    this.worker?.terminate();
    this.worker = null;
    for (const resolve of this.waiting?.values() ?? []) resolve({ error: { message } });
    this.waiting?.clear();
  }
}
