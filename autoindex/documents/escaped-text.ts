/**
 * A text as JSON, of which pieces are cut. The documents of a file repeat its text: each declaration holds its own part,
 * and those in it hold theirs again. Quoting the text once and cutting takes a fraction of quoting each part.
 *
 * Where a place of the text is in its JSON is remembered every `STRIDE` units; the rest is counted on the way.
 */
const STRIDE = 256;

/** What each unit below 128 is longer in JSON: `\n`, `\"` by one, `\u0001` by five. */
const LONGER = Uint8Array.from({ length: 128 }, (_, unit) => JSON.stringify(String.fromCharCode(unit)).length - 3);

/** A text that is quoted once. */
export class EscapedText {
  /** All of it as JSON. */
  readonly whole: string;
  readonly #text: string;
  /** How much longer the JSON is up to each stride; made when it is first asked for. */
  #longer: Uint32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    this.whole = JSON.stringify(text);
  }

  /** What `JSON.stringify` gives for the units from one index to another. */
  slice(start: number, end: number): string {
    const text = this.#text;
    if (end <= start) return '""';
    // Half of a pair is written as an escape; inside of the whole it is no half.
    if (isSurrogate(text.charCodeAt(start)) || isSurrogate(text.charCodeAt(end - 1))) {
      return JSON.stringify(text.slice(start, end));
    }
    return `"${this.whole.slice(this.#place(start), this.#place(end))}"`;
  }

  /** Where a unit of the text begins in its JSON. */
  #place(index: number): number {
    if (this.whole.length === this.#text.length + 2) return index + 1;
    this.#longer ??= longerBefore(this.#text);
    const stride = Math.floor(index / STRIDE);
    return index + 1 + this.#longer[stride]! + longerBetween(this.#text, stride * STRIDE, index);
  }
}

function longerBefore(text: string): Uint32Array {
  const table = new Uint32Array(Math.floor(text.length / STRIDE) + 1);
  for (let stride = 1; stride < table.length; stride++) {
    table[stride] = table[stride - 1]! + longerBetween(text, (stride - 1) * STRIDE, stride * STRIDE);
  }
  return table;
}

function longerBetween(text: string, from: number, to: number): number {
  let longer = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) longer += LONGER[unit]!;
    else if (isSurrogate(unit) && !isPaired(text, at, unit)) longer += 5;
  }
  return longer;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

function isPaired(text: string, at: number, unit: number): boolean {
  const other = text.charCodeAt(unit < 0xdc00 ? at + 1 : at - 1);
  return isSurrogate(other) && other < 0xdc00 !== unit < 0xdc00;
}
