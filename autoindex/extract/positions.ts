/**
 * Places in a text: the parser counts UTF-16 units, documents count UTF-8 bytes and lines.
 *
 * Byte offsets are remembered every `STRIDE` units and the rest is counted on the way, so one place costs at most a
 * stride, also on a line of a megabyte. A text of ASCII alone needs none of it.
 */
const STRIDE = 256;

/** Converter for one text. */
export class Positions {
  /** UTF-16 index where each line begins; there is always a first line. */
  readonly lineStarts: readonly number[];
  readonly byteLength: number;
  readonly #checkpoints: Uint32Array | undefined;

  constructor(readonly text: string) {
    this.lineStarts = findLineStarts(text);
    this.byteLength = Buffer.byteLength(text);
    this.#checkpoints = this.byteLength === text.length ? undefined : checkpoints(text);
  }

  /** Count of lines; a final line feed does not begin another. */
  get lines(): number {
    const last = this.lineStarts.at(-1)!;
    return last === this.text.length ? this.lineStarts.length - 1 : this.lineStarts.length;
  }

  /** UTF-8 offset of a UTF-16 index. */
  byteAt(index: number): number {
    if (!this.#checkpoints) return index;
    const stride = Math.floor(index / STRIDE);
    return this.#checkpoints[stride]! + bytesBetween(this.text, stride * STRIDE, index);
  }

  /** 1-based line of a UTF-16 index. */
  lineAt(index: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Index just past a 1-based line, its line feed included. */
  endOfLine(line: number): number {
    return this.lineStarts[line] ?? this.text.length;
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function checkpoints(text: string): Uint32Array {
  const table = new Uint32Array(Math.floor(text.length / STRIDE) + 1);
  for (let stride = 1; stride < table.length; stride++) {
    table[stride] = table[stride - 1]! + bytesBetween(text, (stride - 1) * STRIDE, stride * STRIDE);
  }
  return table;
}

/** Bytes of the units from one index to another; a pair that is cut counts two bytes on either side. */
function bytesBetween(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPaired(text, at, unit) ? 2 : 3;
  }
  return bytes;
}

/** Half of a surrogate pair: the pair is four bytes; a half alone becomes U+FFFD, three bytes. */
function isPaired(text: string, at: number, unit: number): boolean {
  if (unit >= 0xd800 && unit < 0xdc00) return isBetween(text.charCodeAt(at + 1), 0xdc00, 0xe000);
  if (unit >= 0xdc00 && unit < 0xe000) return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdc00);
  return false;
}

function isBetween(unit: number, low: number, high: number): boolean {
  return unit >= low && unit < high;
}
