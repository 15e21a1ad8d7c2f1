/**
 * Named classes of characters. Perl's `\d \w \s` have two meanings: Unicode's (as ripgrep; Unicode Technical Standard #18, annex C)
 * and ASCII's (as RE2). What Unicode says comes from the JavaScript engine's own tables.
 */
import { mergeRanges, type Ranges } from "./ranges.js";

/** What `\d \w \s \b` are about. */
export type ClassMeaning = "unicode" | "ascii";

const ASCII_PERL: Readonly<Record<string, Ranges>> = {
  d: [[0x30, 0x39]],
  s: [
    [0x09, 0x0a],
    [0x0c, 0x0d],
    [0x20, 0x20],
  ],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
};

const UNICODE_PERL: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
};

const LOWER: Ranges = [[0x61, 0x7a]];
const UPPER: Ranges = [[0x41, 0x5a]];
const DIGIT: Ranges = [[0x30, 0x39]];
const ALPHA: Ranges = [...UPPER, ...LOWER];
const ALNUM: Ranges = [...DIGIT, ...ALPHA];

const POSIX: Readonly<Record<string, Ranges>> = {
  alnum: ALNUM,
  alpha: ALPHA,
  ascii: [[0x00, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: DIGIT,
  graph: [[0x21, 0x7e]],
  lower: LOWER,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper: UPPER,
  word: ASCII_PERL.w,
  xdigit: [
    [0x30, 0x39],
    [0x41, 0x46],
    [0x61, 0x66],
  ],
};

/** `\d`, `\w`, `\s` by their letter. */
export function perlClass(letter: string, meaning: ClassMeaning): Ranges {
  if (meaning === "ascii") return ASCII_PERL[letter];
  return fromEngine(`[${UNICODE_PERL[letter]}]`);
}

/** The class of `[:name:]`; null when there is none of that name. */
export function posixClass(name: string): Ranges | null {
  return Object.hasOwn(POSIX, name) ? POSIX[name] : null;
}

/** The class of `\p{name}`: a general category, a script or a binary property; null when there is none of that name. */
export function unicodeClass(name: string): Ranges | null {
  if (name === "Any") return [[0, 0x10ffff]];
  if (!/^[A-Za-z0-9_ -]+(=[A-Za-z0-9_ -]+)?$/.test(name)) return null;
  // A script also has the characters that it shares with others in JavaScript's Script_Extensions; RE2 means Script.
  for (const spelled of name.includes("=") ? [name] : [`gc=${name}`, `sc=${name}`, name]) {
    try {
      return fromEngine(`\\p{${spelled}}`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}

/**
 * Code points that are looked at one by one, within a plane each. The rest is of one kind by the stretch: not assigned, or private
 * use. (Characters of CJK extensions end before 0x32400.)
 */
const SCANNED: Ranges = [
  [0x0000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2ffff],
  [0x30000, 0x33fff],
  [0xe0000, 0xe0fff],
];
const ALIKE: Ranges = [
  [0x34000, 0xdffff],
  [0xe1000, 0xeffff],
  [0xf0000, 0x10ffff],
];

const known = new Map<string, Ranges>();
let scanned: readonly { readonly from: number; readonly text: string }[] | undefined;

/** The code points that a class of JavaScript's regular expressions matches. Throws SyntaxError for a property it lacks. */
function fromEngine(source: string): Ranges {
  const found = known.get(source);
  if (found !== undefined) return found;
  const one = new RegExp(`^${source}$`, "u");
  scanned ??= SCANNED.map(([from, to]) => ({ from, text: textOf(from, to) }));
  const ranges = scanned.flatMap((stretch) => runsIn(source, stretch));
  ranges.push(...ALIKE.filter(([from]) => one.test(String.fromCodePoint(from))));
  const merged = mergeRanges(ranges);
  known.set(source, merged);
  return merged;
}

/** All code points of a stretch, one after the other: runs of matching characters are runs of code points. */
function textOf(from: number, to: number): string {
  const units: number[] = [];
  for (let code = from; code <= to; code++) {
    if (code > 0xffff) units.push(0xd800 | ((code - 0x10000) >> 10), 0xdc00 | (code & 0x3ff));
    else units.push(code);
  }
  return Buffer.from(Uint16Array.from(units).buffer).toString("utf16le");
}

function runsIn(source: string, { from, text }: { from: number; text: string }): (readonly [number, number])[] {
  const units = from > 0xffff ? 2 : 1;
  return Array.from(text.matchAll(new RegExp(`${source}+`, "gu")), (run) => {
    const first = from + run.index / units;
    return [first, first + run[0].length / units - 1] as const;
  });
}
