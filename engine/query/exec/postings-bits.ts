/** Bits of documents by their terms. */
import type { Field } from "../../mapping/field-table.js";
import type { OrdinalColumn, TermDictionary, TermState } from "../../segment/types.js";
import { noBits, setBit } from "./bits.js";
import type { LeafContext } from "./context.js";
import type { TermSelection } from "./plan.js";
import { rowBits, rowsToDocs } from "./range-bits.js";
import { type OrdinalSet, ordinalCount, selectOrdinals } from "./term-selection.js";

/** More terms than this are found by scanning the column, where there is one, instead of their postings. */
const MAX_TERMS_BY_POSTINGS = 16;

/** Sets the bits of a term's documents. */
export function addPostings(leaf: LeafContext, field: Field, state: TermState, bits: Uint32Array): void {
  if (state.docFreq === 1) {
    setBit(bits, state.singletonDoc);
    return;
  }
  const { scratch, environment } = leaf.context;
  const postings = leaf.segment.postings(field, state, { positions: false });
  const docs = environment.arena.u32.subarray(scratch.docs >>> 2, (scratch.docs >>> 2) + 128);
  for (let block = 0; block < postings.blockCount; block++) {
    const count = postings.decodeBlock(block, scratch.docs, scratch.freqs);
    for (let i = 0; i < count; i++) bits[docs[i] >>> 5] |= 1 << (docs[i] & 31);
  }
}

/** Bits of documents with any of the selected terms. */
export function termsBits(leaf: LeafContext, field: Field, selection: TermSelection): Uint32Array {
  const dictionary = leaf.segment.terms(field);
  if (dictionary === null) return noBits(leaf.docCount);
  return ordinalBits(leaf, field, dictionary, selectOrdinals(dictionary, selection));
}

/** Bits of documents with any of the terms that ordinals name. */
export function ordinalBits(leaf: LeafContext, field: Field, dictionary: TermDictionary, set: OrdinalSet): Uint32Array {
  const count = ordinalCount(set);
  const column = leaf.segment.column(field);
  if (column?.kind === "ordinals" && (!field.inverted || count > MAX_TERMS_BY_POSTINGS)) {
    return columnBits(leaf, column, set, dictionary.size);
  }
  const bits = noBits(leaf.docCount);
  for (let i = 0; i < count; i++) {
    const ordinal = set.kind === "range" ? set.from + i : set.ordinals[i];
    addPostings(leaf, field, dictionary.state(ordinal), bits);
  }
  return bits;
}

function columnBits(leaf: LeafContext, column: OrdinalColumn, set: OrdinalSet, terms: number): Uint32Array {
  if (set.kind === "range") {
    if (set.from >= set.to) return noBits(leaf.docCount);
    const rows = rowBits(leaf, column.ordinals, column.ordinalsAddress, set.from, set.to - 1);
    return rowsToDocs(column, rows);
  }
  const wanted = noBits(terms);
  for (const ordinal of set.ordinals) setBit(wanted, ordinal);
  const { ordinals } = column;
  const rows = noBits(ordinals.length);
  for (let row = 0; row < ordinals.length; row++) {
    const ordinal = ordinals[row];
    if ((wanted[ordinal >>> 5] >>> (ordinal & 31)) & 1) rows[row >>> 5] |= 1 << (row & 31);
  }
  return rowsToDocs(column, rows);
}
