/**
 * Simple case folding (Unicode, CaseFolding.txt, status C and S): which characters are the same when case is ignored. Made of the
 * JavaScript engine's case mappings, each pair checked with its own regular expressions, which fold that way.
 */
import { countCodePoints, mergeRanges, type Ranges } from "./ranges.js";

/** Letters outside of ASCII that fold with one inside: LATIN SMALL LETTER LONG S and KELVIN SIGN. */
const LONG_S = 0x17f;
const KELVIN_SIGN = 0x212a;

let table: Map<number, readonly number[]> | undefined;

/** A set with all characters that fold with one of it. */
export function foldRanges(ranges: Ranges): Ranges {
  const added: [number, number][] = [];
  const ascii = ranges.every(([, high]) => high < 0x80);
  // Nearly every pattern: no need for the table, which takes a while to make.
  if (ascii)
    for (const [low, high] of ranges) for (let code = low; code <= high; code++) added.push(...asciiFolds(code));
  else added.push(...tableFolds(ranges));
  return mergeRanges([...ranges, ...added]);
}

function asciiFolds(code: number): [number, number][] {
  const lower = code | 0x20;
  if (lower < 0x61 || lower > 0x7a || code < 0x41) return [];
  const folds: [number, number][] = [[code ^ 0x20, code ^ 0x20]];
  if (lower === 0x6b) folds.push([KELVIN_SIGN, KELVIN_SIGN]);
  if (lower === 0x73) folds.push([LONG_S, LONG_S]);
  return folds;
}

function tableFolds(ranges: Ranges): [number, number][] {
  table ??= makeTable();
  const added: [number, number][] = [];
  if (countCodePoints(ranges) < table.size) {
    for (const [low, high] of ranges) {
      for (let code = low; code <= high; code++) for (const other of table.get(code) ?? []) added.push([other, other]);
    }
    return added;
  }
  for (const [code, others] of table) {
    if (ranges.some(([low, high]) => code >= low && code <= high)) {
      for (const other of others) added.push([other, other]);
    }
  }
  return added;
}

/** From every character that has others: those others. */
function makeTable(): Map<number, readonly number[]> {
  const groups = new Map<number, Set<number>>();
  for (const code of cased()) {
    for (const other of mappings(code)) {
      if (other === code || !foldsWith(code, other)) continue;
      const joined = new Set([code, other, ...(groups.get(code) ?? []), ...(groups.get(other) ?? [])]);
      for (const member of joined) groups.set(member, joined);
    }
  }
  return new Map([...groups].map(([code, group]) => [code, [...group].filter((other) => other !== code)]));
}

/** Characters that a case mapping changes; all lie in the first two planes. */
function cased(): number[] {
  const changes = /\p{Changes_When_Casemapped}/u;
  const codes: number[] = [];
  for (let code = 0x41; code < 0x20000; code++) {
    if (code >= 0x3400 && code < 0xa000) continue;
    if (code >= 0xac00 && code < 0xe000) continue;
    if (changes.test(String.fromCodePoint(code))) codes.push(code);
  }
  return codes;
}

function mappings(code: number): number[] {
  const text = String.fromCodePoint(code);
  const mapped = [text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()];
  return mapped.filter((other) => [...other].length === 1).map((other) => other.codePointAt(0) as number);
}

function foldsWith(code: number, other: number): boolean {
  return new RegExp(`^\\u{${code.toString(16)}}$`, "iu").test(String.fromCodePoint(other));
}
