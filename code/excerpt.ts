/** What to cut out of which line. */
export interface ExcerptRequest {
  /** The line, or a piece of it. */
  text: string;
  /** What must be seen: an index into `text`, in UTF-16 units. */
  at: number;
  /** Longest result, in UTF-8 bytes. */
  maxBytes: number;
  /** UTF-8 bytes of the line before and after `text`, counted with what is cut off. */
  before?: number;
  after?: number;
}

/** Share of the room that goes to what stands before the place looked for. */
const LEAD = 1 / 4;

/**
 * A piece of a long line around a place in it, with the bytes left out on either side:
 * `(+5120 bytes) ... the piece ... (+40 bytes)`. A line that fits is given as it is.
 */
export function excerpt(request: ExcerptRequest): string {
  const { text, at, maxBytes, before = 0, after = 0 } = request;
  const bytes = Buffer.from(text, "utf8");
  if (before + after === 0 && bytes.length <= maxBytes) return text;
  // The notes are measured with the largest numbers they can hold.
  const room = maxBytes - leadNote(before + bytes.length).length - tailNote(after + bytes.length).length;
  if (room <= 0) return wholeCharacters(bytes, 0, maxBytes);
  const place = Buffer.byteLength(text.slice(0, at), "utf8");
  const start = Math.max(0, Math.min(place - Math.floor(room * LEAD), bytes.length - room));
  const begin = forward(bytes, start);
  const piece = wholeCharacters(bytes, begin, room);
  const left = bytes.length - begin - Buffer.byteLength(piece, "utf8");
  return leadNote(before + begin) + piece + tailNote(after + left);
}

function leadNote(count: number): string {
  return count === 0 ? "" : `(+${count} bytes) ... `;
}

function tailNote(count: number): string {
  return count === 0 ? "" : ` ... (+${count} bytes)`;
}

/** The longest run of whole characters from a byte on, within a number of bytes. */
export function wholeCharacters(bytes: Buffer, start: number, maxBytes: number): string {
  let end = Math.min(start + Math.max(0, maxBytes), bytes.length);
  while (end > start && end < bytes.length && isInside(bytes[end])) end--;
  return bytes.subarray(start, end).toString("utf8");
}

/** The first byte of a character at or behind a place. */
function forward(bytes: Buffer, at: number): number {
  let start = at;
  while (start < bytes.length && isInside(bytes[start])) start++;
  return start;
}

/** A byte that continues a character (UTF-8, RFC 3629: 10xxxxxx). */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
