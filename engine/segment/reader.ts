import path from "node:path";
import { readExists } from "../columns/exists.js";
import { readColumn } from "../columns/reader.js";
import { unsignedColumn } from "../columns/unsigned.js";
import { type EngineError, InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { openPostings } from "../postings/reader.js";
import { idKey } from "../source/id-key.js";
import { IdReader } from "../source/id-reader.js";
import { Numbers } from "../source/numbers.js";
import { RoutingReader } from "../source/routing.js";
import type { ShownPaths } from "../source/shown-paths.js";
import { SourceReader } from "../source/source-reader.js";
import type { Arena } from "../store/arena.js";
import { type Extent, SectionKind, type SectionSource } from "../store/section.js";
import type { SlotRun } from "../store/slot-slabs.js";
import type { Storage } from "../store/storage.js";
import { openLengths } from "../text/lengths.js";
import { openTerms, readFieldStats } from "../text/reader.js";
import { openTrigrams, type SegmentTrigrams } from "../trigrams/index.js";
import { type GraphSearch, readVectors, type SegmentVectors } from "../vectors/reader.js";
import { SegmentFile } from "./file.js";
import { readSegmentMeta, type SegmentMeta } from "./meta.js";
import { StoredValues } from "./stored-values.js";
import type {
  Column,
  FieldData,
  FieldStats,
  PostingsIterator,
  Presence,
  SegmentReader,
  TermDictionary,
  TermState,
} from "./types.js";
import { WarmSections } from "./warm-sections.js";

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
  trigrams: 12 * 2 ** 32,
} as const;

/** Sections of a field that are loaded for what may be asked of it. */
const SECTIONS: Readonly<Record<FieldData, readonly SectionKind[]>> = {
  terms: [SectionKind.termIndex, SectionKind.termData, SectionKind.termStates],
  postings: [SectionKind.postingHeaders, SectionKind.postingData, SectionKind.norms],
  positions: [SectionKind.positionHeaders, SectionKind.positionData],
  column: [SectionKind.columnPresence, SectionKind.columnOffsets, SectionKind.columnValues],
  grams: [SectionKind.gramIndex, SectionKind.gramData, SectionKind.textTable],
};

/** A part made from pieces of the file, and where these were then. */
class Part {
  value: unknown;
  /** The use of the file in which the part was last found to be valid. */
  use = 0;
  readonly pieces: number[] = [];
  readonly addresses: number[] = [];
}

/** An open segment, for other threads: posted to one, it is opened there by `OpenSegment.attach`. */
export interface SegmentRef {
  readonly folder: string;
  readonly name: string;
  readonly slots: SlotRun;
}

/** Segments that this thread opened first, by arena and the address of their slots. */
const openedHere = new WeakMap<Arena, Map<number, OpenSegment>>();

/**
 * A segment file opened for reading. Parts (dictionary, column, ids, ...) are made at first use and kept. The first touch
 * of a part within a use pins the pieces it stands on; if one of them lies elsewhere than when the part was made (it was
 * evicted, by whichever thread), the part is made anew. All questions but `name`, `docCount`, `sizeBytes` and `meta`
 * must be asked between `beginUse` and `endUse`.
 */
export class OpenSegment implements SegmentReader {
  readonly meta: SegmentMeta;
  readonly #parts = new Map<number, Part>();
  readonly #values: StoredValues;
  readonly #cells: WarmSections;
  #graphs: (field: number) => GraphSearch = () => null;

  private constructor(
    readonly storage: Storage,
    readonly folder: string,
    readonly name: string,
    readonly file: SegmentFile,
  ) {
    this.meta = readSegmentMeta(file);
    this.#cells = new WarmSections(file);
    this.#values = new StoredValues(file, storage.arena, (field) => this.#trigrams(field));
  }

  /** Opens `<folder>/<name>.seg`; throws CorruptionError when header, table or trailer are damaged. */
  static open(storage: Storage, folder: string, name: string): OpenSegment {
    const file = SegmentFile.open(storage, path.join(folder, segmentFileName(name)));
    const segment = OpenSegment.#of(storage, folder, name, file);
    const opened = openedHere.get(storage.arena) ?? new Map<number, OpenSegment>();
    openedHere.set(storage.arena, opened.set(file.pieces.run.address, segment));
    return segment;
  }

  /**
   * The segment itself in the thread that opened it first, undefined in others. There it must not be attached to: a thread
   * keeps a piece or does not, and would let go of what its other object still uses.
   */
  static openedHere(storage: Storage, { slots }: SegmentRef): OpenSegment | undefined {
    return openedHere.get(storage.arena)?.get(slots.address);
  }

  /**
   * Opens a segment that another thread has open, on the same pieces in memory. The thread that opened it first closes it
   * last: until then no use may be left in others.
   */
  static attach(storage: Storage, { folder, name, slots }: SegmentRef): OpenSegment {
    if (OpenSegment.openedHere(storage, { folder, name, slots }) !== undefined)
      throw new InternalError(`segment ${name} is attached to in the thread that opened it`);
    const file = SegmentFile.attach(storage, path.join(folder, segmentFileName(name)), slots);
    return OpenSegment.#of(storage, folder, name, file);
  }

  static #of(storage: Storage, folder: string, name: string, file: SegmentFile): OpenSegment {
    try {
      return new OpenSegment(storage, folder, name, file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** What other threads need to open it too. */
  ref(): SegmentRef {
    return { folder: this.folder, name: this.name, slots: this.file.pieces.run };
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

  coldBytes(field: Field, what: FieldData): number {
    return SECTIONS[what].reduce((total, kind) => total + this.file.coldBytes(kind, field.ordinal), 0);
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
    return this.#part(PartKind.column + field.ordinal, (source) => {
      const column = readColumn(source, this.storage.arena, field.ordinal);
      return field.type === "unsigned_long" ? unsignedColumn(column) : column;
    });
  }

  vectors(field: Field): SegmentVectors | null {
    const graph = () => this.#graphs(field.ordinal);
    return this.#part(PartKind.vectors + field.ordinal, (source) =>
      readVectors(source, this.storage, field.ordinal, graph),
    );
  }

  trigrams(field: Field): SegmentTrigrams | null {
    return this.#trigrams(field.ordinal);
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

  source(doc: number, shown?: ShownPaths): Uint8Array {
    this.#values.doc = doc;
    return this.sources().document(doc, this.#values, shown);
  }

  shownSource(doc: number, shown: ShownPaths): Uint8Array | null {
    this.#values.doc = doc;
    return this.sources().shownDocument(doc, this.#values, shown);
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

  /** Reads every byte and checks it; `damaged` is told of what is wrong, and throws it unless given. */
  verify(damaged?: (error: EngineError) => void): void {
    this.file.verify(damaged);
  }

  /** Gives arena and file back; throws while somebody uses the segment. */
  close(): void {
    this.#parts.clear();
    this.file.close();
    const opened = openedHere.get(this.storage.arena);
    if (opened?.get(this.file.pieces.run.address) === this) opened.delete(this.file.pieces.run.address);
  }

  /** Numbers by document: seqNos, versions or primaryTerms. */
  numbers(kind: SectionKind): Numbers {
    return this.#part(PartKind.numbers + kind, (source) => new Numbers(source, this.storage.arena, kind));
  }

  #trigrams(field: number): SegmentTrigrams | null {
    return this.#part(PartKind.trigrams + field, (source) => openTrigrams(source, this.#cells, this.storage, field));
  }

  #part<T>(name: number, make: (source: SectionSource) => T): T {
    const { use } = this.file.pieces;
    const found = this.#parts.get(name);
    if (found !== undefined && ((found.use === use && use !== 0) || this.#isValid(found, use))) return found.value as T;
    const part = new Part();
    const value = make(new PinRecorder(this.file, part));
    part.value = value;
    part.use = use;
    this.#parts.set(name, part);
    return value;
  }

  /** Pins what the part stands on; false: a piece is not where it was. */
  #isValid(part: Part, use: number): boolean {
    const { pieces, addresses } = part;
    const kept = this.file.pieces;
    for (let i = 0; i < pieces.length; i++) if (kept.keep(pieces[i]) !== addresses[i]) return false;
    part.use = use;
    return true;
  }
}

/** Hands sections out and notes which pieces they lie in. Parts may ask for further sections later. */
class PinRecorder implements SectionSource {
  constructor(
    readonly file: SegmentFile,
    readonly part: Part,
  ) {}

  pin(kind: SectionKind, field: number): Extent | null {
    const piece = this.file.pieceOf(kind, field);
    if (piece < 0) return null;
    const { pieces, addresses } = this.part;
    if (!pieces.includes(piece)) {
      addresses.push(this.file.pieces.keep(piece));
      pieces.push(piece);
    }
    return this.file.pin(kind, field);
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
