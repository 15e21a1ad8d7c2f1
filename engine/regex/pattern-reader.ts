/** A pattern, read character by character, and what the escapes in it mean. */
import type { EngineError } from "../errors.js";
import { type ClassMeaning, perlClass, posixClass, unicodeClass } from "./classes.js";
import { LAST_CODE_POINT, mergeRanges, negateRanges, type Ranges } from "./ranges.js";
import { patternError } from "./syntax.js";

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** A place in a pattern. */
export class PatternReader {
  readonly #characters: readonly string[];
  at = 0;

  constructor(readonly pattern: string) {
    this.#characters = [...pattern];
  }

  get more(): boolean {
    return this.at < this.#characters.length;
  }

  /** The character `ahead` of the place; undefined behind the end. */
  peek(ahead = 0): string | undefined {
    return this.#characters[this.at + ahead];
  }

  /** Up to `count` characters from here. */
  ahead(count: number): string {
    return this.#characters.slice(this.at, this.at + count).join("");
  }

  /** Whether what follows is this text. */
  sees(text: string): boolean {
    return [...text].every((character, i) => this.#characters[this.at + i] === character);
  }

  /** Goes over the text where it follows. */
  take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += [...text].length;
    return true;
  }

  next(): string {
    const character = this.#characters[this.at];
    if (character === undefined) throw this.error("ends too early");
    this.at++;
    return character;
  }

  /** The text up to the next `end`, which is gone over; null when there is none. */
  until(end: string): string | null {
    const found = this.#characters.indexOf(end, this.at);
    if (found < 0) return null;
    const text = this.#characters.slice(this.at, found).join("");
    this.at = found + 1;
    return text;
  }

  /** What is wrong at a place, by default this one. */
  error(reason: string, at = this.at): EngineError {
    return patternError(this.pattern, at + 1, reason);
  }

  /** The character that an escape stands for; the place is behind its backslash. */
  escapedCharacter(): number {
    const start = this.at - 1;
    const character = this.next();
    if (character === "x") return this.#hexadecimal(start);
    if (character >= "0" && character <= "7") return this.#octal(character, start);
    const simple = SIMPLE_ESCAPES[character];
    if (simple !== undefined) return simple;
    if (/^[A-Za-z0-9]$/.test(character)) throw this.error(`\\${character} means nothing`, start);
    return character.codePointAt(0) as number;
  }

  #hexadecimal(start: number): number {
    const braced = this.take("{");
    const digits = braced ? (this.until("}") ?? "") : `${this.peek() ?? ""}${this.peek(1) ?? ""}`;
    if (!braced) this.at = Math.min(this.at + 2, this.#characters.length);
    const code = /^[0-9A-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(code <= LAST_CODE_POINT) || (!braced && digits.length !== 2)) {
      throw this.error("\\x wants two hexadecimal digits, or up to 10FFFF in braces", start);
    }
    return code;
  }

  /** `\0`, and up to three digits; a single other digit would be a reference to a group. */
  #octal(first: string, start: number): number {
    let digits = first;
    while (digits.length < 3 && /^[0-7]$/.test(this.peek() ?? "")) digits += this.next();
    if (first !== "0" && digits.length === 1) throw this.error("references to groups are not supported", start);
    return Number.parseInt(digits, 8);
  }

  /** `\d \w \s \pL \p{Greek}` and their opposites, with what folds with them; null (and the place as it was) for anything else. */
  classEscape(meaning: ClassMeaning, fold: (ranges: Ranges) => Ranges): Ranges | null {
    if (this.peek() !== "\\") return null;
    const letter = this.peek(1) ?? "";
    if (!/^[dswpDSWP]$/.test(letter)) return null;
    const start = this.at;
    this.at += 2;
    let negated = letter === letter.toUpperCase();
    let ranges: Ranges;
    if (letter.toLowerCase() === "p") {
      const name = this.take("{") ? this.until("}") : this.next();
      if (name === null) throw this.error("\\p{ wants a closing brace", start);
      if (name.startsWith("^")) negated = !negated;
      const found = unicodeClass(name.replace(/^\^/, ""));
      if (found === null) throw this.error(`there is no class of characters called [${name}]`, start);
      ranges = found;
    } else ranges = perlClass(letter.toLowerCase(), meaning);
    return signed(fold(ranges), negated);
  }

  /** `[:alpha:]` inside of brackets; null for anything else. */
  namedClass(fold: (ranges: Ranges) => Ranges): Ranges | null {
    if (!this.sees("[:")) return null;
    const rest = this.#characters.slice(this.at + 2).join("");
    const [whole, sign, name] = /^(\^?)([^\]:]*):\]/.exec(rest) ?? [];
    if (whole === undefined) return null;
    const found = posixClass(name);
    if (found === null) throw this.error(`there is no class of characters called [:${name}:]`);
    this.at += 2 + whole.length;
    return signed(fold(found), sign === "^");
  }
}

function signed(ranges: Ranges, negated: boolean): Ranges {
  return negated ? negateRanges(ranges) : mergeRanges(ranges);
}
