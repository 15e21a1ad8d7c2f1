/**
 * Values of text fields with `fielddata: true`, made from their postings when they are first sorted or aggregated by: each
 * document's distinct tokens, as ordinals into the field's dictionary. Kept with the reader and charged to the breaker of
 * that name. Elasticsearch's PagedBytesIndexFieldData does the same.
 */
import type { Field } from "../../mapping/field-table.js";
import { type Column, NO_MORE_DOCS, type OrdinalColumn, type TermDictionary } from "../../segment/types.js";
import type { LeafContext } from "./context.js";

const derived = new WeakMap<Field, Field>();

/** The field as sorting and aggregations see it: a text with `fielddata` has a column of terms. */
export function withFielddata(field: Field): Field {
  if (field.type !== "text" || field.mapping.fielddata !== true || !field.inverted) return field;
  let made = derived.get(field);
  if (made === undefined) {
    made = { ...field, type: "keyword", column: "ordinals" };
    derived.set(field, made);
  }
  return made;
}

/** A field's column in a leaf; null: no document has a value. The field may come from `withFielddata`. */
export function columnOf(leaf: LeafContext, field: Field): Column | null {
  // Only texts have positions.
  if (field.column !== "ordinals" || !field.positions) return leaf.segment.column(field);
  return uninverted(leaf, field);
}

function uninverted(leaf: LeafContext, field: Field): OrdinalColumn | null {
  const { cache } = leaf.context.reader;
  const key = `uninverted:${leaf.segment.name}:${field.ordinal}`;
  const known = cache.get(key) as OrdinalColumn | undefined;
  if (known !== undefined) return known;
  const dictionary = leaf.segment.terms(field);
  if (dictionary === null) return null;
  const { memory } = leaf.context.environment;
  const values = countValues(leaf, field, dictionary);
  const bytes = 4 * (values.total + leaf.segment.docCount + 1);
  memory.charge(bytes, `<fielddata of ${field.path}>`);
  const made = uninvert(leaf, field, dictionary, values.offsets);
  memory.release(bytes);
  cache.set(key, made, { bytes, field: field.path });
  return made;
}

/** Where each document's values begin, by how many terms it is in the postings of. */
function countValues(leaf: LeafContext, field: Field, dictionary: TermDictionary) {
  const { docCount } = leaf.segment;
  const offsets = new Uint32Array(docCount + 1);
  eachPosting(leaf, field, dictionary, (doc) => {
    offsets[doc + 1]++;
  });
  for (let doc = 0; doc < docCount; doc++) offsets[doc + 1] += offsets[doc];
  return { offsets, total: offsets[docCount] };
}

function uninvert(leaf: LeafContext, field: Field, dictionary: TermDictionary, offsets: Uint32Array): OrdinalColumn {
  const { docCount } = leaf.segment;
  const ordinals = new Uint32Array(offsets[docCount]);
  const next = offsets.slice(0, docCount);
  // Terms come in their order, so that a document's values ascend.
  eachPosting(leaf, field, dictionary, (doc, ordinal) => {
    ordinals[next[doc]++] = ordinal;
  });
  const bits = new Uint32Array((docCount + 31) >>> 5);
  let count = 0;
  for (let doc = 0; doc < docCount; doc++) {
    if (offsets[doc] === offsets[doc + 1]) continue;
    bits[doc >>> 5] |= 1 << (doc & 31);
    count++;
  }
  const presence = { bits: count === docCount ? null : bits, count };
  // Not in the arena: kernels read columns of filters only, and these are none.
  return { kind: "ordinals", docCount, presence, offsets, ordinals, ordinalsAddress: 0 };
}

function eachPosting(
  { segment }: LeafContext,
  field: Field,
  dictionary: TermDictionary,
  visit: (doc: number, ordinal: number) => void,
): void {
  for (let ordinal = 0; ordinal < dictionary.size; ordinal++) {
    const postings = segment.postings(field, dictionary.state(ordinal), { positions: false });
    for (let doc = postings.next(); doc !== NO_MORE_DOCS; doc = postings.next()) visit(doc, ordinal);
  }
}
