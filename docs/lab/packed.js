// Large files, which this site keeps packed, so that they are small from any server.

export const at = (path) => new URL(path, import.meta.url).href;

/** The content of a file that is kept as PATH.gz; a server may have unpacked it already. */
export async function unpacked(path) {
  const response = await fetch(at(`${path}.gz`));
  if (!response.ok) throw new Error(`${path} could not be loaded (${response.status})`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes.buffer;
}

/** An address of this content, for what takes nothing else. */
export async function unpackedAddress(path, type = "application/wasm") {
  return URL.createObjectURL(new Blob([await unpacked(path)], { type }));
}
