import { EngineError } from "../errors.js";
import type { CellSource, SectionKind } from "../store/section.js";
import type { Storage } from "../store/storage.js";

/** A section larger than this part of the arena is never loaded whole. */
const MOST_OF_ARENA = 1 / 8;

/**
 * Parts of one large section: read from the file through the cache, until so much was read that loading all of it would
 * have cost no more; then it is loaded, if the arena has the room.
 */
export class WarmSection {
  #mayLoad: boolean;

  constructor(
    private readonly cells: CellSource,
    private readonly storage: Storage,
    private readonly section: { readonly kind: SectionKind; readonly field: number },
  ) {
    const { kind, field } = section;
    this.#mayLoad = cells.sectionSize(kind, field) <= MOST_OF_ARENA * storage.arena.capacity;
  }

  /** Address of `length` bytes; 16 more are readable. Valid until the next call, or anyone's who reads packed bytes. */
  at(offset: number, length: number): number {
    const address = this.#loaded();
    if (address !== 0) return address + offset;
    const into = this.storage.scratch.region("packed", length + 16);
    this.cells.readInto(this.section.kind, this.section.field, offset, this.storage.arena.bytes(into, length));
    return into;
  }

  /** Copies `length` bytes to an address. */
  copy(offset: number, into: number, length: number): void {
    const { arena } = this.storage;
    const address = this.#loaded();
    if (address !== 0) arena.u8.copyWithin(into, address + offset, address + offset + length);
    else this.cells.readInto(this.section.kind, this.section.field, offset, arena.bytes(into, length));
  }

  #loaded(): number {
    if (!this.#mayLoad) return 0;
    try {
      return this.cells.warm(this.section.kind, this.section.field);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded") throw error;
      this.#mayLoad = false;
      return 0;
    }
  }
}
