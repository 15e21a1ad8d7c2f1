/**
 * Lucene's syntax of regular expressions (`org.apache.lucene.util.automaton.RegExp`, all flags): `| & ~ ? * + {n,m} [..] . # @ "..."
 * ( )`, `\d \w \s` and their opposites. A pattern is about the whole text. Refused by name: `<n-m>`.
 */
import { EngineError } from "../../errors.js";
import type { Expression, Expressions, Ranges } from "./expressions.js";

const DIGITS: Ranges = [[0x30, 0x39]];
const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: Ranges = [
  [0x09, 0x0a],
  [0x0d, 0x0d],
  [0x20, 0x20],
];
const CLASSES: Readonly<Record<string, Ranges>> = { d: DIGITS, w: WORD, s: SPACE };
/** Brackets inside of brackets. */
const MAX_DEPTH = 500;

/** Whether a letter of ASCII that is written out matches in either case; classes are as they are (Lucene's ASCII_CASE_INSENSITIVE). */
export type RegexpCase = "as written" | "either case";

/** Parses a pattern. Throws `invalid_value` in Lucene's words. */
export function parseRegexp(pattern: string, make: Expressions, letters: RegexpCase = "as written"): Expression {
  if (pattern === "") return make.empty;
  const parser = new Parser(pattern, make, letters);
  const parsed = parser.union();
  parser.end();
  return parsed;
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(
    readonly pattern: string,
    readonly make: Expressions,
    readonly letters: RegexpCase,
  ) {
    this.#characters = [...pattern];
  }

  end(): void {
    if (this.#more()) throw this.#error(`end-of-string expected at position ${this.#at}`);
  }

  union(): Expression {
    const parts = [this.#intersection()];
    while (this.#match("|")) parts.push(this.#intersection());
    return this.make.or(parts);
  }

  #intersection(): Expression {
    const parts = [this.#concatenation()];
    while (this.#match("&")) parts.push(this.#concatenation());
    return this.make.and(parts);
  }

  #concatenation(): Expression {
    const parts = [this.#repetition()];
    while (this.#more() && !this.#peek(")|&")) parts.push(this.#repetition());
    return parts.reduceRight((rest, part) => this.make.concat(part, rest));
  }

  #repetition(): Expression {
    let of = this.#complement();
    for (;;) {
      if (this.#match("?")) of = this.make.repeat(of, 0, 1);
      else if (this.#match("*")) of = this.make.repeat(of, 0, Number.POSITIVE_INFINITY);
      else if (this.#match("+")) of = this.make.repeat(of, 1, Number.POSITIVE_INFINITY);
      else if (this.#match("{")) of = this.#counted(of);
      else return of;
    }
  }

  #counted(of: Expression): Expression {
    const min = this.#integer();
    let max = min;
    if (this.#match(",")) max = this.#peek("0123456789") ? this.#integer() : Number.POSITIVE_INFINITY;
    if (!this.#match("}")) throw this.#error(`expected '}' at position ${this.#at}`);
    return this.make.repeat(of, min, max);
  }

  #integer(): number {
    let digits = "";
    while (this.#peek("0123456789")) digits += this.#next();
    if (digits === "") throw this.#error(`integer expected at position ${this.#at}`);
    return Number(digits);
  }

  #complement(): Expression {
    let negations = 0;
    while (this.#match("~")) negations++;
    const of = this.#bracket();
    return negations % 2 === 1 ? this.make.not(of) : of;
  }

  #bracket(): Expression {
    if (!this.#match("[")) return this.#simple();
    const negated = this.#match("^");
    const ranges: (readonly [number, number])[] = [];
    do ranges.push(...this.#bracketPart());
    while (this.#more() && !this.#peek("]"));
    if (!this.#match("]")) throw this.#error(`expected ']' at position ${this.#at}`);
    return negated ? this.make.notSet(ranges) : this.make.set(ranges);
  }

  #bracketPart(): Ranges {
    const known = this.#predefined();
    if (known !== null) return known;
    const from = this.#character();
    if (!this.#match("-")) return [[from, from]];
    if (this.#peek("]")) {
      return [
        [from, from],
        [0x2d, 0x2d],
      ];
    }
    const to = this.#character();
    if (from > to) throw this.#error(`invalid range: from (${from}) cannot be > to (${to})`);
    return [[from, to]];
  }

  /** `\d` and its like; null when there is none here. */
  #predefined(): Ranges | null {
    const letter = this.#characters[this.#at + 1];
    if (!this.#peek("\\") || letter === undefined) return null;
    const found = CLASSES[letter.toLowerCase()];
    if (found === undefined || !/^[dwsDWS]$/.test(letter)) return null;
    this.#at += 2;
    if (letter === letter.toLowerCase()) return found;
    const { shape } = this.make.notSet(found);
    return shape.kind === "set" ? shape.ranges : [];
  }

  #simple(): Expression {
    if (this.#match(".")) return this.make.anyCharacter;
    if (this.#match("#")) return this.make.none;
    if (this.#match("@")) return this.make.anything;
    if (this.#match('"')) return this.#quoted();
    if (this.#match("(")) return this.#group();
    if (this.#peek("<")) {
      throw this.#error("numeric intervals such as <1-9> are not supported by Pinakes");
    }
    const known = this.#predefined();
    if (known !== null) return this.make.set(known);
    return this.#one(this.#character());
  }

  #one(code: number): Expression {
    const lower = code | 0x20;
    const letter = this.letters === "either case" && code < 0x80 && lower >= 0x61 && lower <= 0x7a;
    const other = letter ? code ^ 0x20 : code;
    return this.make.set([
      [code, code],
      [other, other],
    ]);
  }

  #quoted(): Expression {
    const start = this.#at;
    while (this.#more() && !this.#peek('"')) this.#at++;
    const text = this.#characters.slice(start, this.#at);
    if (!this.#match('"')) throw this.#error(`expected '"' at position ${this.#at}`);
    return text.reduceRight<Expression>((rest, one) => this.make.concat(this.#literal(one), rest), this.make.empty);
  }

  #literal(character: string): Expression {
    return this.#one(character.codePointAt(0) as number);
  }

  #group(): Expression {
    if (this.#match(")")) return this.make.empty;
    if (++this.#depth > MAX_DEPTH) throw this.#error(`more than ${MAX_DEPTH} brackets inside of each other`);
    const inner = this.union();
    this.#depth--;
    if (!this.#match(")")) throw this.#error(`expected ')' at position ${this.#at}`);
    return inner;
  }

  /** A character, a backslash before it left out. */
  #character(): number {
    this.#match("\\");
    return this.#next().codePointAt(0) as number;
  }

  #more(): boolean {
    return this.#at < this.#characters.length;
  }

  #peek(characters: string): boolean {
    return this.#more() && characters.includes(this.#characters[this.#at]);
  }

  #match(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    if (!this.#more()) throw this.#error("unexpected end-of-string");
    return this.#characters[this.#at++];
  }

  #error(message: string): EngineError {
    return new EngineError("invalid_value", message, { pattern: this.pattern });
  }
}
