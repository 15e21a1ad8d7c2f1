/** Bytes by a named encoding, nothing when they are not of it. A `part` may end inside a character. */
export function decodeWith(encoding: string, bytes: Uint8Array, extent: "part" | "whole"): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: extent === "part" });
  } catch {
    // Bytes that the encoding does not have, or a Node built without its tables: not this one.
    return undefined;
  }
}
