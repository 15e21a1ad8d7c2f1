/** From a write buffer to sections: per field, terms sorted, postings in blocks, dictionary, lengths. */
import type { TermOrdinals } from "../columns/writer.js";
import { InvertedState, TermRecord } from "../kernels/accumulate.js";
import { TermRow } from "../kernels/encode-postings.js";
import { SORT_SCRATCH_BASE_BYTES, SORT_SCRATCH_BYTES } from "../kernels/sort-terms.js";
import type { Field } from "../mapping/field-table.js";
import { PostingsWriter } from "../postings/writer.js";
import { allocateAll } from "../store/allocate-all.js";
import type { SectionSink } from "../store/section.js";
import { writeLengths } from "../text/lengths.js";
import { normsOf } from "../text/norms.js";
import { TermsWriter } from "../text/writer.js";
import type { InvertedBuffer, InvertedField } from "./inverted.js";

/** Terms whose rows are held at a time. */
const TERM_BATCH = 4096;

/**
 * Writes all fields of a buffer, which stays as it is; `docs`: documents in it. Returns what a field's term ids (as
 * addTerm gave them) become.
 */
export function flushInverted(buffer: InvertedBuffer, sink: SectionSink, docs: number): (field: Field) => TermOrdinals {
  const byTerm = new Uint32Array(buffer.termCount);
  const counts = new Map<number, number>();
  const flush = new Flush(buffer, sink, docs, byTerm);
  try {
    for (const gathered of buffer.fields()) counts.set(gathered.field.ordinal, flush.field(gathered));
  } finally {
    flush.close();
  }
  return (field) => ({ byTerm, count: counts.get(field.ordinal) ?? 0 });
}

/** What is shared by the fields of one flush. Owns its memory until `close()`. */
class Flush {
  readonly #buffer: InvertedBuffer;
  readonly #postings: PostingsWriter;
  readonly #terms: TermsWriter;
  readonly #records: number;
  /** Term ids, those of a field together. */
  readonly #ids: number;
  /** Per field ordinal where its ids begin, one more at the end. */
  readonly #starts: Uint32Array;
  readonly #rows: number;
  readonly #allocated: number[] = [];

  constructor(
    buffer: InvertedBuffer,
    readonly sink: SectionSink,
    readonly docs: number,
    readonly byTerm: Uint32Array,
  ) {
    this.#buffer = buffer;
    const { arena } = buffer;
    const [rows, ids] = allocateAll(arena, [TermRow.bytes * TERM_BATCH, 4 * buffer.termCount + 4]);
    this.#allocated.push(rows, ids);
    this.#rows = rows;
    this.#ids = ids;
    try {
      this.#postings = new PostingsWriter(arena);
      this.#terms = newTerms(buffer, this.#postings);
    } catch (error) {
      for (const address of this.#allocated) arena.free(address);
      throw error;
    }
    this.#records = arena.u32[(buffer.state + InvertedState.records) >>> 2];
    this.#starts = this.#groupByField();
  }

  /** Writes one field; returns the number of its terms. */
  field(gathered: InvertedField): number {
    const { ordinal } = gathered.field;
    const from = this.#starts[ordinal];
    const count = this.#starts[ordinal + 1] - from;
    const ids = this.#ids + 4 * from;
    if (count > 0) this.#sort(ids, count);
    const lengths = this.#lengths(gathered);
    const norms = lengths === null || !gathered.field.norms ? 0 : this.#norms(lengths);
    const withFreqs = gathered.kind === "tokens";
    this.#postings.begin({ withFreqs, norms, presence: 0 });
    this.#terms.begin(withFreqs);
    for (let at = 0; at < count; at += TERM_BATCH) this.#flushTerms(ids + 4 * at, Math.min(TERM_BATCH, count - at));
    this.#postings.finish(this.sink, ordinal);
    this.#terms.finish(this.sink, ordinal, gathered.docCount);
    if (lengths !== null) writeLengths(this.sink, gathered.field, lengths);
    if (norms !== 0) this.#free(norms);
    return count;
  }

  close(): void {
    for (const address of this.#allocated) this.#buffer.arena.free(address);
    this.#postings.close();
    this.#terms.close();
  }

  /** Counting sort of the term ids by field. Terms of a document that never came to be have no documents: left out. */
  #groupByField(): Uint32Array {
    const { arena, termCount } = this.#buffer;
    const { u32 } = arena;
    const fields = this.#buffer.fields();
    const starts = new Uint32Array((fields.at(-1)?.field.ordinal ?? -1) + 3);
    const records = this.#records >>> 2;
    const words = TermRecord.bytes / 4;
    for (let id = 0; id < termCount; id++) {
      const record = records + words * id;
      if (u32[record + TermRecord.docFreq / 4] > 0) starts[(u32[record + TermRecord.key / 4] >>> 16) + 2]++;
    }
    for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
    // starts[f + 1] is where field f begins; it moves to where it ends, which is where f + 1 begins.
    for (let id = 0; id < termCount; id++) {
      const record = records + words * id;
      if (u32[record + TermRecord.docFreq / 4] === 0) continue;
      const field = u32[record + TermRecord.key / 4] >>> 16;
      u32[(this.#ids >>> 2) + starts[field + 1]++] = id;
    }
    return starts;
  }

  #sort(ids: number, count: number): void {
    const scratch = this.#alloc(SORT_SCRATCH_BASE_BYTES + SORT_SCRATCH_BYTES * count);
    this.#buffer.kernels.sortTerms(this.#records, ids, count, scratch);
    this.#free(scratch);
  }

  #lengths({ lengths }: InvertedField): Uint32Array | null {
    if (lengths === null) return null;
    const dense = new Uint32Array(this.docs);
    const pairs = lengths.filled();
    for (let at = 0; at < pairs.length; at += 2) dense[pairs[at]] = pairs[at + 1];
    return dense;
  }

  #norms(lengths: Uint32Array): number {
    const address = this.#alloc(lengths.length + 16);
    normsOf(lengths, this.#buffer.arena.u8.subarray(address, address + lengths.length));
    return address;
  }

  #flushTerms(ids: number, count: number): void {
    const { arena, kernels } = this.#buffer;
    const { encoder } = this.#postings;
    const run = { records: this.#records, ids, from: 0, count, encoder, rows: this.#rows };
    for (;;) {
      run.from = kernels.flushTerms(run);
      if (run.from === count) break;
      const record = this.#record(arena.u32[(ids >>> 2) + run.from]);
      this.#postings.makeRoomForTerm(
        arena.u32[(record + TermRecord.docFreq) >>> 2],
        arena.u32[(record + TermRecord.totalTermFreq) >>> 2],
      );
    }
    this.#addTerms(ids, count);
  }

  #addTerms(ids: number, count: number): void {
    const { u32 } = this.#buffer.arena;
    const first = this.#terms.addAll({ records: this.#records, ids, rows: this.#rows, count });
    for (let i = 0; i < count; i++) this.byTerm[u32[(ids >>> 2) + i]] = first + i;
  }

  #record(id: number): number {
    return this.#records + TermRecord.bytes * id;
  }

  #alloc(bytes: number): number {
    const address = this.#buffer.arena.alloc(bytes);
    this.#allocated.push(address);
    return address;
  }

  #free(address: number): void {
    this.#allocated.splice(this.#allocated.indexOf(address), 1);
    this.#buffer.arena.free(address);
  }
}

function newTerms({ arena, kernels }: InvertedBuffer, postings: PostingsWriter): TermsWriter {
  try {
    return new TermsWriter(arena, kernels);
  } catch (error) {
    postings.close();
    throw error;
  }
}
