/** Reads what a WebAssembly module is made of, as far as it is asked for here. */

/** Where the sections of a module begin. */
export const HEADER_BYTES = 8;
/** The numbers of sections. */
export const Section = { custom: 0, code: 10 } as const;

/** An unsigned LEB128 number and where it ends. */
export function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined || shift > 28) throw new RangeError(`wasm header: bad number at byte ${at}`);
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, next: at };
  }
}

/** Bytes of the largest function's code; 0 of a module without code. */
export function largestFunction(wasm: Uint8Array): number {
  for (let at = HEADER_BYTES; at < wasm.length; ) {
    const size = readNumber(wasm, at + 1);
    if (wasm[at] === Section.code) return largestOf(wasm, size.next);
    at = size.next + size.value;
  }
  return 0;
}

function largestOf(wasm: Uint8Array, at: number): number {
  const count = readNumber(wasm, at);
  let largest = 0;
  let next = count.next;
  for (let i = 0; i < count.value; i++) {
    const size = readNumber(wasm, next);
    largest = Math.max(largest, size.value);
    next = size.next + size.value;
  }
  return largest;
}
