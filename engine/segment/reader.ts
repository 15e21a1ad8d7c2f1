import path from "node:path";
import { readExists } from "../columns/exists.js";
import { readColumn } from "../columns/reader.js";
import type { Field } from "../mapping/field-table.js";
import { openPostings } from "../postings/reader.js";
import { idKey } from "../source/id-key.js";
import { IdReader } from "../source/id-reader.js";
import { Numbers } from "../source/numbers.js";
import { RoutingReader } from "../source/routing.js";
import { SourceReader } from "../source/source-reader.js";
import type { LoadedExtent } from "../store/extents.js";
import { type Extent, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { openLengths } from "../text/lengths.js";
import { openTerms, readFieldStats } from "../text/reader.js";
import { type GraphSearch, readVectors, type SegmentVectors } from "../vectors/reader.js";
import { SegmentFile } from "./file.js";
import { readSegmentMeta, type SegmentMeta } from "./meta.js";
import type {
  Column,
  FieldStats,
  PostingsIterator,
  Presence,
  SegmentReader,
  TermDictionary,
  TermState,
} from "./types.js";

/** File name of a segment. */
export function segmentFileName(name: string): string {
  return `${name}.seg`;
}

/** Keys of parts: the kind's number, plus the field's ordinal. */
const PartKind = {
  terms: 0,
  postings: 1 * 2 ** 32,
  stats: 2 * 2 ** 32,
  norms: 3 * 2 ** 32,
  lengths: 4 * 2 ** 32,
  column: 5 * 2 ** 32,
  vectors: 6 * 2 ** 32,
  exists: 7 * 2 ** 32,
  numbers: 8 * 2 ** 32,
  ids: 9 * 2 ** 32,
  source: 10 * 2 ** 32,
  routing: 11 * 2 ** 32,
} as const;

/** A part made from pinned sections, and which pieces of the arena it stands on. */
interface Part {
  readonly value: unknown;
  readonly extents: readonly LoadedExtent[];
}

/**
 * A segment file opened for reading. Parts (dictionary, column, ids, ...) are made at first use and kept until a piece
 * of the arena they stand on is evicted, which only happens between uses. All questions but `name`, `docCount`,
 * `sizeBytes` and `meta` must be asked between `beginUse` and `endUse`.
 */
export class OpenSegment implements SegmentReader {
  readonly name: string;
  readonly meta: SegmentMeta;
  readonly file: SegmentFile;
  readonly #parts = new Map<number, Part>();
  #graphs: (field: number) => GraphSearch = () => null;

  private constructor(
    readonly storage: Storage,
    folder: string,
    name: string,
  ) {
    this.name = name;
    this.file = SegmentFile.open(storage, path.join(folder, segmentFileName(name)));
    this.file.onEvicted = () => this.#parts.clear();
    this.meta = readSegmentMeta(this.file);
  }

  /** Opens `<folder>/<name>.seg`; throws CorruptionError when header, table or trailer are damaged. */
  static open(storage: Storage, folder: string, name: string): OpenSegment {
    return new OpenSegment(storage, folder, name);
  }

  get docCount(): number {
    return this.meta.docs;
  }

  get sizeBytes(): number {
    return this.file.size;
  }

  /** Bytes of arena the segment holds now. */
  get memoryBytes(): number {
    return this.file.memoryBytes;
  }

  beginUse(): void {
    this.file.beginUse();
  }

  endUse(): void {
    this.file.endUse();
  }

  terms(field: Field): TermDictionary | null {
    return this.#part(PartKind.terms + field.ordinal, (source) => openTerms(source, this.storage, field));
  }

  postings(field: Field, state: TermState, options: { positions: boolean }): PostingsIterator {
    const postings = this.#part(PartKind.postings + field.ordinal, (source) =>
      openPostings(source, this.storage, field),
    );
    return postings.iterator(state, options);
  }

  fieldStats(field: Field): FieldStats {
    return this.#part(PartKind.stats + field.ordinal, (source) => readFieldStats(source, this.storage, field));
  }

  norms(field: Field): number {
    const norms = this.#part(PartKind.norms + field.ordinal, (source) => source.pin(SectionKind.norms, field.ordinal));
    return norms?.address ?? 0;
  }

  fieldLength(field: Field, doc: number): number {
    return this.#part(PartKind.lengths + field.ordinal, (source) => openLengths(source, this.storage, field)).get(doc);
  }

  column(field: Field): Column | null {
    return this.#part(PartKind.column + field.ordinal, (source) =>
      readColumn(source, this.storage.arena, field.ordinal),
    );
  }

  vectors(field: Field): SegmentVectors | null {
    const graph = () => this.#graphs(field.ordinal);
    return this.#part(PartKind.vectors + field.ordinal, (source) =>
      readVectors(source, this.storage, field.ordinal, graph),
    );
  }

  presence(field: Field): Presence | null {
    const exists = this.#part(PartKind.exists + field.ordinal, (source) =>
      readExists(source, this.storage.arena, field.ordinal),
    );
    return exists ?? this.column(field)?.presence ?? null;
  }

  id(doc: number): string {
    return this.ids().id(doc);
  }

  findId(id: string): number {
    return this.ids().find(idKey(id));
  }

  seqNo(doc: number): number {
    return this.numbers(SectionKind.seqNos).get(doc);
  }

  version(doc: number): number {
    return this.numbers(SectionKind.versions).get(doc);
  }

  primaryTerm(doc: number): number {
    return this.numbers(SectionKind.primaryTerms).get(doc);
  }

  routing(doc: number): string | undefined {
    return this.#part(PartKind.routing, (source) => RoutingReader.open(source, this.storage.arena))?.get(doc);
  }

  source(doc: number): Uint8Array {
    return this.sources().view(doc).slice();
  }

  /** Ids by document and documents by id. */
  ids(): IdReader {
    return this.#part(PartKind.ids, (source) => new IdReader(source, this.storage.arena));
  }

  /** `_source` by document, and its blocks for merging. */
  sources(): SourceReader {
    return this.#part(PartKind.source, (source) => new SourceReader(source, this.storage, this.file.path));
  }

  /** Where graphs come from; set when they are loaded or built. */
  useGraphs(graphs: (field: number) => GraphSearch): void {
    this.#graphs = graphs;
  }

  /** Reads every byte and checks it; throws CorruptionError. */
  verify(): void {
    this.file.verify();
  }

  /** Gives arena and file back; throws while somebody uses the segment. */
  close(): void {
    this.#parts.clear();
    this.file.close();
  }

  /** Numbers by document: seqNos, versions or primaryTerms. */
  numbers(kind: SectionKind): Numbers {
    return this.#part(PartKind.numbers + kind, (source) => new Numbers(source, this.storage.arena, kind));
  }

  #part<T>(name: number, make: (source: SectionSource) => T): T {
    const found = this.#parts.get(name);
    if (found !== undefined) {
      const now = this.storage.extents.now();
      for (const extent of found.extents) extent.lastUse = now;
      return found.value as T;
    }
    const extents: LoadedExtent[] = [];
    const value = make(new PinRecorder(this.file, extents));
    this.#parts.set(name, { value, extents });
    return value;
  }
}

/** Hands sections out and notes which pieces of the arena they are. */
class PinRecorder implements SectionSource {
  constructor(
    readonly file: SegmentFile,
    readonly extents: LoadedExtent[],
  ) {}

  pin(kind: SectionKind, field: number): Extent | null {
    const extent = this.file.pin(kind, field);
    if (this.file.pinned !== null && extent !== null) this.extents.push(this.file.pinned);
    return extent;
  }

  read(kind: SectionKind, field: number, offset: number, length: number): Uint8Array {
    return this.file.read(kind, field, offset, length);
  }

  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void {
    this.file.readInto(kind, field, offset, into);
  }

  sectionSize(kind: SectionKind, field: number): number {
    return this.file.sectionSize(kind, field);
  }
}
