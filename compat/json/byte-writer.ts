/**
 * Builds a response body of text with raw bytes spliced in. Text is gathered as a string and encoded only when bytes
 * follow, so that a page of hits costs one encoding and one copy per hit.
 */
/** Most answers fit into it, and Node has so much ready (Buffer.poolSize): a buffer of its own is one more for the collector. */
const FIRST_SIZE = 4_000;

export interface ByteWriter {
  text(text: string): void;
  /** Copies the bytes as they are: they must be JSON already. */
  bytes(bytes: Uint8Array): void;
  /** The buffer, with room for so many bytes behind the last that was written: for who writes them one by one, and then says `wrote`. */
  room(bytes: number): { readonly buffer: Buffer; readonly at: number };
  /** All bytes before `end` are written. */
  wrote(end: number): void;
  finish(): Buffer;
}

/** A writer over its own growing buffer; `finish` gives that buffer away. */
export function byteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(FIRST_SIZE);
  let length = 0;
  let pending = "";
  const reserve = (bytes: number): void => {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  const flush = (): void => {
    if (pending === "") return;
    reserve(pending.length * 3);
    length += buffer.write(pending, length);
    pending = "";
  };
  return {
    text: (text) => {
      pending += text;
    },
    bytes: (bytes) => {
      flush();
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    room: (bytes) => {
      flush();
      reserve(bytes);
      return { buffer, at: length };
    },
    wrote: (end) => {
      length = end;
    },
    finish: () => {
      flush();
      return buffer.subarray(0, length);
    },
  };
}
