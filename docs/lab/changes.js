// The models that were changed, by name: kept in this browser, and packed into a link.

const PLACE = "pegcp: changed models";
const MOST = 200_000; // characters of a link

export class Changes {
  texts = new Map();

  constructor() {
    try {
      for (const [name, text] of Object.entries(JSON.parse(localStorage.getItem(PLACE)) ?? {})) {
        if (typeof text === "string") this.texts.set(name, text);
      }
    } catch { /* a browser that keeps nothing */ }
  }

  /** Keep a changed model; null: it is as it ships. */
  set(name, text) {
    if (text === null) this.texts.delete(name);
    else this.texts.set(name, text);
    try {
      localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(this.texts)));
    } catch { /* kept until the page is left, and in its link */ }
  }

  /** All of them as part of a link; empty if there are none. */
  async packed() {
    if (!this.texts.size) return "";
    const stream = new Blob([JSON.stringify(Object.fromEntries(this.texts))]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** Take those of a link in the place of those of the same names; they are kept only when they are changed again. */
  async unpack(words) {
    if (!words) return;
    try {
      if (words.length > MOST) throw new RangeError("too long");
      const bytes = Uint8Array.from(atob(words.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
      const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
      for (const [name, model] of Object.entries(JSON.parse(text))) if (typeof model === "string") this.texts.set(name, model);
    } catch {
      throw new Error("The changed models of this link cannot be read: it is not whole.");
    }
  }
}
