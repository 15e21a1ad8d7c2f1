/** Unsigned 32-bit numbers in 7 bits a byte, low bits first, top bit set on all but the last (LEB128). */

/** Writes at `at`, returns the place behind. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let next = at;
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes[next++] = (rest & 127) | 128;
  bytes[next++] = rest;
  return next;
}

/** Reads at `at`. Where speed matters readers do this inline, without the object. */
export function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next++];
    value |= (byte & 127) << shift;
    if (byte < 128) return { value: value >>> 0, next };
  }
}
