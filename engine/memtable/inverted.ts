/**
 * The inverted part of a write buffer: for every field, its distinct terms and where they occur. One hash table for all
 * fields, one 64-byte record a term, postings as chains of byte slices; layout and loops are in kernels/accumulate.ts,
 * here lies who owns the memory. Turned into sections by inverted-flush.ts.
 */
import { InternalError } from "../errors.js";
import { InvertedState, MAX_SLICE_BYTES, TermRecord, TOKEN_BATCH } from "../kernels/accumulate.js";
import type { Kernels } from "../kernels/kernels.js";
import type { Field } from "../mapping/field-table.js";
import { allocateAll } from "../store/allocate-all.js";
import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";
import { RECORD_HEADER_BYTES, TOKEN_ENTRY_BYTES, TOKENS_HEADER_BYTES } from "./prepared.js";

const FIRST_SLOTS = 4096;
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** Behind state and ids, in the one allocation that holds both. */
const STATE_BYTES = InvertedState.bytes + 4 * TOKEN_BATCH;
const MAX_FIELDS = 65_536;

/** What one field has gathered. */
export interface InvertedField {
  readonly field: Field;
  /** What it is given: tokens keep frequencies and positions, terms do not. */
  readonly kind: "tokens" | "terms";
  /** Documents with at least one term. */
  docCount: number;
  lastDoc: number;
  /** Pairs (document, norm length), ascending, of documents whose length is not 0; null for terms. */
  readonly lengths: Growing<"u32"> | null;
}

/**
 * Owns its memory until `close()`. Documents are added in ascending order. Not usable after an error other than being
 * told so beforehand: `alloc` of the arena throws `overloaded` in the middle of a document.
 */
export class InvertedBuffer {
  readonly state: number;
  readonly #fields = new Map<number, InvertedField>();
  readonly #chunks: number[] = [];
  #table: number;
  #records: number;
  #bytes = 0;
  #chunkBytes = FIRST_CHUNK_BYTES;

  constructor(
    readonly arena: Arena,
    readonly kernels: Kernels,
  ) {
    const sizes = [STATE_BYTES, 8 * FIRST_SLOTS, (TermRecord.bytes * FIRST_SLOTS) / 2];
    const [state, table, records] = allocateAll(arena, sizes);
    this.state = state;
    this.#table = table;
    this.#records = records;
    for (const address of [state, table, records]) this.#bytes += arena.sizeOf(address);
    this.#set(InvertedState.ids, this.state + InvertedState.bytes);
    this.#set(InvertedState.table, this.#table);
    this.#set(InvertedState.mask, FIRST_SLOTS - 1);
    this.#set(InvertedState.records, this.#records);
    this.#set(InvertedState.count, 0);
    this.#set(InvertedState.capacity, FIRST_SLOTS / 2);
    this.#set(InvertedState.slabNext, 0);
    this.#set(InvertedState.slabEnd, 0);
    kernels.rebuildTermTable(this.state);
  }

  /** Bytes of the arena held. */
  get bytes(): number {
    let total = this.#bytes;
    for (const { lengths } of this.#fields.values()) total += lengths?.bytes ?? 0;
    return total;
  }

  /** Distinct (field, term) pairs so far: term ids are below this. */
  get termCount(): number {
    return this.#get(InvertedState.count);
  }

  /** Fields that were added to, by ordinal ascending. */
  fields(): InvertedField[] {
    return [...this.#fields.values()].sort((a, b) => a.field.ordinal - b.field.ordinal);
  }

  /** Adds the TOKENS record (prepared.ts) at `recordAddress` to `doc`; at most one a field and document. */
  addTokens(field: Field, recordAddress: number, doc: number): void {
    const { u32 } = this.arena;
    const header = (recordAddress + RECORD_HEADER_BYTES) >>> 2;
    const count = u32[header];
    const length = u32[header + 1];
    const gathered = this.#gathered(field, "tokens");
    if (count > 0) this.#countDoc(gathered, doc);
    if (length > 0 && gathered.lengths !== null) {
      gathered.lengths.push(doc);
      gathered.lengths.push(length);
    }
    const tokens = recordAddress + RECORD_HEADER_BYTES + TOKENS_HEADER_BYTES;
    const run = {
      state: this.state,
      field: field.ordinal,
      tokens,
      text: tokens + TOKEN_ENTRY_BYTES * count,
      from: 0,
      count,
      doc,
    };
    for (;;) {
      run.from = this.kernels.accumulateTokens(run);
      if (run.from === count) return;
      this.#makeRoom(u32[(tokens + TOKEN_ENTRY_BYTES * run.from + 4) >>> 2]);
    }
  }

  /** Adds the TERM record at `recordAddress` to `doc`; a repetition counts once. Returns the term's id. */
  addTerm(field: Field, recordAddress: number, doc: number): number {
    const payload = recordAddress + RECORD_HEADER_BYTES;
    return this.addTermBytes(field, payload + 4, this.arena.u32[payload >>> 2], doc);
  }

  /** The same for `length` bytes at `address` (16 more must be readable). */
  addTermBytes(field: Field, address: number, length: number, doc: number): number {
    this.#countDoc(this.#gathered(field, "terms"), doc);
    for (;;) {
      const id = this.kernels.accumulateTerm(this.state, field.ordinal, address, length, doc);
      if (id >= 0) return id;
      this.#makeRoom(length);
    }
  }

  close(): void {
    for (const address of [this.state, this.#table, this.#records, ...this.#chunks]) this.arena.free(address);
    for (const { lengths } of this.#fields.values()) lengths?.close();
    this.#chunks.length = 0;
    this.#fields.clear();
    this.#bytes = 0;
  }

  #gathered(field: Field, kind: InvertedField["kind"]): InvertedField {
    const found = this.#fields.get(field.ordinal);
    if (found !== undefined) {
      if (found.kind !== kind) throw new InternalError(`field "${field.path}" is given tokens and terms`);
      return found;
    }
    if (field.ordinal >= MAX_FIELDS) {
      throw new InternalError(`field "${field.path}" has ordinal ${field.ordinal}, the write buffer takes 16 bits`);
    }
    const lengths = kind === "tokens" ? new Growing(this.arena, "u32") : null;
    const gathered = { field, kind, docCount: 0, lastDoc: -1, lengths };
    this.#fields.set(field.ordinal, gathered);
    return gathered;
  }

  #countDoc(gathered: InvertedField, doc: number): void {
    if (gathered.lastDoc !== doc) gathered.docCount++;
    gathered.lastDoc = doc;
  }

  /** A kernel stopped: whatever is short gets more. `termBytes`: length of the term it stopped at. */
  #makeRoom(termBytes: number): void {
    const count = this.#get(InvertedState.count);
    if (count + TOKEN_BATCH > this.#get(InvertedState.capacity)) this.#growTerms(2 * this.#get(InvertedState.capacity));
    const room = this.#get(InvertedState.slabEnd) - this.#get(InvertedState.slabNext);
    const needed = MAX_SLICE_BYTES + termBytes + 32;
    if (room < needed) this.#addChunk(Math.max(this.#chunkBytes, needed));
  }

  /** Records and table grow together, so that the table stays at most half full. */
  #growTerms(capacity: number): void {
    const records = this.#alloc(TermRecord.bytes * capacity);
    const used = TermRecord.bytes * this.#get(InvertedState.count);
    this.arena.u8.copyWithin(records, this.#records, this.#records + used);
    this.#free(this.#records);
    this.#records = records;
    this.#free(this.#table);
    this.#table = this.#alloc(8 * 2 * capacity);
    this.#set(InvertedState.records, records);
    this.#set(InvertedState.capacity, capacity);
    this.#set(InvertedState.table, this.#table);
    this.#set(InvertedState.mask, 2 * capacity - 1);
    this.kernels.rebuildTermTable(this.state);
  }

  #addChunk(bytes: number): void {
    const chunk = this.#alloc(bytes);
    this.#chunks.push(chunk);
    this.#chunkBytes = Math.min(MAX_CHUNK_BYTES, 2 * this.#chunkBytes);
    this.#set(InvertedState.slabNext, chunk);
    this.#set(InvertedState.slabEnd, chunk + this.arena.sizeOf(chunk));
  }

  #alloc(bytes: number): number {
    const address = this.arena.alloc(bytes);
    this.#bytes += this.arena.sizeOf(address);
    return address;
  }

  #free(address: number): void {
    this.#bytes -= this.arena.sizeOf(address);
    this.arena.free(address);
  }

  #get(offset: number): number {
    return this.arena.u32[(this.state + offset) >>> 2];
  }

  #set(offset: number, value: number): void {
    this.arena.u32[(this.state + offset) >>> 2] = value;
  }
}
