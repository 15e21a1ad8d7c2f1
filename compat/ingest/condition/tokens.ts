/** The words of a condition. */
import { illegalArgument, notSupported } from "../../errors.js";
import { doubleValue, type Value } from "../document/values.js";

/** A word of it. */
export interface Token {
  readonly kind: "name" | "value" | "sign" | "regex" | "end";
  /** As it is written. */
  readonly text: string;
  readonly value: Value;
  /** Where it begins, in UTF-16 units. */
  readonly at: number;
}

/** Longest first where one begins another. */
const SIGNS = [
  "==~",
  "===",
  "!==",
  "?.",
  "?:",
  "==",
  "!=",
  "<=",
  ">=",
  "=~",
  "&&",
  "||",
  "(",
  ")",
  "[",
  "]",
  ".",
  ",",
  "!",
  "<",
  ">",
  "+",
  "-",
  "*",
  "/",
  "%",
  "?",
  ":",
  ";",
  "=",
  "{",
  "}",
] as const; // prettier-ignore
/** A condition is no program: what is longer than this is refused. */
const MAX_TOKENS = 4_000;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /[A-Za-z_$][\w$]*/y;
const NUMBER = /(\d+(\.\d+)?(?:[eE][-+]?\d+)?)([lLfFdD]?)/y;
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const REGEX = /\/((?:[^/\\\n]|\\.)+)\/([a-zA-Z]*)/y;

/** Takes a condition apart; the last token is of kind `end`. Throws ApiError 400. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = skip(source, 0); at < source.length; at = skip(source, at)) {
    const token = tokenAt(source, at, tokens.at(-1));
    tokens.push(token);
    if (tokens.length > MAX_TOKENS) throw illegalArgument(`a condition has at most ${MAX_TOKENS} words`);
    at += token.text.length;
  }
  tokens.push({ kind: "end", text: "", value: null, at: source.length });
  return tokens;
}

function skip(source: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(source)?.[0].length ?? 0);
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function tokenAt(source: string, at: number, before: Token | undefined): Token {
  const name = match(NAME, source, at);
  if (name !== null) return { kind: "name", text: name[0], value: null, at };
  const number = match(NUMBER, source, at);
  if (number !== null) return { kind: "value", text: number[0], value: numberFrom(number), at };
  const text = match(TEXT, source, at);
  if (text !== null) return { kind: "value", text: text[0], value: unescaped(text[0]), at };
  // A slash begins a regular expression only where one is wanted: elsewhere it divides.
  if (before?.text === "=~" || before?.text === "==~") {
    const regex = match(REGEX, source, at);
    if (regex !== null) return { kind: "regex", text: regex[0], value: null, at };
  }
  const sign = SIGNS.find((one) => source.startsWith(one, at));
  if (sign === undefined) throw notSupported(`[${source.slice(at, at + 10)}] in the condition [${source}]`);
  return { kind: "sign", text: sign, value: null, at };
}

function numberFrom([, digits, fraction, suffix]: RegExpExecArray): Value {
  const double = fraction !== undefined || /[eE]/.test(digits) || /[fFdD]/.test(suffix);
  if (double) return doubleValue(Number(digits));
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function unescaped(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}
