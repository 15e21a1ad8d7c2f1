import { writeNumbers } from "../source/numbers.js";
import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import { VALUES_PER_GROUP } from "./format.js";

/** Gathers what is said of a field's text beside the text: its values, whose they are, its chunks. */
export class TextTable {
  /** Bytes of each value. */
  readonly lengths: Growing<"u32">;
  readonly #docs: Growing<"u32">;
  readonly #chunkStarts: Growing<"f64">;
  /** Three words a chunk. */
  readonly #chunks: Growing<"u32">;
  /** Bytes of all chunks so far. */
  #end = 0;

  constructor(arena: Arena) {
    this.lengths = new Growing(arena, "u32");
    this.#docs = new Growing(arena, "u32");
    this.#chunkStarts = new Growing(arena, "f64");
    this.#chunks = new Growing(arena, "u32");
  }

  get values(): number {
    return this.lengths.length;
  }

  get chunks(): number {
    return this.#chunkStarts.length;
  }

  /** The next document begins: values that follow are its. */
  beginDocument(): void {
    this.#docs.push(this.values);
  }

  addValue(length: number): void {
    this.lengths.push(length);
  }

  /** A chunk of `length` bytes that begins in this value, `offset` bytes and `line` line feeds from its beginning. */
  addChunk(length: number, value: number, offset: number, line: number): void {
    this.#chunkStarts.push(this.#end);
    this.#chunks.push(value);
    this.#chunks.push(offset);
    this.#chunks.push(line);
    this.#end += length;
  }

  /** Writes textLengths, textDocs, textTable; all documents and chunks are there. */
  write(sink: SectionSink, field: number, blocks: Growing<"f64">): void {
    const lengths = this.lengths.filled();
    writeNumbers(sink, SectionKind.textLengths, lengths, 0, field);
    this.#writeDocs(sink, field);
    sink.begin(SectionKind.textTable, field);
    sink.append(bytesOf(Uint32Array.of(this.values, this.chunks, blocks.length / 2 - 1, 0)));
    sink.append(bytesOf(blocks.filled()));
    sink.append(bytesOf(groupStarts(lengths)));
    sink.append(bytesOf(this.#chunkStarts.filled()));
    sink.append(bytesOf(Float64Array.of(this.#end)));
    sink.append(bytesOf(this.#chunks.filled()));
    sink.end();
  }

  close(): void {
    for (const list of [this.lengths, this.#docs, this.#chunkStarts, this.#chunks]) list.close();
  }

  #writeDocs(sink: SectionSink, field: number): void {
    const docs = this.#docs.filled();
    if (docs.length === this.values && docs.every((first, doc) => first === doc)) return;
    sink.begin(SectionKind.textDocs, field);
    sink.append(bytesOf(docs));
    sink.append(bytesOf(Uint32Array.of(this.values)));
    sink.end();
  }
}

function groupStarts(lengths: Uint32Array): Float64Array {
  const starts = new Float64Array(Math.ceil(lengths.length / VALUES_PER_GROUP));
  let start = 0;
  for (let value = 0; value < lengths.length; value++) {
    if (value % VALUES_PER_GROUP === 0) starts[value / VALUES_PER_GROUP] = start;
    start += lengths[value];
  }
  return starts;
}

function bytesOf(array: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
