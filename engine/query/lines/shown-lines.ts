/** Lines as they are shown: numbered, cut, with those beside them and where they match. */
import type { FieldLines, LinePacker } from "../../packed-lines.js";
import type { MatchingLinesOptions } from "../../search.js";
import type { PieceLines } from "../exec/context.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NO_RANGES: readonly number[] = [];

/** What showing lines takes beside their text. */
export interface LineTools {
  readonly packer: LinePacker;
  readonly options: MatchingLinesOptions;
  /** Where a line matches: begin and end of each match, within the line, ascending. */
  ranges(text: Uint8Array, begin: number, end: number): readonly number[];
  /** Line feeds in [from, to) of a piece. */
  countFeeds(piece: PieceLines, from: number, to: number): number;
}

/** Memory that what was packed takes: arrays grow by doubling. */
export function bytesOf(packer: LinePacker): number {
  return 2 * packer.bytes;
}

/** Shows lines of one piece, from the first on: line numbers are counted on the way. */
export class ShownLines {
  readonly #text: Uint8Array;
  /** The first line that is not shown yet: its number, and where it begins. */
  #number: number;
  #begin = 0;

  constructor(
    readonly tools: LineTools,
    readonly piece: PieceLines,
    readonly field: FieldLines,
  ) {
    this.#text = piece.text;
    this.#number = piece.line + 1;
  }

  /** Adds the first `most` matching lines to the field, with those around them. */
  first(most: number): void {
    const { begins, ends, text } = this.piece;
    const { options } = this.tools;
    const count = Math.min(most, begins.length);
    for (let i = 0; i < count; i++) {
      this.#before(begins[i]);
      const next = i + 1 < count ? begins[i + 1] : text.length;
      this.#show(begins[i], ends[i], this.tools.ranges(text, begins[i], ends[i]));
      // The line feed of a line that is the last to be shown is looked for by nobody.
      if (i + 1 < count || options.after > 0) this.#pass(begins[i], ends[i]);
      for (let n = 0; n < options.after && this.#begin < next; n++) this.#showPlain();
    }
  }

  /** Goes to the line that begins at `target`, showing the last few lines before it. */
  #before(target: number): void {
    let from = target;
    for (let n = 0; n < this.tools.options.before && from > this.#begin; n++) {
      from = from < 2 ? 0 : this.#text.lastIndexOf(LINE_FEED, from - 2) + 1;
    }
    from = Math.max(from, this.#begin);
    if (from > this.#begin) this.#number += this.tools.countFeeds(this.piece, this.#begin, from);
    this.#begin = from;
    while (this.#begin < target) this.#showPlain();
  }

  /** Goes behind a line: past its carriage return, if there is one, and its line feed. */
  #pass(begin: number, end: number): void {
    let feed = Math.max(begin, end);
    while (feed < this.#text.length && this.#text[feed] !== LINE_FEED) feed++;
    this.#begin = feed + 1;
    this.#number++;
  }

  #showPlain(): void {
    const begin = this.#begin;
    const found = this.#text.indexOf(LINE_FEED, begin);
    const feed = found < 0 ? this.#text.length : found;
    const returned = found >= 0 && feed > begin && this.#text[feed - 1] === CARRIAGE_RETURN;
    this.#show(begin, returned ? feed - 1 : feed, NO_RANGES);
    this.#begin = feed + 1;
    this.#number++;
  }

  #show(begin: number, end: number, ranges: readonly number[]): void {
    const cut = this.#cutAt(begin, end);
    const line = { line: this.#number, byte: this.piece.byte + begin, begin, end: cut, cutBytes: end - cut };
    this.tools.packer.add(this.field, this.#text, line, ranges);
  }

  /** The end of what is shown of a line: at the end of a character. */
  #cutAt(begin: number, end: number): number {
    const { maxLineBytes } = this.tools.options;
    if (end - begin <= maxLineBytes) return end;
    let cut = begin + maxLineBytes;
    while (cut > begin && (this.#text[cut] & 0xc0) === 0x80) cut--;
    return cut;
  }
}
