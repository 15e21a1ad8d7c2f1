/**
 * Patterns over terms: literal bytes, any one character, any run of characters. Matched over UTF-8 by going back to the last
 * run only, so that a pattern costs at most its length times the term's, whatever it is.
 */

/** Any one character; literals are their byte. */
const ONE = 256;
/** Any run of characters. */
const RUN = 257;

/** A pattern made ready. Plain data: equal sources mean equal matches. */
export interface Glob {
  /** Bytes, ONE and RUN; ASCII letters in lower case when `folded`. */
  readonly tokens: Uint16Array;
  /** ASCII letters match in either case; others only as they are (Lucene `AutomatonQueries.toCaseInsensitiveChar`). */
  readonly folded: boolean;
  /** What every match begins with; empty when `folded`. */
  readonly prefix: Uint8Array;
}

/** A part of a pattern. */
export type GlobPart = "one" | "run" | { literal: string };

/** Makes a pattern of its parts. */
export function glob(parts: readonly GlobPart[], folded: boolean): Glob {
  const tokens: number[] = [];
  const prefix: number[] = [];
  let plain = !folded;
  for (const part of parts) {
    if (typeof part === "object") {
      const bytes = Buffer.from(part.literal, "utf8");
      for (const byte of bytes) tokens.push(folded ? lower(byte) : byte);
      if (plain) prefix.push(...bytes);
    } else {
      plain = false;
      // Adjacent runs mean one.
      if (part === "one") tokens.push(ONE);
      else if (tokens.at(-1) !== RUN) tokens.push(RUN);
    }
  }
  return { tokens: Uint16Array.from(tokens), folded, prefix: Uint8Array.from(prefix) };
}

/** Whether a whole term matches. */
export function matchesGlob({ tokens, folded }: Glob, term: Uint8Array): boolean {
  let token = 0;
  let at = 0;
  let run = -1;
  let mark = 0;
  while (at < term.length) {
    const wanted = token < tokens.length ? tokens[token] : -1;
    if (wanted === RUN) {
      run = ++token;
      mark = at;
    } else if (wanted === ONE && isStart(term[at])) {
      at = nextCharacter(term, at);
      token++;
    } else if (wanted === (folded ? lower(term[at]) : term[at])) {
      at++;
      token++;
    } else if (run >= 0) {
      // The last run takes one byte more.
      at = ++mark;
      token = run;
    } else return false;
  }
  while (token < tokens.length && tokens[token] === RUN) token++;
  return token === tokens.length;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/** Whether a byte begins a character. */
function isStart(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}

function nextCharacter(term: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < term.length && !isStart(term[next])) next++;
  return next;
}
