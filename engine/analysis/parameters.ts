import { EngineError } from "../errors.js";

/** The settings of one analyzer, tokenizer or filter, as the user wrote them: numbers and booleans may be strings. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A whole number, or what it is when absent. Throws invalid_value naming the key. */
export function readNumber(parameters: Parameters, key: string, whenAbsent: number): number {
  const value = parameters[key];
  if (value === undefined || value === null) return whenAbsent;
  const number = typeof value === "number" ? value : Number(String(value).trim() || Number.NaN);
  if (Number.isInteger(number)) return number;
  throw badValue(key, value);
}

/** A boolean, or what it is when absent. Throws invalid_value naming the key. */
export function readBoolean(parameters: Parameters, key: string, whenAbsent: boolean): boolean {
  const value = parameters[key];
  if (value === undefined || value === null) return whenAbsent;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw badValue(key, value);
}

/** A list of strings; a single string is split at commas, as Elasticsearch's settings do. */
export function readStrings(parameters: Parameters, key: string, whenAbsent: readonly string[]): readonly string[] {
  const value = parameters[key];
  if (value === undefined || value === null) return whenAbsent;
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string") throw badValue(key, value);
  return value === "" ? [] : value.split(",").map((part) => part.trim());
}

function badValue(key: string, value: unknown): EngineError {
  return new EngineError("invalid_value", `Failed to parse value [${JSON.stringify(value)}] for setting [${key}]`, {
    key,
  });
}

/** Java's POSIX classes, which JavaScript lacks. */
const POSIX: Readonly<Record<string, string>> = {
  "\\p{Alpha}": "a-zA-Z",
  "\\p{Digit}": "0-9",
  "\\p{Alnum}": "a-zA-Z0-9",
  "\\p{Upper}": "A-Z",
  "\\p{Lower}": "a-z",
  "\\p{Punct}": "!-\\/:-@\\[-`{-~",
  "\\p{Space}": "\\s",
  "\\p{IsAlphabetic}": "\\p{Alphabetic}",
  "\\p{IsDigit}": "\\p{Nd}",
};
const FLAGS: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: "i",
  MULTILINE: "m",
  DOTALL: "s",
  UNICODE_CASE: "",
};

/**
 * The `pattern` of a tokenizer or filter, a Java regular expression, as a JavaScript one with `extra` flags. Throws invalid_value
 * where JavaScript cannot say it.
 */
export function readPattern(parameters: Parameters, whenAbsent: string, extra: string): RegExp {
  const source = String(parameters.pattern ?? whenAbsent);
  const names = String(parameters.flags ?? "")
    .split("|")
    .filter((name) => name !== "");
  const flags = names.map((name) => {
    if (Object.hasOwn(FLAGS, name)) return FLAGS[name];
    throw new EngineError("invalid_value", `Unknown regex flag [${name}]`, { value: name });
  });
  return javaPattern(source, flags.join("") + extra);
}

function javaPattern(source: string, flags: string): RegExp {
  // Inside a class the ranges stand alone; elsewhere they need brackets of their own.
  const translated = translatePosix(source);
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(translated, flags + mode);
    } catch {
      // Java allows escapes that the strict mode of JavaScript refuses: the loose one is tried next.
    }
  }
  throw new EngineError("invalid_value", `Pattern [${source}] cannot be compiled`, { pattern: source });
}

function translatePosix(source: string): string {
  let inClass = false;
  return source.replace(/\\p\{\w+\}|\\.|[[\]]/g, (piece) => {
    if (piece === "[") inClass = true;
    else if (piece === "]") inClass = false;
    const ranges = POSIX[piece];
    if (ranges === undefined) return piece;
    return inClass ? ranges : `[${ranges}]`;
  });
}
