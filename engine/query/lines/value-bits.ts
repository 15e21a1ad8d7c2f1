/**
 * The documents of a leaf with a whole value that a test accepts, for fields whose text is kept with an index of its grams: documents that
 * have the grams are read. Found in steps.
 */
import type { TrigramField } from "../../trigrams/index.js";
import { allBits, hasBit, noBits, setBit } from "../exec/bits.js";
import type { LeafContext } from "../exec/context.js";
import { matchesGlob } from "../exec/glob.js";
import type { Steps } from "../exec/pace.js";
import type { ValuesFilter, ValueTest } from "../exec/plan.js";
import { regexp } from "../regexp/regexp.js";
import type { Wanted } from "./lines-bits.js";

/** The set. Deleted documents are never in it. */
export function* valueBits(leaf: LeafContext, filter: ValuesFilter, wanted: Wanted): Steps<Uint32Array> {
  const found = noBits(leaf.docCount);
  const text = leaf.segment.trigrams?.(filter.field) ?? null;
  if (text === null) return found;
  const accepts = acceptor(filter.test);
  const within = wanted.within ?? leaf.leaf.live ?? allBits(leaf.docCount);
  let left = wanted.enough;
  for (const doc of text.documents(filter.grams)) {
    if (left <= 0) break;
    if (!hasBit(within, doc)) continue;
    if (anyValue(leaf, text, doc, accepts)) {
      setBit(found, doc);
      left--;
    }
    yield;
  }
  return found;
}

function anyValue(
  leaf: LeafContext,
  text: TrigramField,
  doc: number,
  accepts: (bytes: Uint8Array) => boolean,
): boolean {
  const { arena } = leaf.context.environment;
  for (let value = text.firstValue(doc); value < text.endValue(doc); value++) {
    const length = text.valueLength(value);
    if (accepts(arena.bytes(text.loadValue(value, 0, length), length))) return true;
  }
  return false;
}

function acceptor(test: ValueTest): (bytes: Uint8Array) => boolean {
  if (test.kind === "globs") return (bytes) => test.globs.some((glob) => matchesGlob(glob, bytes));
  const { matches } = regexp(test.pattern, test.letters);
  // A view of shared memory cannot be decoded as it is.
  return (bytes) => matches(Buffer.from(bytes).toString("utf8"));
}
