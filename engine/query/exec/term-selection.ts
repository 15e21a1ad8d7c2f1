/** Which ordinals of a dictionary a selection of terms picks. */
import { rangeOfTerm } from "../../mapping/range-fields.js";
import type { TermDictionary } from "../../segment/types.js";
import { regexp } from "../regexp/regexp.js";
import { type Glob, matchesGlob } from "./glob.js";
import { runAtOnce, type Steps } from "./pace.js";
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
      return runAtOnce(patternOrdinals(dictionary, selection.glob));
    case "ranges":
      return runAtOnce(rangeOrdinals(dictionary, selection));
    case "regexp":
      return runAtOnce(regexpOrdinals(dictionary, selection));
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

function byteRange(
  dictionary: TermDictionary,
  low: Uint8Array | null,
  high: Uint8Array | null,
): OrdinalSet & { kind: "range" } {
  const from = low === null ? 0 : dictionary.seek(low);
  const to = high === null ? dictionary.size : dictionary.seek(high);
  return { kind: "range", from, to: Math.max(from, to) };
}

/** Terms compared with a pattern between two chances to pause. */
const TERMS_PER_STEP = 4096;
const REGEXP_TERMS_PER_STEP = 256;

/** Ordinals of the terms that a pattern matches. */
export function* patternOrdinals(dictionary: TermDictionary, glob: Glob): Steps<OrdinalSet> {
  const { from, to } = byteRange(dictionary, glob.prefix.length === 0 ? null : glob.prefix, prefixEnd(glob.prefix));
  const found: number[] = [];
  for (let ordinal = from; ordinal < to; ordinal++) {
    if (matchesGlob(glob, dictionary.term(ordinal))) found.push(ordinal);
    if ((ordinal - from) % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
  }
  return { kind: "list", ordinals: Uint32Array.from(found) };
}

/** Ordinals of the terms that a regular expression matches as a whole. */
export function* regexpOrdinals(
  dictionary: TermDictionary,
  { pattern, letters }: TermSelection & { kind: "regexp" },
): Steps<OrdinalSet> {
  const { matches } = regexp(pattern, letters);
  const found: number[] = [];
  for (let ordinal = 0; ordinal < dictionary.size; ordinal++) {
    if (matches(termText(dictionary.term(ordinal)))) found.push(ordinal);
    if (ordinal % REGEXP_TERMS_PER_STEP === REGEXP_TERMS_PER_STEP - 1) yield;
  }
  return { kind: "list", ordinals: Uint32Array.from(found) };
}

/** Ordinals of the ranges that stand to the one asked for as wanted. They are ordered by where they begin. */
export function* rangeOrdinals(
  dictionary: TermDictionary,
  { low, high, relation }: TermSelection & { kind: "ranges" },
): Steps<OrdinalSet> {
  const end = dictionary.seek(Buffer.concat([high, new Uint8Array(high.length).fill(0xff)])) + 1;
  const to = Math.min(dictionary.size, end);
  const found: number[] = [];
  for (let ordinal = 0; ordinal < to; ordinal++) {
    const { low: from, high: until } = rangeOfTerm(dictionary.term(ordinal));
    const begins = Buffer.compare(from, relation === "intersects" ? high : low);
    const ends = Buffer.compare(until, relation === "intersects" ? low : high);
    const stands = relation === "within" ? begins >= 0 && ends <= 0 : begins <= 0 && ends >= 0;
    if (stands) found.push(ordinal);
    if (ordinal % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
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
