/**
 * Merging the terms of a field from several segments: dictionaries are walked together, postings of equal terms appended
 * in order of the segments, documents renumbered. Terms whose documents are all gone vanish.
 */
import { NO_SINGLETON, TermRow } from "../kernels/encode-postings.js";
import { MergeSource } from "../kernels/merge-postings.js";
import type { Field } from "../mapping/field-table.js";
import { BLOCK } from "../postings/format.js";
import { PostingsWriter } from "../postings/writer.js";
import type { TermDictionary } from "../segment/types.js";
import { SectionKind, type SectionSink, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import type { TermCursor } from "./cursor.js";
import { openLengths, writeLengths } from "./lengths.js";
import { normsOf } from "./norms.js";
import { openTerms } from "./reader.js";
import { TermsWriter } from "./writer.js";

/** One segment's part; its sections must stay pinned until the merge of the field ends. */
export interface InvertedInput {
  readonly source: SectionSource;
  /** Per old document the new one, 0xffffffff: dropped. Ascending, and behind the input before. */
  readonly docMap: Uint32Array;
}

/** The merged dictionary. */
export interface MergedTerms {
  readonly count: number;
  /** Per input old ordinal to new (0xffffffff: vanished); null where it has no terms or the field has no ordinals. */
  readonly maps: readonly (Uint32Array | null)[];
}

export const VANISHED = 0xffffffff;

/** Work between two yields; a posting is 1, a term TERM_WORK: some three milliseconds. */
const SLICE_WORK = 400_000;
const TERM_WORK = 150;
/** Blocks in one call of the kernel. */
const MAX_BLOCKS = 2048;

/** Writes the merged field; `docs`: documents of the merged segment. Yields every few milliseconds' worth of work. */
export function* mergeInverted(
  storage: Storage,
  field: Field,
  inputs: readonly InvertedInput[],
  merged: { sink: SectionSink; docs: number },
): Generator<void, MergedTerms> {
  const parts = inputs.map((input) => openTerms(input.source, storage, field));
  const maps = parts.map((terms) => (terms === null || field.column !== "ordinals" ? null : newMap(terms)));
  const withFreqs = parts.some((terms) => terms?.withFreqs);
  if (parts.every((terms) => terms === null)) return { count: 0, maps };
  const lengths = withFreqs ? yield* mergeLengths(storage, field, inputs, merged.docs) : null;
  const merge = new FieldMerge(storage, { withFreqs, docs: merged.docs, norms: field.norms ? lengths : null });
  try {
    parts.forEach((terms, i) => {
      if (terms !== null) merge.addInput(inputs[i], field, terms.cursor(), maps[i]);
    });
    yield* merge.run();
    merge.finish(merged.sink, field.ordinal);
    if (lengths !== null) writeLengths(merged.sink, field, lengths);
    return { count: merge.count, maps };
  } finally {
    merge.close();
  }
}

function newMap(terms: TermDictionary): Uint32Array {
  return new Uint32Array(terms.size).fill(VANISHED);
}

function* mergeLengths(
  storage: Storage,
  field: Field,
  inputs: readonly InvertedInput[],
  docs: number,
): Generator<void, Uint32Array> {
  const merged = new Uint32Array(docs);
  for (const { source, docMap } of inputs) {
    const lengths = openLengths(source, storage, field);
    for (let doc = 0; doc < docMap.length; doc++) {
      if (docMap[doc] !== VANISHED) merged[docMap[doc]] = lengths.get(doc);
    }
    yield;
  }
  return merged;
}

/** One segment's place in the walk. */
interface Walk {
  readonly cursor: TermCursor;
  readonly map: Uint32Array | null;
  readonly data: number;
  readonly positions: number;
  readonly docMap: number;
}

/** The merge of one field. Owns its memory until `close()`. */
class FieldMerge {
  readonly #storage: Storage;
  readonly #withFreqs: boolean;
  readonly #postings: PostingsWriter;
  readonly #terms: TermsWriter;
  readonly #allocated: number[] = [];
  readonly #presence: number;
  readonly #presenceBytes: number;
  readonly #source: number;
  readonly #row: number;
  /** Walks that have a term left. */
  #walks: Walk[] = [];

  constructor(storage: Storage, shape: { withFreqs: boolean; docs: number; norms: Uint32Array | null }) {
    this.#storage = storage;
    this.#withFreqs = shape.withFreqs;
    this.#postings = new PostingsWriter(storage.arena);
    try {
      this.#terms = new TermsWriter(storage.arena, storage.kernels);
    } catch (error) {
      this.#postings.close();
      throw error;
    }
    this.#source = this.#alloc(MergeSource.bytes + TermRow.bytes);
    this.#row = this.#source + MergeSource.bytes;
    this.#presenceBytes = (shape.docs + 7) >>> 3;
    this.#presence = this.#alloc(this.#presenceBytes + 4);
    const { u8 } = storage.arena;
    u8.fill(0, this.#presence, this.#presence + this.#presenceBytes);
    const norms = shape.norms === null ? 0 : this.#alloc(shape.docs + 16);
    if (shape.norms !== null) normsOf(shape.norms, u8.subarray(norms, norms + shape.docs));
    this.#postings.begin({ withFreqs: shape.withFreqs, norms, presence: this.#presence });
    this.#terms.begin(shape.withFreqs);
  }

  /** Terms written. */
  get count(): number {
    return this.#terms.count;
  }

  addInput(input: InvertedInput, field: Field, cursor: TermCursor, map: Uint32Array | null): void {
    const docMap = this.#alloc(4 * input.docMap.length + 4);
    this.#storage.arena.u32.set(input.docMap, docMap >>> 2);
    const addressOf = (kind: SectionKind): number => input.source.pin(kind, field.ordinal)?.address ?? 0;
    const data = addressOf(SectionKind.postingData);
    const positions = addressOf(SectionKind.positionData);
    if (cursor.next()) this.#walks.push({ cursor, map, data, positions, docMap });
  }

  *run(): Generator<void, void> {
    const equal: Walk[] = [];
    let work = 0;
    while (this.#walks.length > 0) {
      this.#smallest(equal);
      work += TERM_WORK;
      this.#storage.kernels.beginTerm(this.#postings.encoder);
      for (const walk of equal) {
        work += walk.cursor.state.docFreq;
        this.#setSource(walk);
        while (this.#append()) yield;
      }
      this.#finishTerm(equal);
      this.#step(equal);
      if (work < SLICE_WORK) continue;
      work = 0;
      yield;
    }
  }

  finish(sink: SectionSink, field: number): void {
    this.#postings.finish(sink, field);
    this.#terms.finish(sink, field, this.#countDocs());
  }

  close(): void {
    for (const address of this.#allocated) this.#storage.arena.free(address);
    this.#postings.close();
    this.#terms.close();
  }

  /** Fills `equal` with the walks at the smallest term, in order of the segments. */
  #smallest(equal: Walk[]): void {
    equal.length = 0;
    for (const walk of this.#walks) {
      const order = equal.length === 0 ? -1 : compare(walk.cursor, equal[0].cursor);
      if (order < 0) equal.length = 0;
      if (order <= 0) equal.push(walk);
    }
  }

  #setSource({ cursor, data, positions, docMap }: Walk): void {
    const { u8, u32 } = this.#storage.arena;
    const { state } = cursor;
    const at = this.#source >>> 2;
    const withFreqs = this.#withFreqs;
    let address = data + state.dataOffset;
    if (withFreqs && state.docFreq > 1 && state.docFreq < BLOCK) address += 1 + 2 * u8[address];
    u32[at + MergeSource.data / 4] = address;
    u32[at + MergeSource.docsLeft / 4] = state.docFreq;
    u32[at + MergeSource.base / 4] = -1;
    u32[at + MergeSource.positions / 4] = positions + state.positionOffset;
    u32[at + MergeSource.positionsLeft / 4] = withFreqs ? state.totalTermFreq : 0;
    u32[at + MergeSource.groupAt / 4] = 0;
    u32[at + MergeSource.groupCount / 4] = 0;
    u32[at + MergeSource.docMap / 4] = docMap;
    u32[at + MergeSource.withFreqs / 4] = withFreqs ? 1 : 0;
    u32[at + MergeSource.singletonDoc / 4] = state.docFreq === 1 ? state.singletonDoc : NO_SINGLETON;
    u32[at + MergeSource.blockDocs / 4] = 0;
  }

  /** Appends blocks of the source; true: there are more, and enough was done for now. */
  #append(): boolean {
    const { arena, kernels } = this.#storage;
    for (;;) {
      const left = kernels.mergePostings(this.#postings.encoder, this.#source, MAX_BLOCKS);
      if (left === 0) return false;
      const waiting = arena.u32[(this.#source + MergeSource.blockDocs) >>> 2];
      if (waiting === 0) return true;
      const freqs = (this.#source + MergeSource.freq) >>> 2;
      let positions = 0;
      for (let i = 0; i < waiting; i++) positions += arena.u32[freqs + i];
      this.#postings.makeRoomForBlock(positions);
    }
  }

  #finishTerm(equal: readonly Walk[]): void {
    const { arena, kernels } = this.#storage;
    kernels.finishTerm(this.#postings.encoder, this.#row);
    const row = this.#row >>> 2;
    if (arena.u32[row + TermRow.docFreq / 4] === 0) return;
    const { bytes, length } = equal[0].cursor;
    const ordinal = this.#terms.add(bytes, length, this.#row);
    for (const { cursor, map } of equal) if (map !== null) map[cursor.ordinal] = ordinal;
  }

  #step(equal: readonly Walk[]): void {
    let ended = false;
    for (const { cursor } of equal) if (!cursor.next()) ended = true;
    if (ended) this.#walks = this.#walks.filter(({ cursor }) => !cursor.atEnd);
  }

  /** Documents with at least one term. */
  #countDocs(): number {
    const { u8 } = this.#storage.arena;
    let count = 0;
    for (let at = this.#presence; at < this.#presence + this.#presenceBytes; at++) {
      for (let byte = u8[at]; byte !== 0; byte &= byte - 1) count++;
    }
    return count;
  }

  #alloc(bytes: number): number {
    const address = this.#storage.arena.alloc(bytes);
    this.#allocated.push(address);
    return address;
  }
}

function compare(a: TermCursor, b: TermCursor): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) if (a.bytes[i] !== b.bytes[i]) return a.bytes[i] - b.bytes[i];
  return a.length - b.length;
}
