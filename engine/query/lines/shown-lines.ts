/** Lines as they are shown: numbered, cut, with those beside them and where they match. */
import type { MatchingLine, MatchingLinesOptions } from "../../search.js";
import type { PieceLines } from "../exec/context.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A line beside its text, and each of its ranges. */
const LINE_BYTES = 200;
const RANGE_BYTES = 60;

/** What showing lines takes beside their text. */
export interface LineTools {
  /** Where a line matches, as offsets within the line, ascending. */
  ranges(text: Uint8Array, begin: number, end: number): [number, number][];
  /** Line feeds in [from, to) of a piece. */
  countFeeds(piece: PieceLines, from: number, to: number): number;
}

/** Memory that lines take. */
export function bytesOf(lines: readonly MatchingLine[]): number {
  return lines.reduce((sum, { text, ranges }) => sum + LINE_BYTES + 2 * text.length + RANGE_BYTES * ranges.length, 0);
}

/** Lines of one piece, from the first on: line numbers are counted on the way. */
export class ShownLines {
  readonly #text: Buffer;
  readonly #lines: MatchingLine[] = [];
  /** The first line that is not shown yet: its number, and where it begins. */
  #number: number;
  #begin = 0;

  constructor(
    readonly tools: LineTools,
    readonly piece: PieceLines,
    readonly options: MatchingLinesOptions,
  ) {
    const { text, line } = piece;
    this.#number = line + 1;
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  }

  /** The first `most` matching lines with those around them. */
  first(most: number): MatchingLine[] {
    const { begins, ends, text } = this.piece;
    const count = Math.min(most, begins.length);
    for (let i = 0; i < count; i++) {
      this.#before(begins[i]);
      this.#show(begins[i], ends[i], this.tools.ranges(text, begins[i], ends[i]));
      const next = i + 1 < count ? begins[i + 1] : this.#text.length;
      for (let n = 0; n < this.options.after && this.#begin < next; n++) this.#showPlain();
    }
    return this.#lines;
  }

  /** Goes to the line that begins at `target`, showing the last few lines before it. */
  #before(target: number): void {
    let from = target;
    for (let n = 0; n < this.options.before && from > this.#begin; n++) {
      from = from < 2 ? 0 : this.#text.lastIndexOf(LINE_FEED, from - 2) + 1;
    }
    from = Math.max(from, this.#begin);
    this.#number += this.tools.countFeeds(this.piece, this.#begin, from);
    this.#begin = from;
    while (this.#begin < target) this.#showPlain();
  }

  /** Where the line at the place ends: its line feed, or the end of the text. */
  #feed(): number {
    const feed = this.#text.indexOf(LINE_FEED, this.#begin);
    return feed < 0 ? this.#text.length : feed;
  }

  #next(feed: number): void {
    this.#begin = feed + 1;
    this.#number++;
  }

  #showPlain(): void {
    const feed = this.#feed();
    const returned = feed < this.#text.length && feed > this.#begin && this.#text[feed - 1] === CARRIAGE_RETURN;
    this.#show(this.#begin, returned ? feed - 1 : feed, []);
  }

  #show(begin: number, end: number, ranges: [number, number][]): void {
    const cut = this.#cutAt(begin, end);
    this.#lines.push({
      line: this.#number,
      byte: this.piece.byte + begin,
      text: this.#text.toString("utf8", begin, cut),
      ranges,
      cutBytes: end - cut,
    });
    this.#next(this.#feed());
  }

  /** The end of what is shown of a line: at the end of a character. */
  #cutAt(begin: number, end: number): number {
    const { maxLineBytes } = this.options;
    if (end - begin <= maxLineBytes) return end;
    let cut = begin + maxLineBytes;
    while (cut > begin && (this.#text[cut] & 0xc0) === 0x80) cut--;
    return cut;
  }
}
