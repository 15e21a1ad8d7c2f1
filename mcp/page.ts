import { BYTES_PER_TOKEN, printable, wholeCharacters } from "../code/index.js";

/** Tokens that the protocol's own frame around a text costs: `{"content":[{"type":"text","text":""}]}`. */
export const FRAME_TOKENS = 14;

/** Smallest budget a tool takes: below it, not even counts and the way to continue fit. */
export const MIN_TOKENS = 100;

/** Largest budget a tool takes. */
export const MAX_TOKENS = 50_000;

/** A text that never passes its budget: what does not fit is not taken, and the caller hears so. */
export class Page {
  #text = "";
  #room: number;

  /** `maxTokens` includes the frame. */
  constructor(readonly maxTokens: number) {
    this.#room = Math.max(0, (maxTokens - FRAME_TOKENS) * BYTES_PER_TOKEN);
  }

  /** UTF-8 bytes left. */
  get room(): number {
    return this.#room;
  }

  /** Keeps bytes back for what must be said at the end; give them back before saying it. */
  reserve(bytes: number): void {
    this.#room -= bytes;
  }

  /** Adds a piece if all of it fits. */
  add(piece: string): boolean {
    const size = byteLength(piece);
    if (size > this.#room) return false;
    this.#text += piece;
    this.#room -= size;
    return true;
  }

  /** Adds one line, cut to the room there is; what would break it or move a cursor is escaped. */
  addCut(line: string): void {
    if (this.#room > 1) this.add(`${cutText(printable(line), this.#room - 1)}\n`);
  }

  text(): string {
    return this.#text;
  }
}

/** UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** A text within a number of bytes: cut with `... (+N bytes)` when it is longer and that note has room, bluntly otherwise. */
export function cutText(text: string, maxBytes: number): string {
  const size = byteLength(text);
  if (size <= maxBytes) return text;
  // The note is measured with the largest number it can hold, so that it fits whatever the cut takes.
  const room = maxBytes - byteLength(` ... (+${size} bytes)`);
  if (room < 0) return prefix(text, maxBytes);
  const head = prefix(text, room);
  return `${head} ... (+${size - byteLength(head)} bytes)`;
}

/** The longest beginning of whole characters within a number of bytes. */
function prefix(text: string, maxBytes: number): string {
  return wholeCharacters(Buffer.from(text, "utf8"), 0, maxBytes);
}
