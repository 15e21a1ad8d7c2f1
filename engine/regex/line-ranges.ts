/** Where in a line a pattern matches. */
import type { LinePattern } from "./line-pattern.js";
import type { RequiredLiteral } from "./literals.js";
import { insideCharacter, type TextSpan } from "./looks.js";
import { OrderedAutomaton } from "./ordered-automaton.js";
import { OrderedSearch } from "./ordered-search.js";
import { RangesAcrossLines } from "./ranges-across-lines.js";
import { MAX_RANGES } from "./ranges-limit.js";

/** Bytes that attempts to match may read for each of a line, and at least. */
const READ_PER_BYTE = 16;
const LEAST_READ = 1000;

/** Finds ranges for one pattern; keeps its working memory. */
export class LineRanges {
  readonly #ordered: OrderedSearch;
  /** null: the pattern looks around itself, or goes over lines. */
  readonly #automaton: OrderedAutomaton | null;
  /** null: no match goes over lines. */
  readonly #across: RangesAcrossLines | null;

  constructor(readonly pattern: LinePattern) {
    const { program, options } = pattern;
    this.#ordered = new OrderedSearch(program);
    const fits = options.extent === "line" && program.looks.size === 0;
    this.#automaton = fits ? new OrderedAutomaton(program) : null;
    this.#across = options.extent === "lines" ? new RangesAcrossLines(program) : null;
  }

  /**
   * The first MAX_RANGES matches in the line [begin, end) of a text: begin and end of each, as offsets within the line. Of matches
   * over several lines, what lies in the line; nothing, at its end, of one that has only what ends the line.
   */
  of(text: Uint8Array, begin: number, end: number): number[] {
    if (this.#across !== null) return this.#across.of(text, begin, end);
    const { literal } = this.pattern;
    if (literal?.extent === "whole" && literal.folds.every((fold) => fold === 0)) {
      return literalRanges({ bytes: text, begin, end }, literal);
    }
    const ranges: number[] = [];
    let from = begin;
    if (this.#automaton !== null) {
      from = this.#byAutomaton(this.#automaton, { bytes: text, begin, end }, ranges);
      if (from < 0) return ranges;
    }
    const span = { bytes: text, begin, end };
    while (ranges.length < 2 * MAX_RANGES && from <= end) {
      const match = this.#ordered.find(span, from);
      if (match === null) return ranges;
      const emptyBehind = match[0] === match[1] && ranges.at(-1) === match[0] - begin;
      if (!emptyBehind) ranges.push(match[0] - begin, match[1] - begin);
      from = match[1] > match[0] ? match[1] : nextCharacter(text, match[1]);
    }
    return ranges;
  }

  /** Adds ranges of a line; returns where somebody else must go on, because attempts took too long; -1: these are all. */
  #byAutomaton(automaton: OrderedAutomaton, line: TextSpan, ranges: number[]): number {
    const { bytes, begin, end } = line;
    automaton.left = LEAST_READ + READ_PER_BYTE * (end - begin);
    for (let at = begin; ranges.length < 2 * MAX_RANGES; ) {
      at = this.#ordered.nextStart(line, at);
      if (at > end || (at === end && !this.#ordered.mayBeEmpty)) return -1;
      if (automaton.left < 0) return at;
      const last = insideCharacter(line, at) ? -1 : automaton.matchEnd(bytes, at, end);
      // An empty match directly behind another does not count.
      if (last > at || (last === at && ranges.at(-1) !== at - begin)) ranges.push(at - begin, last - begin);
      at = Math.max(at + 1, last);
    }
    return -1;
  }
}

/** Byte by byte from the rarest byte of the literal: lines are short, and calls that search take longer to begin. */
function literalRanges({ bytes, begin, end }: TextSpan, literal: RequiredLiteral): number[] {
  const ranges: number[] = [];
  const wanted = literal.bytes;
  const rare = literal.rare[0];
  const rareByte = wanted[rare];
  const last = end - wanted.length;
  for (let at = begin; at <= last; ) {
    if (bytes[at + rare] !== rareByte || !isAt(bytes, at, wanted)) at++;
    else {
      ranges.push(at - begin, at - begin + wanted.length);
      if (ranges.length === 2 * MAX_RANGES) return ranges;
      at += wanted.length;
    }
  }
  return ranges;
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

function nextCharacter(text: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < text.length && (text[next] & 0xc0) === 0x80) next++;
  return next;
}
