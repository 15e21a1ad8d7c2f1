import { EngineError } from "../errors.js";
import type { DateFields, FullDateFields } from "./date-fields.js";
import { timeZone } from "./time-zone.js";

/**
 * Date patterns in java.time.format.DateTimeFormatter's letters, compiled to a list of elements that both parse and
 * print. Three letters are ours, for the built-in formats only: `f` is a fraction of a second of one to nine digits
 * (printed with three), `t` is any zone (`Z`, `+01:00`, `+0100`, `+01`, or a zone's name), `q` is a year of one to five
 * digits.
 */
export interface Element {
  /** Reads at `at`; returns where it stopped, or -1. */
  parse(text: string, at: number, into: DateFields): number;
  print(fields: FullDateFields): string;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const ZONE_TEXT =
  /^(?:Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?|[A-Za-z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*(?:[+-]\d{1,2}(?::\d{2})?)?)/;

type NumberField = Exclude<keyof DateFields, "zone" | "epochMillis" | "epochRest">;

/** Field and widest number of digits of the letters that read plain numbers. */
const NUMBER_LETTERS: Readonly<Record<string, { field: NumberField; width: number }>> = {
  M: { field: "month", width: 2 },
  L: { field: "month", width: 2 },
  d: { field: "day", width: 2 },
  H: { field: "hour", width: 2 },
  h: { field: "clockHour", width: 2 },
  m: { field: "minute", width: 2 },
  s: { field: "second", width: 2 },
  D: { field: "dayOfYear", width: 3 },
  w: { field: "week", width: 2 },
  e: { field: "dayOfWeek", width: 1 },
};
const YEAR_LETTERS: Readonly<Record<string, NumberField>> = { y: "year", u: "year", Y: "weekYear" };

/** Compiles a pattern. Throws invalid_value naming the letter that means nothing. */
export function compilePattern(pattern: string, letters: "java" | "internal"): Element[] {
  const { elements, end } = compileUntil(pattern, 0, letters);
  if (end !== pattern.length) throw invalidPattern(pattern, "Pattern invalid as it contains ] without previous [");
  return elements;
}

function invalidPattern(pattern: string, why: string): EngineError {
  return new EngineError("invalid_value", `Invalid format: [${pattern}]: ${why}`, { format: pattern });
}

function compileUntil(pattern: string, from: number, letters: "java" | "internal") {
  const elements: Element[] = [];
  let at = from;
  while (at < pattern.length && pattern[at] !== "]") {
    const char = pattern[at];
    if (char === "[") {
      const inner = compileUntil(pattern, at + 1, letters);
      elements.push(optional(inner.elements));
      at = inner.end + 1;
    } else if (char === "'") {
      const close = closingQuote(pattern, at);
      elements.push(literal(close === at + 1 ? "'" : pattern.slice(at + 1, close).replaceAll("''", "'")));
      at = close + 1;
    } else if (/[A-Za-z]/.test(char)) {
      let end = at + 1;
      while (pattern[end] === char) end++;
      elements.push(letterElement(pattern, at, end, letters));
      at = end;
    } else {
      if ("{}#".includes(char)) throw invalidPattern(pattern, `Pattern includes reserved character: '${char}'`);
      elements.push(literal(char));
      at++;
    }
  }
  return { elements, end: at };
}

function closingQuote(pattern: string, open: number): number {
  let at = open + 1;
  while (at < pattern.length) {
    if (pattern[at] === "'") {
      if (pattern[at + 1] !== "'" || at === open + 1) return at;
      at++;
    }
    at++;
  }
  throw invalidPattern(pattern, "Pattern ends with an incomplete string literal");
}

function letterElement(pattern: string, at: number, end: number, letters: "java" | "internal"): Element {
  const letter = pattern[at];
  const count = end - at;
  const adjacent = /^[yuYMLdHhmsSDwn]/.test(pattern.slice(end));
  if (letters === "internal" && letter === "q") return yearElement("year", 1, 5);
  if (letter in YEAR_LETTERS) {
    const widest = adjacent ? count : count === 1 ? 9 : Math.max(count, 4);
    return yearElement(YEAR_LETTERS[letter], count, widest, adjacent);
  }
  if ((letter === "M" || letter === "L") && count >= 3) return nameElement("month", MONTHS, count === 3);
  if (letter === "E" || (letter === "e" && count >= 3)) return nameElement("dayOfWeek", WEEKDAYS, count <= 3);
  if (letter in NUMBER_LETTERS) {
    const { field, width } = NUMBER_LETTERS[letter];
    return numberElement(field, count, count === 1 && !adjacent ? Math.max(width, 1) : count);
  }
  if (letter === "S") return fractionElement(count, count, count);
  if (letter === "a") return nameElement("half", ["AM", "PM"], false);
  if ("XxZzVO".includes(letter)) return zoneElement(letter, count);
  if (letters === "internal" && letter === "f") return fractionElement(1, 9, 3);
  if (letters === "internal" && letter === "t") return zoneElement("X", 3);
  throw invalidPattern(pattern, `Unknown pattern letter: ${letter}`);
}

function literal(text: string): Element {
  return { parse: (input, at) => (input.startsWith(text, at) ? at + text.length : -1), print: () => text };
}

function optional(elements: Element[]): Element {
  return {
    parse(text, at, into) {
      const trial: DateFields = {};
      const end = parseElements(elements, text, at, trial);
      if (end < 0) return at;
      Object.assign(into, trial);
      return end;
    },
    print: (fields) => printElements(elements, fields),
  };
}

/** Reads the elements in order; returns where they end or -1. */
export function parseElements(elements: readonly Element[], text: string, from: number, into: DateFields): number {
  let at = from;
  for (const element of elements) {
    at = element.parse(text, at, into);
    if (at < 0) return -1;
  }
  return at;
}

/** Prints the elements in order, optional ones included. */
export function printElements(elements: readonly Element[], fields: FullDateFields): string {
  let out = "";
  for (const element of elements) out += element.print(fields);
  return out;
}

/** End of a run of digits of at most `max`, or -1 when shorter than `min`. */
function digitsEnd(text: string, at: number, min: number, max: number): number {
  let end = at;
  while (end < text.length && end - at < max) {
    const code = text.charCodeAt(end);
    if (code < 48 || code > 57) break;
    end++;
  }
  return end - at < min ? -1 : end;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function numberElement(field: NumberField, min: number, max: number): Element {
  return {
    parse(text, at, into) {
      const end = digitsEnd(text, at, min, max);
      if (end < 0) return -1;
      into[field] = Number(text.slice(at, end));
      return end;
    },
    print: (fields) => pad(fields[field], min),
  };
}

/** Years: two letters are years from 2000; four or more digits, of which more than four need a sign. */
function yearElement(field: NumberField, count: number, widest: number, adjacent = false): Element {
  if (count === 2) {
    return {
      parse(text, at, into) {
        const end = digitsEnd(text, at, 2, 2);
        if (end < 0) return -1;
        into[field] = 2000 + Number(text.slice(at, end));
        return end;
      },
      print: (fields) => pad(((fields[field] % 100) + 100) % 100, 2),
    };
  }
  return {
    parse(text, at, into) {
      const signed = text[at] === "-" || text[at] === "+";
      const start = signed ? at + 1 : at;
      const end = digitsEnd(text, start, count, signed && !adjacent ? Math.max(widest, count > 1 ? 9 : 1) : widest);
      if (end < 0) return -1;
      // A plus sign says that the year is longer than usual (Java's SignStyle.EXCEEDS_PAD).
      if (text[at] === "+" && (count === 1 || end - start <= count)) return -1;
      into[field] = Number(text.slice(at, end));
      return end;
    },
    print(fields) {
      const year = fields[field];
      const digits = pad(Math.abs(year), count);
      return year < 0 ? `-${digits}` : count >= 4 && year > 9999 ? `+${digits}` : digits;
    },
  };
}

function nameElement(field: NumberField, names: readonly string[], short: boolean): Element {
  const shown = short ? names.map((name) => name.slice(0, 3)) : names;
  const first = field === "half" ? 0 : 1;
  return {
    parse(text, at, into) {
      const index = shown.findIndex((name) => text.startsWith(name, at));
      if (index < 0) return -1;
      into[field] = index + first;
      return at + shown[index].length;
    },
    print: (fields) => shown[fields[field] - first],
  };
}

function fractionElement(min: number, max: number, printed: number): Element {
  return {
    parse(text, at, into) {
      const end = digitsEnd(text, at, min, max);
      if (end < 0) return -1;
      into.milli = Number(text.slice(at, Math.min(end, at + 3)).padEnd(3, "0"));
      return end;
    },
    print: (fields) => pad(fields.milli, 3).padEnd(printed, "0").slice(0, printed),
  };
}

function zoneElement(letter: string, count: number): Element {
  return {
    parse(text, at, into) {
      const match = ZONE_TEXT.exec(text.slice(at));
      if (match === null) return -1;
      try {
        into.zone = timeZone(match[0]);
      } catch {
        return -1;
      }
      return at + match[0].length;
    },
    print: (fields) => printOffset(fields.offset, letter, count),
  };
}

function printOffset(offset: number, letter: string, count: number): string {
  const withZ = letter === "X" || letter === "V" || letter === "z" || (letter === "Z" && count === 5);
  if (offset === 0 && withZ) return letter === "z" ? "UTC" : "Z";
  const colon = letter === "V" || letter === "z" || ("Xx".includes(letter) ? count === 3 || count === 5 : count >= 4);
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  const sign = offset < 0 ? "-" : "+";
  const prefix = letter === "O" || (letter === "Z" && count === 4) ? "GMT" : "";
  const hours = `${sign}${pad(Math.floor(minutes / 60), 2)}`;
  if ("Xx".includes(letter) && count === 1 && minutes % 60 === 0) return hours;
  return `${prefix}${hours}${colon ? ":" : ""}${pad(minutes % 60, 2)}`;
}
