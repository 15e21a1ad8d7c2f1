import { lowerCase } from "./lower-case.js";
import { type Parameters, readBoolean, readStrings } from "./parameters.js";
import type { Token, TokenFilter } from "./token.js";

/**
 * Splits words at what is neither letter nor digit, at case changes and between letters and digits, and may join the
 * parts again: Lucene's WordDelimiterGraphFilter, and WordDelimiterFilter ("flat"), which tells no position lengths.
 */
interface Settings {
  wordParts: boolean;
  numberParts: boolean;
  joinWords: boolean;
  joinNumbers: boolean;
  joinAll: boolean;
  preserve: boolean;
  splitOnCase: boolean;
  splitOnNumerics: boolean;
  possessive: boolean;
  isProtected: ReadonlySet<string>;
}

type PartKind = "word" | "number";

interface Part {
  text: string;
  start: number;
  kind: PartKind;
}

/** The filter its parameters describe. */
export function wordDelimiter(parameters: Parameters, shape: "flat" | "graph"): TokenFilter {
  const flag = (key: string, whenAbsent: boolean) => readBoolean(parameters, key, whenAbsent);
  const settings: Settings = {
    wordParts: flag("generate_word_parts", true),
    numberParts: flag("generate_number_parts", true),
    joinWords: flag("catenate_words", false),
    joinNumbers: flag("catenate_numbers", false),
    joinAll: flag("catenate_all", false),
    preserve: flag("preserve_original", false),
    splitOnCase: flag("split_on_case_change", true),
    splitOnNumerics: flag("split_on_numerics", true),
    possessive: flag("stem_english_possessive", true),
    isProtected: new Set(readStrings(parameters, "protected_words", [])),
  };
  return (tokens) => {
    const out: Token[] = [];
    // Parts take further positions: what follows moves on by them.
    let shift = 0;
    for (const token of tokens) {
      const made = split({ ...token, position: token.position + shift }, settings);
      for (const one of made) out.push(shape === "flat" ? { ...one, positionLength: 1 } : one);
      const span = Math.max(1, ...made.map((one) => one.position - token.position - shift + one.positionLength));
      shift += span - 1;
    }
    return out;
  };
}

function split(token: Token, settings: Settings): Token[] {
  if (settings.isProtected.has(token.term)) return [token];
  const parts = partsOf(token.term, settings);
  if (parts.length === 1 && parts[0].text === token.term) return [token];
  if (parts.length === 0) return settings.preserve ? [token] : [];
  // A single word without its delimiters is given whatever the settings say.
  const isWanted = (part: Part) =>
    parts.length === 1 || (part.kind === "word" ? settings.wordParts : settings.numberParts);
  const wanted = parts.filter(isWanted);
  const made: Token[] = [];
  const seen = new Set<string>();
  const add = (text: string, start: number, end: number, position: number, positionLength: number) => {
    const key = `${position}:${positionLength}:${text}`;
    if (seen.has(key)) return;
    seen.add(key);
    made.push(partToken(token, { text, start, end, position, positionLength }));
  };
  const span = Math.max(1, wanted.length);
  const whole = parts.map((part) => part.text).join("");
  const last = parts[parts.length - 1];
  if (settings.preserve) add(token.term, 0, token.term.length, 0, span);
  if (settings.joinAll) add(whole, parts[0].start, last.start + last.text.length, 0, span);
  addJoined(parts, settings, (part) => wanted.indexOf(part), add);
  wanted.forEach((part, index) => {
    add(part.text, part.start, part.start + part.text.length, index, 1);
  });
  return made.sort((a, b) => a.position - b.position || b.positionLength - a.positionLength);
}

/** Runs of parts of one kind, joined, where that is wanted. */
function addJoined(
  parts: readonly Part[],
  settings: Settings,
  positionOf: (part: Part) => number,
  add: (text: string, start: number, end: number, position: number, positionLength: number) => void,
): void {
  for (let from = 0; from < parts.length; ) {
    let to = from + 1;
    while (to < parts.length && parts[to].kind === parts[from].kind) to++;
    const run = parts.slice(from, to);
    const joined = parts[from].kind === "word" ? settings.joinWords : settings.joinNumbers;
    if (joined && run.length > 1) {
      const end = run[run.length - 1];
      const position = Math.max(0, positionOf(run[0]));
      const span = positionOf(run[0]) < 0 ? 1 : run.length;
      add(run.map((part) => part.text).join(""), run[0].start, end.start + end.text.length, position, span);
    }
    from = to;
  }
}

interface PartPlace {
  text: string;
  start: number;
  end: number;
  position: number;
  positionLength: number;
}

function partToken(token: Token, place: PartPlace): Token {
  // A term that an earlier filter changed in length has no places inside it: parts then point at the whole.
  const exact = token.end - token.start === token.term.length;
  return {
    term: place.text,
    start: exact ? token.start + place.start : token.start,
    end: exact ? token.start + place.end : token.end,
    position: token.position + place.position,
    positionLength: place.positionLength,
    type: token.type,
  };
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;

function kindOf(char: string): number {
  // Lucene looks at UTF-16 units: what is beyond the basic plane joins with anything.
  if (char.length > 1) return LOWER | UPPER | DIGIT;
  if (/\p{Ll}/u.test(char)) return LOWER;
  if (/\p{Lu}/u.test(char)) return UPPER;
  // Superscripts and fractions of Latin-1 are delimiters in Lucene's table.
  if (/^(?![\u00b2\u00b3\u00b9\u00bc-\u00be])\p{N}/u.test(char)) return DIGIT;
  // Letters without case belong to both, so that no case change is seen beside them.
  return /[\p{L}\p{M}]/u.test(char) ? LOWER | UPPER : 0;
}

function partsOf(term: string, settings: Settings): Part[] {
  const parts: Part[] = [];
  let current = "";
  let start = 0;
  let last = 0;
  let at = 0;
  const close = () => {
    if (current !== "")
      parts.push({
        text: current,
        start,
        kind: kindOf(String.fromCodePoint(current.codePointAt(0)!)) === DIGIT ? "number" : "word",
      });
    current = "";
  };
  for (const char of term) {
    const kind = kindOf(char);
    const possessive = settings.possessive && isPossessive(term, at, last);
    if (kind === 0) close();
    else if (current !== "" && breaks(last, kind, settings)) close();
    if (possessive) break;
    if (kind !== 0 && current === "") start = at;
    if (kind !== 0) current += char;
    last = kind;
    at += char.length;
  }
  close();
  return parts;
}

/** `'s` at the end of a word. */
function isPossessive(term: string, at: number, last: number): boolean {
  return term[at] === "'" && last !== 0 && last !== DIGIT && lowerCase(term.slice(at + 1)) === "s";
}

function breaks(left: number, right: number, settings: Settings): boolean {
  if ((left & right) !== 0) return false;
  if (left === DIGIT || right === DIGIT) return settings.splitOnNumerics;
  // A capital and the small letters after it are one word.
  return settings.splitOnCase && !(left === UPPER && right === LOWER);
}

/** Makes a graph of tokens flat (Lucene's FlattenGraphFilter): here positions are already those of the longest path. */
export const flattenGraph: TokenFilter = (tokens) => tokens;
