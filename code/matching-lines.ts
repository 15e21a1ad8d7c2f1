import { identifiersOf, partsOf, placedWords } from "./identifier.js";

/** A line worth showing. */
export interface MatchingLine {
  /** 1-based number in the file. */
  line: number;
  text: string;
  /** How many of the wanted texts stand on it. */
  matched: number;
  /** Where the first of them begins, in UTF-16 units. */
  column: number;
}

/** What to look for in which text; `count` lines at most. */
export interface MatchingLinesRequest {
  code: string;
  /** Number in the file of the code's first line. */
  startLine: number;
  /** Words and phrases, see `wantedTexts`. */
  wanted: readonly string[];
  count: number;
  /** Number of a line that stays before others with as many words, such as the one with the declared name. */
  preferred?: number;
  /** Numbers of lines that are asked for themselves: they come before all others. */
  asked?: readonly number[];
}

/**
 * The lines of a hit on which the query's words stand: those with most of the words, in the file's order.
 * A word stands on a line as in the index: whatever its case, as a whole identifier or as parts of one in a row.
 */
export function matchingLines(request: MatchingLinesRequest): MatchingLine[] {
  const needles = request.wanted.map(needleOf).filter((needle) => needle.parts.length > 0);
  const isOther = ({ line }: { line: number }) => Number(line !== request.preferred);
  const isAsked = ({ line }: { line: number }) => request.asked?.includes(line) === true;
  return request.code
    .split("\n")
    .map((text, at) => ({
      line: request.startLine + at,
      text: text.replace(/\r$/, ""),
      matched: countMatched(text, needles),
    }))
    .filter((line) => line.matched > 0 || isAsked(line))
    .sort(
      (a, b) =>
        Number(isAsked(b)) - Number(isAsked(a)) || b.matched - a.matched || isOther(a) - isOther(b) || a.line - b.line,
    )
    .slice(0, request.count)
    .sort((a, b) => a.line - b.line)
    .map((line) => ({ ...line, column: firstMatch(line.text, needles) }));
}

/**
 * Which line of a declaration carries its name, counted from 0: the first with the name in it that is no annotation
 * (`@total.setter` stands above `def total`), else the first with the name; undefined when none has it.
 */
export function lineOfName(lines: readonly string[], name: string): number | undefined {
  const wanted = identifiersOf(name).at(-1);
  if (wanted === undefined) return undefined;
  const holding = lines.flatMap((line, at) =>
    line.includes(wanted) && identifiersOf(line).includes(wanted) ? [at] : [],
  );
  return holding.find((at) => !/^\s*(@|#?\[)/.test(lines[at])) ?? holding[0];
}

interface Needle {
  whole: string;
  parts: string[];
}

function needleOf(wanted: string): Needle {
  const identifiers = identifiersOf(wanted);
  return { whole: identifiers.length === 1 ? identifiers[0].toLowerCase() : "", parts: identifiers.flatMap(partsOf) };
}

function countMatched(line: string, needles: Needle[]): number {
  // Cutting a line into identifiers is dear beside looking for letters in it, and most lines of a long body have none.
  const lower = line.toLowerCase();
  if (!needles.some((needle) => lower.includes(needle.parts[0]))) return 0;
  const identifiers = identifiersOf(line);
  const wholes = new Set(identifiers.map((identifier) => identifier.toLowerCase()));
  const parts = identifiers.flatMap(partsOf);
  return needles.filter((needle) => wholes.has(needle.whole) || holdsRow(parts, needle.parts)).length;
}

/** Where the first match on a line begins; 0 when there is none. */
function firstMatch(line: string, needles: Needle[]): number {
  const { identifiers, parts } = placedWords(line);
  const words = parts.map(({ word }) => word);
  const found = needles.flatMap((needle) => {
    const whole = identifiers.find(({ word }) => word === needle.whole);
    const row = parts.find((_, at) => needle.parts.every((part, offset) => words[at + offset] === part));
    return [whole, row].flatMap((word) => (word === undefined ? [] : [word.at]));
  });
  return found.length === 0 ? 0 : Math.min(...found);
}

function holdsRow(parts: string[], wanted: string[]): boolean {
  for (let at = 0; at + wanted.length <= parts.length; at++) {
    if (wanted.every((part, offset) => parts[at + offset] === part)) return true;
  }
  return false;
}

/** Where wanted texts stand on a line, whatever their case, in UTF-8 bytes and in order; overlapping ones are one. */
export function rangesOf(line: string, wanted: readonly string[]): [number, number][] {
  const lower = line.toLowerCase();
  // Lower case of another length would shift what is behind it.
  if (lower.length !== line.length) return [];
  const found = wanted.flatMap((text) => placesOf(lower, text.toLowerCase()));
  const joined: [number, number][] = [];
  for (const [start, end] of found.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  const bytes = (units: number) => Buffer.byteLength(line.slice(0, units), "utf8");
  return joined.map(([start, end]) => [bytes(start), bytes(end)]);
}

function placesOf(line: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  if (text === "") return places;
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length))
    places.push([at, at + text.length]);
  return places;
}
