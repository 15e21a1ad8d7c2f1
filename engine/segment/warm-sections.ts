import type { CellSource, SectionKind, UnitMaker, Units } from "../store/section.js";
import type { SegmentFile } from "./file.js";
import { SMALL_CHUNK_BYTES } from "./format.js";
import { MadeUnits } from "./made-units.js";

/**
 * Cells of a segment file's sections. What is asked for now and then is read from the file a checksum's length at a time;
 * once that added up to the whole section it is loaded, for as long as there is room: at most twice the work of whoever
 * knew the future.
 */
export class WarmSections implements CellSource {
  /** Bytes read from the file since the section was loaded last, by kind and field. */
  readonly #spent = new Map<number, number>();

  constructor(readonly file: SegmentFile) {}

  warm(kind: SectionKind, field: number): number {
    const address = this.file.loadedAddress(kind, field);
    if (address !== 0) return address;
    const name = kind * 2 ** 32 + field;
    const spent = (this.#spent.get(name) ?? 0) + SMALL_CHUNK_BYTES;
    this.#spent.set(name, spent);
    if (spent <= this.file.sectionSize(kind, field)) return 0;
    this.#spent.set(name, 0);
    return this.file.pin(kind, field)?.address ?? 0;
  }

  units(kind: SectionKind, field: number, maker: UnitMaker): Units | null {
    const first = this.file.firstUnit(kind, field);
    return first < 0 ? null : new MadeUnits(this.file, first, maker);
  }

  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void {
    this.file.readInto(kind, field, offset, into);
  }

  sectionSize(kind: SectionKind, field: number): number {
    return this.file.sectionSize(kind, field);
  }
}
