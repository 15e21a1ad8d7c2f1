import type { UnitMaker, Units } from "../store/section.js";
import type { SegmentFile } from "./file.js";

/** When more of the arena is taken than this, what was not used for longest goes before something is added. */
const FULL = 5 / 8;
/** What kernels may read behind a text. */
const SLACK_BYTES = 16;

/** Units of a section of a segment file, in the arena beside its sections: evicted like these when memory is short. */
export class MadeUnits implements Units {
  #unit = 0;
  readonly #make = () => this.#made(this.#unit);

  constructor(
    private readonly file: SegmentFile,
    private readonly firstPiece: number,
    private readonly maker: UnitMaker,
  ) {}

  at(unit: number): number {
    this.#unit = unit;
    return this.file.pieces.keepMade(this.firstPiece + unit, this.#make);
  }

  /** Address of fresh memory with a unit; 0: there is no room for it. */
  #made(unit: number): number {
    const { arena, extents } = this.file.storage;
    const size = this.maker.unitBytes(unit);
    if (size === 0) return 0;
    const bytes = size + SLACK_BYTES;
    if (arena.used + bytes > FULL * arena.capacity && extents.evict(bytes) < bytes) return 0;
    const address = arena.tryAlloc(bytes);
    if (address === 0) return 0;
    try {
      this.maker.makeUnit(unit, address);
    } catch (error) {
      arena.free(address);
      throw error;
    }
    return address;
  }
}
