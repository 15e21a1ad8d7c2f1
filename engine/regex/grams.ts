/**
 * The alphabet of the trigram index. Every byte of a text has one of 128 letters; a gram is three letters of bytes that
 * follow each other, a number of 21 bits, so that whoever builds an index can address tables by it.
 *
 *   byte         letter
 *   A-Z          as a-z: one index serves searches that mind case and those that do not
 *   0x20-0x7e    as they are, upper case apart; likewise \t \n \r
 *   0x80-0xbf    the lower five bits, one of 32 letters (bytes that continue a character of UTF-8)
 *   0xc0-0xff    the lower six bits modulo 23, one of 23 letters (bytes that begin one)
 *   other        0
 *
 * Bytes above 0x7f are not folded by case: a pattern that ignores case asks for both writings (`é` C3 A9, `É` C3 89), and
 * where Unicode folds a letter of ASCII with one outside of it (k and K KELVIN SIGN, s and ſ) for both of those. Bytes that are no valid
 * UTF-8 are bytes like any other.
 *
 * A gram with a line feed in it does not exist (`NO_GRAM`): lines are what is searched, and a tenth of the index is saved.
 * Whoever asks for grams asks only for those of one line, whoever indexes leaves the others out.
 *
 * Which text the grams of an answer are looked for in is the index's matter; a pattern that is matched line by line
 * (RegexProgram.grams) needs its grams in one line, so a chunk that ends where a line ends holds them all. What is matched against a
 * whole value needs them anywhere in the value.
 */

/** Letters of the alphabet. */
export const GRAM_LETTERS = 128;
/** Grams there are at most: numbers in [0, GRAM_COUNT). */
export const GRAM_COUNT = GRAM_LETTERS ** 3;
/** Bytes of text that a gram covers. */
export const GRAM_BYTES = 3;
/** What `gramAt` returns where there is no gram: a line feed lies in it, or the text ends before. */
export const NO_GRAM = -1;

const LINE_FEED = 0x0a;
/** Letters for bytes >= 0x80: those that no ASCII byte has. */
const FREE_LETTERS = freeLetters();
const CONTINUATION_LETTERS = 32;

/** The letter of every byte. */
export const GRAM_LETTER: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => letterOf(byte));

/** Code points below 0x80 that stand for themselves in the alphabet: all but controls and upper case. */
function standsForItself(byte: number): boolean {
  if (byte === 0x09 || byte === LINE_FEED || byte === 0x0d) return true;
  return byte >= 0x20 && byte < 0x7f && !(byte >= 0x41 && byte <= 0x5a);
}

function freeLetters(): number[] {
  const free: number[] = [];
  for (let letter = 1; letter < GRAM_LETTERS; letter++) if (!standsForItself(letter)) free.push(letter);
  return free;
}

function letterOf(byte: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  if (byte < 0x80) return standsForItself(byte) ? byte : 0;
  if (byte < 0xc0) return FREE_LETTERS[byte & 31];
  const others = FREE_LETTERS.length - CONTINUATION_LETTERS;
  return FREE_LETTERS[CONTINUATION_LETTERS + ((byte & 63) % others)];
}

/** The gram of three letters (not bytes). */
export function gramOf(first: number, second: number, third: number): number {
  return (first << 14) | (second << 7) | third;
}

/** The gram of the bytes at `at`, `at + 1`, `at + 2`; NO_GRAM where there is none. */
export function gramAt(bytes: Uint8Array, at: number): number {
  if (at < 0 || at + GRAM_BYTES > bytes.length) return NO_GRAM;
  const first = bytes[at];
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (first === LINE_FEED || second === LINE_FEED || third === LINE_FEED) return NO_GRAM;
  return gramOf(GRAM_LETTER[first], GRAM_LETTER[second], GRAM_LETTER[third]);
}

/** A gram in letters; those that are no printable ASCII as `<number>`. */
export function printGram(gram: number): string {
  const letters = [gram >> 14, (gram >> 7) & 127, gram & 127];
  return letters
    .map((letter) => (letter >= 0x20 && standsForItself(letter) ? String.fromCharCode(letter) : `<${letter}>`))
    .join("");
}
