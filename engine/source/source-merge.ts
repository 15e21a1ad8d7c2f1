/** Merging `_source`: blocks whose documents are all alive are copied as they are, others are unpacked and packed anew. */
import { isSet } from "../store/bits.js";
import { ByteOutput } from "./byte-output.js";
import { type MappedShapes, mergedHead, ShapeMerge } from "./shape-merge.js";
import { COPY_BLOCK, WHOLE } from "./source-format.js";
import type { SourceReader } from "./source-reader.js";
import type { SourceWriter } from "./source-writer.js";

export interface SourceInput {
  readonly source: SourceReader;
  /** Bit set: alive. null: all are. */
  readonly live: Uint32Array | null;
  /** A document as it was written. */
  readonly document: (doc: number) => Uint8Array;
}

/** Raw bytes handled between two yields. */
const SLICE_BYTES = 512 * 1024;

/**
 * Adds the live documents of all inputs to the writer, in order, and ends the last block. Yields after some work;
 * returns the encoded shapes of the merged segment.
 */
export function* mergeSources(
  writer: SourceWriter,
  inputs: readonly SourceInput[],
): Generator<void, readonly Uint8Array[]> {
  const shapes = new ShapeMerge();
  let work = 0;
  for (const input of inputs) {
    const { source } = input;
    const merge = new InputMerge(writer, input, shapes.add(source.shapes));
    for (let doc = 0; doc < source.docs; ) {
      const from = doc;
      doc = merge.copyBlock(doc) ?? merge.copyDocument(doc);
      work += doc - from > 1 ? COPY_BLOCK : source.length(from);
      if (work < SLICE_BYTES) continue;
      work = 0;
      yield;
    }
  }
  writer.endBlock();
  return shapes.encoded;
}

/** One input's walk. Each step begins at a document, puts it behind what was written, and returns the next. */
class InputMerge {
  readonly #writer: SourceWriter;
  readonly #input: SourceInput;
  readonly #mapped: MappedShapes;
  readonly #record = new ByteOutput();
  /** Raw offset of the next document's record, and the block it is in. */
  #start = 0;
  #block = 0;

  constructor(writer: SourceWriter, input: SourceInput, mapped: MappedShapes) {
    this.#writer = writer;
    this.#input = input;
    this.#mapped = mapped;
  }

  /** Copies the block that begins with this document; null: there is none that can be copied. */
  copyBlock(doc: number): number | null {
    const { blocks } = this.#input.source;
    while (blocks[2 * this.#block + 2] <= this.#start && 2 * this.#block + 4 < blocks.length) this.#block++;
    const writer = this.#writer;
    if (writer.pending > 0 && writer.pending < COPY_BLOCK) return null;
    const base = this.#mergedBase();
    const run = base < 0 ? null : this.#runAt(doc);
    if (run === null) return null;
    writer.endBlock();
    const from = blocks[2 * this.#block + 1];
    writer.addBlock(this.#input.source.packed(from, blocks[2 * this.#block + 3] - from), run, base);
    this.#start = blocks[2 * this.#block + 2];
    return doc + run.length;
  }

  copyDocument(doc: number): number {
    const { source, live, document } = this.#input;
    if (isSet(live, doc)) {
      const record = source.record(doc);
      const merged = mergedHead(record, source.shapes.baseOf(this.#block), this.#mapped);
      const output = this.#record;
      output.at = 0;
      output.varint(merged?.head ?? 0);
      if (merged !== null) output.append(record, merged.next, record.length);
      else {
        const whole = document(doc);
        output.append(whole, 0, whole.length);
      }
      this.#writer.add(output.bytes.subarray(0, output.at));
    }
    this.#start += source.length(doc);
    return doc + 1;
  }

  /** The base that this block has in the merged segment; -1: its records must be written anew. */
  #mergedBase(): number {
    const base = this.#input.source.shapes.baseOf(this.#block);
    if (base === WHOLE) return WHOLE;
    return this.#mapped.offset < 0 ? -1 : base + this.#mapped.offset;
  }

  /** Lengths of the records of the block, if it begins with this document and can be copied whole: else null. */
  #runAt(doc: number): number[] | null {
    const { source, live } = this.#input;
    const from = source.blocks[2 * this.#block];
    const to = source.blocks[2 * this.#block + 2];
    if (this.#start !== from || to - from < COPY_BLOCK) return null;
    const lengths: number[] = [];
    let end = from;
    for (let next = doc; end < to && next < source.docs; next++) {
      if (!isSet(live, next)) return null;
      const length = source.length(next);
      lengths.push(length);
      end += length;
    }
    return end === to ? lengths : null;
  }
}
