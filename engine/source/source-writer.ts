import { InternalError } from "../errors.js";
import { LZ4_TABLE_BYTES } from "../kernels/lz4.js";
import { Growing } from "../store/growing.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { writeNumbers } from "./numbers.js";
import { type Run, writeShapes } from "./shape-section.js";
import { BLOCKS_HEADER, DOCS_PER_GROUP, MAX_BLOCK, TARGET_BLOCK } from "./source-format.js";

/**
 * Packs the records of a write buffer or a merge. Packed blocks go to `emit` as they are full (the bytes are valid
 * during the call); what is small is kept and written by `finish`. `close()` gives memory back.
 */
export class SourceWriter {
  /** Raw offsets of records, and of the end. */
  readonly starts: Growing<"f64">;
  /** Raw and packed offset of each finished block, then of the end. */
  readonly blocks: Growing<"f64">;
  /** The block being filled: address and bytes. */
  readonly pendingAddress: number;
  pending = 0;
  /** Raw bytes and packed bytes so far, the pending block in the first only. */
  rawBytes = 0;
  packedBytes = 0;
  #buffers = 0;
  /** Which base the blocks so far have. */
  readonly #runs: Run[] = [];

  constructor(
    readonly storage: Storage,
    readonly emit: (packed: Uint8Array) => void,
  ) {
    this.starts = new Growing(storage.arena, "f64");
    this.blocks = new Growing(storage.arena, "f64");
    this.pendingAddress = storage.arena.alloc(MAX_BLOCK + 16);
    this.#buffers = storage.arena.sizeOf(this.pendingAddress);
    this.starts.push(0);
    this.blocks.push(0);
    this.blocks.push(0);
  }

  get bytes(): number {
    return this.#buffers + this.starts.bytes + this.blocks.bytes;
  }

  /** Adds the next document's record, of base 0. */
  add(source: Uint8Array): void {
    const { u8 } = this.storage.arena;
    if (this.pending > 0 && this.pending + source.length > MAX_BLOCK) this.endBlock();
    let from = 0;
    for (; source.length - from > MAX_BLOCK; from += MAX_BLOCK) {
      u8.set(source.subarray(from, from + MAX_BLOCK), this.pendingAddress);
      this.pending = MAX_BLOCK;
      this.rawBytes += MAX_BLOCK;
      this.endBlock();
    }
    u8.set(from === 0 ? source : source.subarray(from), this.pendingAddress + this.pending);
    this.pending += source.length - from;
    this.rawBytes += source.length - from;
    this.starts.push(this.rawBytes);
    // What is left of a document that was cut is a block of its own, so that the next begins with a document.
    if (this.pending >= TARGET_BLOCK || from > 0) this.endBlock();
  }

  /**
   * Where the next record may be written, if it has at most so many bytes (16 more may be overwritten); 0: give it to
   * `add`. Nothing is added until `commit` says how many bytes it has.
   */
  reserve(bytes: number): number {
    return this.pending + bytes > MAX_BLOCK ? 0 : this.pendingAddress + this.pending;
  }

  commit(bytes: number): void {
    this.pending += bytes;
    this.rawBytes += bytes;
    this.starts.push(this.rawBytes);
    if (this.pending >= TARGET_BLOCK) this.endBlock();
  }

  /** Adds a packed block as it is, with the lengths of the whole records in it. The pending block must be ended. */
  addBlock(packed: Uint8Array, lengths: readonly number[], base: number): void {
    if (this.pending > 0) throw new InternalError("a packed block is added while another is being filled");
    for (const length of lengths) {
      this.rawBytes += length;
      this.starts.push(this.rawBytes);
    }
    this.#emitBlock(packed, base);
  }

  /** Packs what is pending. */
  endBlock(): void {
    if (this.pending === 0) return;
    const { arena, kernels, scratch } = this.storage;
    const capacity = this.pending + Math.ceil(this.pending / 255) + 16;
    const out = scratch.region("packed", Math.max(capacity, MAX_BLOCK + 512));
    const table = scratch.region("table", LZ4_TABLE_BYTES);
    const size = kernels.lz4Compress(this.pendingAddress, this.pending, out, table);
    const packed = size < this.pending ? arena.bytes(out, size) : arena.bytes(this.pendingAddress, this.pending);
    this.pending = 0;
    this.#emitBlock(packed, 0);
  }

  /** Writes the sections beside the data; everything must have been emitted (`endBlock`). `shapes`: encoded ones. */
  finish(sink: SectionSink, shapes: readonly Uint8Array[]): void {
    if (this.pending > 0) throw new InternalError("the last block is not packed");
    const starts = this.starts.filled();
    const docs = starts.length - 1;
    const lengths = new Float64Array(docs);
    for (let doc = 0; doc < docs; doc++) lengths[doc] = starts[doc + 1] - starts[doc];
    writeNumbers(sink, SectionKind.sourceLengths, lengths, 0);
    const blocks = this.blocks.filled();
    const groups = Math.ceil(docs / DOCS_PER_GROUP);
    const table = new Float64Array(BLOCKS_HEADER + blocks.length + groups);
    table[0] = docs;
    table[1] = blocks.length / 2 - 1;
    table.set(blocks, BLOCKS_HEADER);
    for (let group = 0; group < groups; group++) {
      table[BLOCKS_HEADER + blocks.length + group] = starts[group * DOCS_PER_GROUP];
    }
    sink.begin(SectionKind.sourceBlocks, NO_FIELD);
    sink.append(new Uint8Array(table.buffer));
    sink.end();
    writeShapes(sink, this.storage, this.#runs, shapes);
  }

  close(): void {
    if (this.#buffers === 0) return;
    this.#buffers = 0;
    this.storage.arena.free(this.pendingAddress);
    this.starts.close();
    this.blocks.close();
  }

  #emitBlock(packed: Uint8Array, base: number): void {
    if (this.#runs.at(-1)?.base !== base) this.#runs.push({ block: this.blocks.length / 2 - 1, base });
    this.emit(packed);
    this.packedBytes += packed.length;
    this.blocks.push(this.rawBytes);
    this.blocks.push(this.packedBytes);
  }
}
