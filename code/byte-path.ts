/**
 * File names that are no UTF-8, as texts. Most systems take any bytes for a name; an index, JSON and a terminal take
 * text. A byte that is no part of UTF-8 is written `\xE9`, in capitals, as shells and debuggers do: such a text leads
 * back to the bytes, and two names stay two.
 */

/** Only bytes from 0x80 on are ever no UTF-8. */
const ESCAPED = /\\x([89A-F][0-9A-F])/g;

/** A name of any bytes as a text: what is UTF-8 as it is, every other byte as `\xE9`. */
export function byteName(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? `\\x${bytes[at]!.toString(16).toUpperCase()}` : decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return text;
}

/** The bytes of a path that has such names; nothing for one that has none. A file may really be called so: look for it first. */
export function pathBytes(path: string): Uint8Array | undefined {
  if (path.search(ESCAPED) < 0) return undefined;
  const pieces = path.split(ESCAPED);
  const encoder = new TextEncoder();
  // Every other piece is the two digits that the pattern took out.
  return joined(
    pieces.map((piece, at) => (at % 2 === 1 ? Uint8Array.of(Number.parseInt(piece, 16)) : encoder.encode(piece))),
  );
}

/** The same path as programs show it that replace what they cannot read: `caf\xE9.py` is their `caf\uFFFD.py`. */
export function replacedPath(path: string): string {
  return new TextDecoder().decode(pathBytes(path) ?? new TextEncoder().encode(path));
}

/** Bytes of the UTF-8 sequence that begins here, 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
  if (length < 2) return length;
  try {
    if (at + length > bytes.length) return 0;
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

function decode(bytes: Uint8Array): string {
  // A name may begin with what other texts have as a mark of their encoding.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
