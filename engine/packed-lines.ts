/**
 * Lines of hits as numbers and bytes: gathered so while documents are looked for, sent so from a worker (both arrays are given
 * away, not copied), and printed from so. As objects, several for each line, they took longer to make, to travel and to print
 * than to find.
 *
 * For each line `numbers` holds: line, byte, bytes cut, bytes of its text, how many numbers of ranges follow, those; `text` holds
 * the texts one after the other, as UTF-8.
 */

/** Lines of many hits. Both arrays may be longer than what is in them. */
export interface LinePack {
  numbers: Float64Array;
  text: Uint8Array;
}

/** Lines of one field of a hit. */
export interface FieldLines {
  /** Lines that match, shown or not. */
  total: number;
  /** Lines that are shown. */
  count: number;
  /** Where the first of them is in the pack: place in `numbers`, place in `text`. LineCursor reads them. */
  readonly at: number;
  readonly textAt: number;
  readonly pack: LinePack;
}

/** Line, byte, bytes cut, bytes of the text, numbers of ranges. */
const NUMBERS_OF_A_LINE = 5;
const FIRST_NUMBERS = 64;
const FIRST_TEXT = 1024;
/** Shorter texts are copied byte by byte: setting up a copy costs more. */
const SHORT_TEXT = 96;

/** A line to add; [begin, end) of some text is what is shown of it. */
export interface AddedLine {
  /** From 1. */
  readonly line: number;
  /** Where it begins in the value. */
  readonly byte: number;
  readonly begin: number;
  readonly end: number;
  readonly cutBytes: number;
}

/** Gathers the lines of fields of hits, one field after the other. */
export class LinePacker {
  /** Most searches show no line: there is no room before the first. */
  readonly pack: LinePack = { numbers: new Float64Array(0), text: new Uint8Array(0) };
  #numbers = 0;
  #text = 0;

  /** A field whose lines are added from now on. */
  begin(): FieldLines {
    return { total: 0, count: 0, at: this.#numbers, textAt: this.#text, pack: this.pack };
  }

  /** Bytes of what was added so far. */
  get bytes(): number {
    return 8 * this.#numbers + this.#text;
  }

  /** Adds a line to the field that was begun last. `ranges`: begin and end of each match, within the line. */
  add(field: FieldLines, text: Uint8Array, added: AddedLine, ranges: readonly number[]): void {
    const { line, byte, begin, end, cutBytes } = added;
    const length = end - begin;
    const numbers = this.#roomForNumbers(NUMBERS_OF_A_LINE + ranges.length);
    let at = this.#numbers;
    numbers[at++] = line;
    numbers[at++] = byte;
    numbers[at++] = cutBytes;
    numbers[at++] = length;
    numbers[at++] = ranges.length;
    for (let i = 0; i < ranges.length; i++) numbers[at++] = ranges[i];
    this.#numbers = at;
    const into = this.#roomForText(length);
    if (length <= SHORT_TEXT) for (let i = 0; i < length; i++) into[this.#text + i] = text[begin + i];
    else into.set(text.subarray(begin, end), this.#text);
    this.#text += length;
    field.count++;
  }

  #roomForNumbers(count: number): Float64Array {
    const { pack } = this;
    const least = this.#numbers + count;
    if (least > pack.numbers.length) {
      const larger = new Float64Array(Math.max(least, FIRST_NUMBERS, 2 * pack.numbers.length));
      larger.set(pack.numbers);
      pack.numbers = larger;
    }
    return pack.numbers;
  }

  #roomForText(bytes: number): Uint8Array {
    const { pack } = this;
    const least = this.#text + bytes;
    if (least > pack.text.length) {
      const larger = new Uint8Array(Math.max(least, FIRST_TEXT, 2 * pack.text.length));
      larger.set(pack.text);
      pack.text = larger;
    }
    return pack.text;
  }
}

/** Goes through the lines of a field: after each `next` that is true its members tell of one. */
export class LineCursor {
  /** From 1. */
  line = 0;
  /** Where it begins in the value, in bytes of UTF-8. */
  byte = 0;
  /** Bytes that the text lacks. */
  cutBytes = 0;
  /** Its text: bytes [begin, end) of the pack's. */
  begin = 0;
  end = 0;
  /** Its ranges: numbers [rangesBegin, rangesEnd) of the pack's, begin and end of each. */
  rangesBegin = 0;
  rangesEnd: number;
  readonly #numbers: Float64Array;
  #left: number;

  constructor({ count, at, textAt, pack }: FieldLines) {
    this.#numbers = pack.numbers;
    this.#left = count;
    this.rangesEnd = at;
    this.end = textAt;
  }

  /** Goes to the next line; false: there is none. */
  next(): boolean {
    if (this.#left-- === 0) return false;
    const numbers = this.#numbers;
    const at = this.rangesEnd;
    this.line = numbers[at];
    this.byte = numbers[at + 1];
    this.cutBytes = numbers[at + 2];
    this.begin = this.end;
    this.end += numbers[at + 3];
    this.rangesBegin = at + NUMBERS_OF_A_LINE;
    this.rangesEnd = this.rangesBegin + numbers[at + 4];
    return true;
  }
}

/** The packs that the lines of some hits lie in, each once. */
export function packsOf(hits: readonly { readonly matchingLines?: Record<string, FieldLines> }[]): Set<LinePack> {
  const packs = new Set<LinePack>();
  for (const { matchingLines } of hits) {
    if (matchingLines !== undefined) for (const { pack } of Object.values(matchingLines)) packs.add(pack);
  }
  return packs;
}
