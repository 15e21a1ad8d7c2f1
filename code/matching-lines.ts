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
}

/**
 * The lines of a hit on which the query's words stand: those with most of the words, in the file's order.
 * A word stands on a line as in the index: whatever its case, as a whole identifier or as parts of one in a row.
 */
export function matchingLines(request: MatchingLinesRequest): MatchingLine[] {
  const needles = request.wanted.map(needleOf).filter((needle) => needle.parts.length > 0);
  const isOther = ({ line }: { line: number }) => Number(line !== request.preferred);
  return request.code
    .split("\n")
    .map((text, at) => ({
      line: request.startLine + at,
      text: text.replace(/\r$/, ""),
      matched: countMatched(text, needles),
    }))
    .filter((line) => line.matched > 0)
    .sort((a, b) => b.matched - a.matched || isOther(a) - isOther(b) || a.line - b.line)
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
