/** From the values of a write buffer to the sections of a field (format.ts). */

import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { FULL_CHUNK, TARGET_CHUNK } from "./format.js";
import { GramCollection } from "./gatherer.js";
import { GramsWriter } from "./grams-writer.js";
import { TextTable } from "./text-table.js";
import { TextWriter } from "./text-writer.js";

const LINE_FEED = 0x0a;
/** Bytes handled between two yields: some two milliseconds. */
const SLICE_BYTES = 256 * 1024;

/** Where the values of one field lie, by document ascending; they must stay there until they are written. */
export class TextBuffer {
  readonly #docs: Growing<"u32">;
  readonly #addresses: Growing<"f64">;
  readonly #lengths: Growing<"u32">;

  constructor(arena: Arena) {
    this.#docs = new Growing(arena, "u32");
    this.#addresses = new Growing(arena, "f64");
    this.#lengths = new Growing(arena, "u32");
  }

  get bytes(): number {
    return this.#docs.bytes + this.#addresses.bytes + this.#lengths.bytes;
  }

  /** A value of a document: `length` bytes at `address`. */
  add(doc: number, address: number, length: number): void {
    this.#docs.push(doc);
    this.#addresses.push(address);
    this.#lengths.push(length);
  }

  /** Writes the field's sections. Yields after some work. */
  *write(storage: Storage, sink: SectionSink, field: number, docCount: number): Generator<void, void> {
    const docs = this.#docs.filled();
    const builder = new TextBuilder(storage, (packed) => sink.append(packed));
    try {
      sink.begin(SectionKind.textData, field);
      let value = 0;
      let work = 0;
      for (let doc = 0; doc < docCount; doc++) {
        builder.table.beginDocument();
        for (; value < docs.length && docs[value] === doc; value++) {
          const length = this.#lengths.view[value];
          builder.add(this.#addresses.view[value], length);
          work += length + 64;
          if (work < SLICE_BYTES) continue;
          work = 0;
          yield;
        }
      }
      builder.end();
      sink.end();
      yield* builder.write(sink, field);
    } finally {
      builder.close();
    }
  }

  close(): void {
    for (const list of [this.#docs, this.#addresses, this.#lengths]) list.close();
  }
}

/** Cuts values into chunks, packs them and gathers their grams. */
class TextBuilder {
  readonly table: TextTable;
  readonly #writer: TextWriter;
  readonly #grams: GramCollection;
  /** Bytes of the current chunk, and where it begins. */
  #open = 0;
  #value = 0;
  #offset = 0;
  #line = 0;

  constructor(
    readonly storage: Storage,
    emit: (packed: Uint8Array) => void,
  ) {
    this.table = new TextTable(storage.arena);
    this.#writer = new TextWriter(storage, emit);
    this.#grams = new GramCollection(storage);
  }

  /** The next value. */
  add(address: number, length: number): void {
    const value = this.table.values;
    this.table.addValue(length);
    if (this.#open >= TARGET_CHUNK / 2 && this.#open + length > FULL_CHUNK) this.#endChunk();
    let line = 0;
    for (let done = 0; done < length; ) {
      if (this.#open === 0) [this.#value, this.#offset, this.#line] = [value, done, line];
      const count = this.#pieceLength(address + done, length - done);
      this.#writer.append(address + done, count);
      line += this.#grams.add(address + done, count);
      this.#open += count;
      done += count;
      if (this.#open >= TARGET_CHUNK) this.#endChunk();
    }
  }

  /** Ends the last chunk and block. */
  end(): void {
    this.#endChunk();
    this.#writer.endBlock();
  }

  /** Writes the sections beside the text. */
  *write(sink: SectionSink, field: number): Generator<void, void> {
    this.table.write(sink, field, this.#writer.blocks);
    const writer = new GramsWriter(this.storage, sink, field, this.table.chunks);
    try {
      yield* this.#grams.write(writer);
      writer.finish();
    } finally {
      writer.close();
    }
  }

  close(): void {
    this.table.close();
    this.#writer.close();
    this.#grams.close();
  }

  /** How much of a value's rest goes into the current chunk: all, or as far as the line in which it becomes full. */
  #pieceLength(address: number, left: number): number {
    if (this.#open + left <= FULL_CHUNK) return left;
    const { u8 } = this.storage.arena;
    let at = address + TARGET_CHUNK - this.#open;
    while (at < address + left && u8[at - 1] !== LINE_FEED) at++;
    return at - address;
  }

  #endChunk(): void {
    if (this.#open === 0) return;
    this.table.addChunk(this.#open, this.#value, this.#offset, this.#line);
    this.#grams.endChunk();
    this.#writer.mayBreak();
    this.#open = 0;
  }
}
