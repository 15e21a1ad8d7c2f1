/**
 * The same for a field of whole terms: each different value is tried once, as a line of a text made of them, however many
 * documents have it.
 */
import type { FoundLines } from "../../regex/index.js";
import type { TermDictionary } from "../../segment/types.js";
import { intersect } from "../exec/bits.js";
import type { LeafContext } from "../exec/context.js";
import type { Steps } from "../exec/pace.js";
import type { LinesFilter } from "../exec/plan.js";
import { ordinalBits } from "../exec/postings-bits.js";
import type { PatternScanner } from "./scanner-pool.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Terms that are scanned together, and behind them bytes that must be readable. */
const BATCH_BYTES = 64 * 1024;
const SLACK_BYTES = 16;
const LINES_AT_ONCE = 1024;

/** The dictionary whose terms are the values themselves; null: there is none, or a pattern may cross lines. */
export function termsAsText(leaf: LeafContext, { field, pattern }: LinesFilter): TermDictionary | null {
  const isWhole = field.type === "keyword" && field.inverted && field.mapping.normalizer === undefined;
  return isWhole && pattern.options.extent === "line" ? leaf.segment.terms(field) : null;
}

/** Documents among `within` with a term that matches; null when a term has several lines, which must be read one by one. */
export function* termLinesBits(
  leaf: LeafContext,
  { field }: LinesFilter,
  terms: TermDictionary,
  { scanner, within }: { scanner: PatternScanner; within: Uint32Array },
): Steps<Uint32Array | null> {
  const { arena } = leaf.context.environment;
  const matching: number[] = [];
  const address = arena.alloc(BATCH_BYTES + SLACK_BYTES);
  try {
    // An empty value has no line.
    for (let next = terms.size > 0 && terms.term(0).length === 0 ? 1 : 0; next < terms.size; ) {
      const from = next;
      const starts: number[] = [];
      let length = 0;
      for (; next < terms.size; next++) {
        const term = terms.term(next);
        if (term.includes(LINE_FEED) || term.includes(CARRIAGE_RETURN) || term.length >= BATCH_BYTES) return null;
        if (length + term.length + 1 > BATCH_BYTES) break;
        starts.push(length);
        arena.u8.set(term, address + length);
        length += term.length;
        arena.u8[address + length++] = LINE_FEED;
      }
      for (const begin of matchingBegins(scanner, address, length)) matching.push(from + indexOf(starts, begin));
      yield;
    }
  } finally {
    arena.free(address);
  }
  const ordinals = Uint32Array.from(matching);
  const bits = ordinalBits(leaf, field, terms, { kind: "list", ordinals });
  intersect(bits, within);
  return bits;
}

function matchingBegins({ lines }: PatternScanner, address: number, length: number): number[] {
  const found: FoundLines = { begins: [], ends: [] };
  lines?.begin(address, length);
  while (lines?.next(found, LINES_AT_ONCE));
  return found.begins;
}

/** Where a number stands in an ascending list that has it. */
function indexOf(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
