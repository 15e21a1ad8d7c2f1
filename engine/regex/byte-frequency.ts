/** How often bytes are met in source code. */

/** Printable ASCII from the most to the least frequent, counted over source code of C, Go, Java, Python, Rust and TypeScript. */
const BY_FREQUENCY =
  " etrsinaolcd_upfm.h()g,/b\":0*x-yvST;=EkwCAIR{}1N>LMOP2DF#3'BU<46q5`8H[]9G&V7zWj\\@K!X+|YQ$%J?Z^~";

/** Of a byte that is none of those: there are few of them all together. */
const OTHER_SHARE = 0.0001;
/** Makes the shares of printable ASCII one, about. */
const SCALE = 0.24;

/** How many bytes are more frequent. */
export function rankOf(byte: number): number {
  const place = BY_FREQUENCY.indexOf(String.fromCharCode(byte));
  return place < 0 ? BY_FREQUENCY.length : place;
}

/** The share of a text's bytes that are this one, about: the next less frequent byte is as much rarer as in words of a language (Zipf's law). */
export function shareOf(byte: number): number {
  const rank = rankOf(byte);
  if (byte === 0x09) return SCALE / 4;
  return rank === BY_FREQUENCY.length ? OTHER_SHARE : SCALE / (rank + 2);
}
