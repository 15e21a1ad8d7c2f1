/**
 * Bytes that every match of a pattern has in it: looked for first, they are found many times faster than an automaton reads.
 */
import { rankOf } from "./byte-frequency.js";
import { countCodePoints, type Ranges } from "./ranges.js";
import type { Node } from "./syntax.js";

/** A text that must occur. */
export interface RequiredLiteral {
  /** Lower case where case does not matter. */
  readonly bytes: Uint8Array;
  /** For each byte what is set in a text's byte before the two are compared: 0x20 for a letter whose case does not matter, else 0. */
  readonly folds: Uint8Array;
  /** Offsets of two bytes of it that are rare in source code; the rarest first. */
  readonly rare: readonly [number, number];
  /** "whole": whatever has it matches; "part": the rest has to be looked at. */
  readonly extent: "whole" | "part";
}

/** More would take longer to compare than it saves. */
const MAX_BYTES = 64;
/** A single byte occurs too often for a search for it to pay. */
const MIN_BYTES = 2;
const CASE_BIT = 0x20;

interface Run {
  readonly bytes: number[];
  readonly folds: number[];
}

/** The best text for a search, null when there is none. */
export function requiredLiteral(node: Node): RequiredLiteral | null {
  const runs: Run[] = [];
  const whole = collect(node, runs);
  const best = runs.reduce<Run | null>((kept, run) => (kept === null || rarity(run) > rarity(kept) ? run : kept), null);
  if (best === null || best.bytes.length < MIN_BYTES) return null;
  const extent = whole && runs.length === 1 && best.bytes.length <= MAX_BYTES ? "whole" : "part";
  const bytes = Uint8Array.from(best.bytes.slice(0, MAX_BYTES));
  return { bytes, folds: Uint8Array.from(best.folds.slice(0, MAX_BYTES)), rare: rareBytes(bytes), extent };
}

/**
 * Adds the runs of bytes that a node must have to `runs`, the last of which may go on. Returns whether the node is nothing but that
 * run.
 */
function collect(node: Node, runs: Run[]): boolean {
  switch (node.kind) {
    case "empty":
      return true;
    case "look":
    case "mark":
      return false;
    case "set":
      return addCharacter(node.ranges, runs);
    case "concat":
      return node.parts.map((part) => collect(part, runs)).every(Boolean);
    case "or":
      runs.push(emptyRun());
      return false;
    case "repeat":
      return collectRepeat(node, runs);
  }
}

function collectRepeat(node: Node & { kind: "repeat" }, runs: Run[]): boolean {
  let whole = true;
  // Beyond so many bytes nothing is gained.
  const rounds = Math.min(node.min, MAX_BYTES);
  for (let i = 0; i < rounds; i++) whole = collect(node.of, runs) && whole;
  if (node.max === rounds) return whole;
  runs.push(emptyRun());
  return false;
}

function addCharacter(ranges: Ranges, runs: Run[]): boolean {
  const count = countCodePoints(ranges);
  const code = ranges.length === 0 ? -1 : ranges[ranges.length - 1][0];
  const run = runs.at(-1) ?? emptyRun();
  if (runs.length === 0) runs.push(run);
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (count === 1 && !surrogate) {
    for (const byte of Buffer.from(String.fromCodePoint(code))) {
      run.bytes.push(byte);
      run.folds.push(0);
    }
    return true;
  }
  if (count === 2 && ranges.length === 2 && isLetterPair(ranges[0][0], code)) {
    run.bytes.push(code);
    run.folds.push(CASE_BIT);
    return true;
  }
  runs.push(emptyRun());
  return false;
}

/** A letter of ASCII in both its cases, and no more than that: k and s have a third writing. */
function isLetterPair(upper: number, lower: number): boolean {
  return lower >= 0x61 && lower <= 0x7a && upper === lower - CASE_BIT;
}

function emptyRun(): Run {
  return { bytes: [], folds: [] };
}

/** The larger, the less often it is met. */
function rarity({ bytes, folds }: Run): number {
  return bytes.reduce((sum, byte, i) => sum + 20 + rankOf(byte) - (folds[i] === 0 ? 0 : 10), 0);
}

function rareBytes(bytes: Uint8Array): readonly [number, number] {
  const places = Array.from(bytes, (_, at) => at).sort((a, b) => rankOf(bytes[b]) - rankOf(bytes[a]) || a - b);
  return [places[0], places[1] ?? places[0]];
}
