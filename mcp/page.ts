import { BYTES_PER_TOKEN, printable, wholeCharacters } from "../code/index.js";

/**
 * Tokens that the frame around a text costs, which is all else of the line that goes over the wire:
 * `{"result":{"content":[{"type":"text","text":""}]},"jsonrpc":"2.0","id":1234567890}` and its end. Most clients count
 * their requests; what a longer id costs is idTokens.
 */
export const FRAME_TOKENS = 28;

/** Bytes of an id that the frame has room for. */
const FRAME_ID_BYTES = 10;

/** Tokens by which the id of a request makes the frame of its answer longer. */
export function idTokens(id: string | number): number {
  return Math.max(0, Math.ceil((byteLength(JSON.stringify(id)) - FRAME_ID_BYTES) / BYTES_PER_TOKEN));
}

/** Smallest budget a tool takes: below it, not even counts and the way to continue fit. */
export const MIN_TOKENS = 100;

/** Largest budget a tool takes. */
export const MAX_TOKENS = 50_000;

/** Budget of a call that names none. */
export const DEFAULT_TOKENS = 2_000;

/** The argument with which a call that goes on has the budget of the one before it; none where that is the usual one. */
export function sameBudget({ maxTokens }: Pick<Page, "maxTokens">): { max_tokens?: number } {
  return maxTokens === DEFAULT_TOKENS ? {} : { max_tokens: maxTokens };
}

/** What a line end takes in an answer. */
export const LINE_END_BYTES = 2;

/** A text that never passes its budget: what does not fit is not taken, and the caller hears so. */
export class Page {
  #text = "";
  #room: number;

  /** `maxTokens` includes the frame, and what the request's id adds to it. */
  constructor(
    readonly maxTokens: number,
    idTokens = 0,
  ) {
    this.#room = Math.max(0, (maxTokens - FRAME_TOKENS - idTokens) * BYTES_PER_TOKEN);
  }

  /** UTF-8 bytes left, as the answer has them: see wireBytes. */
  get room(): number {
    return this.#room;
  }

  /** Keeps bytes back for what must be said at the end; give them back before saying it. */
  reserve(bytes: number): void {
    this.#room -= bytes;
  }

  /** Adds a piece if all of it fits. */
  add(piece: string): boolean {
    const size = wireBytes(piece);
    if (size > this.#room) return false;
    this.#text += piece;
    this.#room -= size;
    return true;
  }

  /** Adds one line, cut to the room there is; what would break it or move a cursor is escaped. */
  addCut(line: string): void {
    if (this.#room > LINE_END_BYTES) this.add(`${cutText(printable(line), this.#room - LINE_END_BYTES)}\n`);
  }

  text(): string {
    return this.#text;
  }
}

/** UTF-8 bytes of a text, for places in it. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** UTF-8 bytes that a text takes in an answer, which is JSON: quotes, tabs and line ends take two. Budgets count these. */
export function wireBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text), "utf8") - 2;
}

/**
 * A text within a number of bytes of an answer: cut with `... (+N bytes)` of the text when it is longer and that note has
 * room, bluntly otherwise.
 */
export function cutText(text: string, maxBytes: number): string {
  if (wireBytes(text) <= maxBytes) return text;
  const size = byteLength(text);
  // The note is measured with the largest number it can hold, so that it fits whatever the cut takes.
  const room = maxBytes - wireBytes(` ... (+${size} bytes)`);
  if (room < 0) return prefix(text, maxBytes);
  const head = prefix(text, room);
  return `${head} ... (+${size - byteLength(head)} bytes)`;
}

/** The longest beginning of whole characters within a number of bytes of an answer, or a little less. */
function prefix(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  for (let most = maxBytes; ; ) {
    const head = wholeCharacters(bytes, 0, most);
    const excess = wireBytes(head) - maxBytes;
    if (excess <= 0 || head === "") return head;
    most = Math.min(most - 1, Math.max(0, byteLength(head) - excess));
  }
}
