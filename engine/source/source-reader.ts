import { InternalError } from "../errors.js";
import { NO_FIELD, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { BlockStream } from "./blocks.js";
import { Numbers } from "./numbers.js";
import { BLOCKS_HEADER, DOCS_PER_GROUP } from "./source-format.js";

/** Finds the raw bytes of documents. Holds views of the arena: valid while the segment is in use. */
export class SourceReader {
  readonly docs: number;
  /** Pairs of raw and packed offset. */
  readonly blocks: Float64Array;
  readonly #groups: Float64Array;
  readonly #lengths: Numbers;
  readonly #stream: BlockStream;
  readonly #source: SectionSource;

  constructor(source: SectionSource, storage: Storage, name: string) {
    const extent = source.pin(SectionKind.sourceBlocks, NO_FIELD);
    if (extent === null) throw new InternalError(`${name} has no _source`);
    const table = new Float64Array(storage.arena.memory.buffer, extent.address, extent.length / 8);
    const end = BLOCKS_HEADER + 2 * (table[1] + 1);
    this.docs = table[0];
    this.blocks = table.subarray(BLOCKS_HEADER, end);
    this.#groups = table.subarray(end);
    this.#source = source;
    this.#lengths = new Numbers(source, storage.arena, SectionKind.sourceLengths);
    this.#stream = new BlockStream(storage, name, {
      offsets: () => this.blocks,
      copyPacked: (from, into) => source.readInto(SectionKind.sourceData, NO_FIELD, from, into),
    });
  }

  /** Bytes of a document. */
  length(doc: number): number {
    return this.#lengths.get(doc);
  }

  /** A document's bytes: a view that may be valid until the next call only. */
  view(doc: number): Uint8Array {
    const from = this.start(doc);
    return this.#stream.view(from, from + this.length(doc));
  }

  /** Raw offset of a document. */
  start(doc: number): number {
    const group = Math.floor(doc / DOCS_PER_GROUP);
    let start = this.#groups[group];
    for (let before = group * DOCS_PER_GROUP; before < doc; before++) start += this.#lengths.get(before);
    return start;
  }

  /** Packed bytes [from, from + length) as they lie in the file. */
  packed(from: number, length: number): Uint8Array {
    return this.#source.read(SectionKind.sourceData, NO_FIELD, from, length);
  }
}
