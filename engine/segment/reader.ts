import path from "node:path";
import { readExists } from "../columns/exists.js";
import { readColumn } from "../columns/reader.js";
import type { Field } from "../mapping/field-table.js";
import { idKey } from "../source/id-key.js";
import { IdReader } from "../source/id-reader.js";
import { Numbers } from "../source/numbers.js";
import { RoutingReader } from "../source/routing.js";
import { SourceReader } from "../source/source-reader.js";
import type { LoadedExtent } from "../store/extents.js";
import { type Extent, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { type GraphSearch, readVectors, type SegmentVectors } from "../vectors/reader.js";
import { SegmentFile } from "./file.js";
import { readSegmentMeta, type SegmentMeta } from "./meta.js";
import type { Column, FieldStats, PostingsIterator, Presence, SegmentReader, TermDictionary, TermState } from "./types.js";

/** File name of a segment. */
export function segmentFileName(name: string): string {
  return `${name}.seg`;
}

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
  readonly #parts = new Map<string, Part>();
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
    return this.#part(`terms/${field.ordinal}`, (source) => openTerms(source, this.storage, field));
  }
}
