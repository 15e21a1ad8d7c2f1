import { InternalError } from "../errors.js";
import { NO_FIELD, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { assemble, readHead } from "./assemble.js";
import { BlockStream, blockAt } from "./blocks.js";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { KnownShapes } from "./known-shapes.js";
import { Numbers } from "./numbers.js";
import { SourceShapes } from "./shape-section.js";
import { hiddenSlots, type ShownPaths } from "./shown-paths.js";
import { assembleShown, type ShownShape, shownShape } from "./shown-shape.js";
import { BLOCKS_HEADER, DOCS_PER_GROUP, WHOLE } from "./source-format.js";

/** Where documents are put together; one of a thread, because it is copied from at once. */
const output = new ByteOutput();

const NO_RECORD = { record: new Uint8Array(0), from: 0 };

/** Finds the raw bytes of documents. Holds views of the arena: valid while the segment is in use. */
export class SourceReader {
  readonly docs: number;
  /** Pairs of raw and packed offset. */
  readonly blocks: Float64Array;
  readonly shapes: SourceShapes;
  readonly #known = new KnownShapes();
  readonly #groups: Float64Array;
  readonly #lengths: Numbers;
  readonly #stream: BlockStream;
  readonly #source: SectionSource;
  readonly #name: string;

  constructor(source: SectionSource, storage: Storage, name: string) {
    const extent = source.pin(SectionKind.sourceBlocks, NO_FIELD);
    if (extent === null) throw new InternalError(`${name} has no _source`);
    const table = new Float64Array(storage.arena.memory.buffer, extent.address, extent.length / 8);
    const end = BLOCKS_HEADER + 2 * (table[1] + 1);
    this.docs = table[0];
    this.blocks = table.subarray(BLOCKS_HEADER, end);
    this.shapes = new SourceShapes(source, storage, name);
    this.#groups = table.subarray(end);
    this.#source = source;
    this.#name = name;
    this.#lengths = new Numbers(source, storage.arena, SectionKind.sourceLengths);
    this.#stream = new BlockStream(storage, name, {
      offsets: () => this.blocks,
      copyPacked: (from, into) => source.readInto(SectionKind.sourceData, NO_FIELD, from, into),
    });
  }

  /** A copy of a document, as it was written but for what is not shown; `values` are those of this document. */
  document(doc: number, values: DocumentValues, shown?: ShownPaths): Uint8Array {
    const start = this.start(doc);
    const record = this.#stream.view(start, start + this.length(doc));
    const base = this.#baseAt(start);
    if (base === WHOLE) return record.slice();
    const { shape, next } = readHead(record);
    if (shape === 0) return record.slice(next);
    output.at = 0;
    const found = this.shapes.shape(base + shape - 1);
    assemble({ shape: found, hidden: hiddenSlots(found, shown) }, record, next, values, output, this.#name);
    return output.bytes.slice(0, output.at);
  }

  /** A copy of what is shown of a document, and nothing besides; null: `document` has to be asked, and its answer be filtered. */
  shownDocument(doc: number, values: DocumentValues, shown: ShownPaths): Uint8Array | null {
    const known = this.#known.of(doc);
    const cut = known < 0 ? null : shownShape(this.shapes.shape(known), shown);
    if (cut?.values === "columns") return this.#cut(cut, NO_RECORD, values);
    const start = this.start(doc);
    const record = this.#stream.view(start, start + this.length(doc));
    const base = this.#baseAt(start);
    if (base === WHOLE) return null;
    const { shape, next } = readHead(record);
    if (shape === 0) return null;
    this.#known.note(doc, base + shape - 1);
    const found = cut ?? shownShape(this.shapes.shape(base + shape - 1), shown);
    return found === null ? null : this.#cut(found, { record, from: next }, values);
  }

  #cut(cut: ShownShape, kept: { record: Uint8Array; from: number }, values: DocumentValues): Uint8Array | null {
    output.at = 0;
    const made = assembleShown(cut, { ...kept, name: this.#name }, values, output);
    return made === "shown" ? output.bytes.slice(0, output.at) : null;
  }

  /** Bytes of a document's record. */
  length(doc: number): number {
    return this.#lengths.get(doc);
  }

  /** A document's record: a view that may be valid until the next call only. */
  record(doc: number): Uint8Array {
    const from = this.start(doc);
    return this.#stream.view(from, from + this.length(doc));
  }

  /** Raw offset of a document's record. */
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

  #baseAt(start: number): number {
    const { runs } = this.shapes;
    return runs.length === 1 ? runs[0].base : this.shapes.baseOf(blockAt(this.blocks, start));
  }
}
