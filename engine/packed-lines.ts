/**
 * Lines of hits on their way from a worker: all numbers in one array and all text in one string, which cost a copy. As objects,
 * several for each line, they took longer to travel than to find.
 */
import type { FieldLines, Hit, MatchingLine } from "./search.js";

/** For each field of each hit, in order: how many lines; for each line NUMBERS_OF_A_LINE numbers and its ranges. */
export interface PackedLines {
  readonly numbers: Float64Array;
  readonly text: string;
}

/** Takes the lines out of hits; null: none has any. */
export function packLines(hits: readonly Hit[]): PackedLines | null {
  const numbers: number[] = [];
  const texts: string[] = [];
  for (const field of fieldsOf(hits)) {
    numbers.push(field.lines.length);
    for (const { line, byte, text, ranges, cutBytes } of field.lines) {
      numbers.push(line, byte, cutBytes, text.length, ranges.length);
      for (const [from, to] of ranges) numbers.push(from, to);
      texts.push(text);
    }
    field.lines = [];
  }
  return numbers.length === 0 ? null : { numbers: Float64Array.from(numbers), text: texts.join("") };
}

/** Puts them back into the same hits. */
export function unpackLines(hits: readonly Hit[], { numbers, text }: PackedLines): void {
  let at = 0;
  let textAt = 0;
  const line = (): MatchingLine => {
    const [number, byte, cutBytes, length, count] = numbers.subarray(at, at + NUMBERS_OF_A_LINE);
    at += NUMBERS_OF_A_LINE;
    const ranges: [number, number][] = [];
    for (; ranges.length < count; at += 2) ranges.push([numbers[at], numbers[at + 1]]);
    const from = textAt;
    textAt += length;
    return { line: number, byte, text: text.slice(from, textAt), ranges, cutBytes };
  };
  for (const field of fieldsOf(hits)) {
    const count = numbers[at++];
    for (let i = 0; i < count; i++) field.lines.push(line());
  }
}

/** Line, byte, bytes cut, length of the text, number of ranges. */
const NUMBERS_OF_A_LINE = 5;

function* fieldsOf(hits: readonly Hit[]): Generator<FieldLines, void> {
  for (const { matchingLines } of hits) if (matchingLines !== undefined) yield* Object.values(matchingLines);
}
