/**
 * What an estimate may look at: a few lookups in the largest leaf of a reader, taken for the whole (grams: in all leaves). What is not in memory
 * is not looked at: to load it is what should not be done here.
 */
import type { Field } from "../../mapping/field-table.js";
import type { GramQuery } from "../../regex/index.js";
import type { FieldData, IndexReader, Leaf, SegmentReader } from "../../segment/types.js";
import type { SearchReader } from "../exec/context.js";
import { type TextAnalysis, textAnalysis } from "../exec/text-analysis.js";
import { candidateChunks, knownChunks } from "../lines/candidate-chunks.js";
import { COST } from "./constants.js";

/** In fewer documents than this nothing is looked up: whatever is found there costs little. */
const LOOK_AT = 20_000;

/** Share of the documents that a condition is taken to leave over when nothing is known. */
export const SHARE = 0.3;

/** One reader while a search's cost is estimated. */
export class Probe {
  readonly reader: IndexReader;
  /** Documents, deleted ones included. */
  readonly docs: number;
  readonly analysis: TextAnalysis;
  /** null: nothing is looked up. */
  readonly #largest: SegmentReader | null;
  readonly #needed = new Set<string>();
  readonly #scale: number;

  /** `countsAll`: whether every hit is counted; `enough`: of documents that are found by their lines, so many are. */
  constructor(
    source: SearchReader,
    readonly countsAll: boolean,
    readonly enough = Number.POSITIVE_INFINITY,
  ) {
    this.reader = source.reader;
    this.analysis = textAnalysis(source.analyzers);
    let docs = 0;
    let largest: Leaf | null = null;
    for (const leaf of this.reader.leaves) {
      docs += leaf.segment.docCount;
      if (largest === null || leaf.segment.docCount > largest.segment.docCount) largest = leaf;
    }
    this.docs = docs;
    this.#largest = docs < LOOK_AT ? null : (largest?.segment ?? null);
    this.#scale = largest === null ? 0 : docs / Math.max(1, largest.segment.docCount);
  }

  /** Microseconds of loading what was asked about so far, if it is not in memory. */
  loading = 0;

  /** Notes that the search will want this of a field; true: it has to be loaded first. */
  needs(field: Field, what: FieldData): boolean {
    if (this.#largest === null) return false;
    const key = `${what}${field.ordinal}`;
    if (!this.#needed.has(key)) {
      this.#needed.add(key);
      for (const { segment } of this.reader.leaves)
        this.loading += (segment.coldBytes?.(field, what) ?? 0) * COST.loaded;
    }
    return (this.#largest.coldBytes?.(field, what) ?? 0) > 0;
  }

  get leaves(): number {
    return this.reader.leaves.length;
  }

  /** Whether documents were deleted. */
  get deleted(): boolean {
    return this.reader.liveCount < this.docs;
  }

  field(path: string): Field | undefined {
    return this.reader.fields.get(path);
  }

  /** Documents with a term; all of a small index. */
  docFreq(field: Field, term: Uint8Array): number {
    if (this.needs(field, "terms")) return this.docs * SHARE;
    return this.#ask(this.docs, (segment) => {
      const dictionary = segment.terms(field);
      const ordinal = dictionary?.find(term) ?? -1;
      return ordinal < 0 ? 0 : (dictionary?.state(ordinal).docFreq ?? 0);
    });
  }

  /** Terms of a field's dictionary (of a small index: as many as it has documents) from one on and below another; null: without an end. */
  terms(field: Field, from: Uint8Array | null, to: Uint8Array | null): number {
    if (this.needs(field, "terms")) return this.docs * SHARE;
    return this.#ask(this.docs, (segment) => {
      const dictionary = segment.terms(field);
      if (dictionary === null) return 0;
      return (to === null ? dictionary.size : dictionary.seek(to)) - (from === null ? 0 : dictionary.seek(from));
    });
  }

  /**
   * Chunks of a field's text in each leaf that may have what is asked for, at most; undefined: that is not known. All are looked at: folders
   * that were indexed one after the other have different words.
   */
  chunksByLeaf(field: Field, grams: GramQuery): readonly number[] | undefined {
    const { leaves } = this.reader;
    const known = knownChunks(this.reader, field, grams);
    // What nothing is to be read of may lie on disk.
    const isCold = ({ segment }: Leaf, i: number) => known?.[i] !== 0 && (segment.coldBytes?.(field, "grams") ?? 0) > 0;
    if (leaves.some(isCold)) return undefined;
    if (known !== undefined) return known;
    for (const { segment } of leaves) segment.beginUse();
    try {
      return candidateChunks(this.reader, field, grams);
    } finally {
      for (const { segment } of leaves) segment.endUse();
    }
  }

  #ask(unasked: number, question: (segment: SegmentReader) => number): number {
    const segment = this.#largest;
    if (segment === null) return unasked;
    segment.beginUse();
    try {
      return Math.min(this.docs, Math.ceil(question(segment) * this.#scale));
    } finally {
      segment.endUse();
    }
  }
}
