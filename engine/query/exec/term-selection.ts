/** Which ordinals of a dictionary a selection of terms picks. */
import type { TermDictionary } from "../../segment/types.js";
import { type TermSelection, termText } from "./plan.js";

/** Ordinals [from, to) or given ones, ascending. */
export type OrdinalSet = { kind: "range"; from: number; to: number } | { kind: "list"; ordinals: Uint32Array };

/** Looks a selection up in one leaf's dictionary. */
export function selectOrdinals(dictionary: TermDictionary, selection: TermSelection): OrdinalSet {
  switch (selection.kind) {
    case "exact":
      return exact(dictionary, selection.terms);
    case "range":
      return byteRange(dictionary, selection.low, selection.high);
    case "pattern":
      return pattern(dictionary, selection);
  }
}

function exact(dictionary: TermDictionary, terms: readonly Uint8Array[]): OrdinalSet {
  const found: number[] = [];
  for (const term of terms) {
    const ordinal = dictionary.find(term);
    if (ordinal >= 0) found.push(ordinal);
  }
  return { kind: "list", ordinals: Uint32Array.from(found).sort() };
}

function byteRange(dictionary: TermDictionary, low: Uint8Array | null, high: Uint8Array | null): OrdinalSet {
  const from = low === null ? 0 : dictionary.seek(low);
  const to = high === null ? dictionary.size : dictionary.seek(high);
  return { kind: "range", from, to: Math.max(from, to) };
}

function pattern(dictionary: TermDictionary, selection: TermSelection & { kind: "pattern" }): OrdinalSet {
  const { prefix, regex } = selection;
  const range = byteRange(dictionary, prefix.length === 0 ? null : prefix, prefixEnd(prefix));
  if (range.kind !== "range") return range;
  const found: number[] = [];
  for (let ordinal = range.from; ordinal < range.to; ordinal++) {
    if (regex.test(termText(dictionary.term(ordinal)))) found.push(ordinal);
  }
  return { kind: "list", ordinals: Uint32Array.from(found) };
}

/** The first byte string after all that begin with `prefix`; null when there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | null {
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] !== 0xff) {
      // Not slice(): that of a Buffer shares its bytes.
      const end = Uint8Array.from(prefix.subarray(0, i + 1));
      end[i]++;
      return end;
    }
  }
  return null;
}

/** Number of ordinals in a set. */
export function ordinalCount(set: OrdinalSet): number {
  return set.kind === "range" ? set.to - set.from : set.ordinals.length;
}
