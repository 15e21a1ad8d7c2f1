/**
 * The segments of one index as they are now, what of them is alive, and the readers made from them. A reader never
 * changes: deletes gather beside the segments until the next reader is published. A segment is closed when the last
 * reader that shows it is released, and handed to `onUnused` then, which may remove its file.
 */
import { InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { IndexReader, Leaf, SegmentReader } from "../segment/types.js";
import { LiveDocs } from "./live-bits.js";

/** A segment that is open. */
export interface OpenSegment extends SegmentReader {
  /** Bytes of it in memory now. */
  readonly memoryBytes: number;
  close(): void;
}

/** One segment of the index. */
export class SegmentHolder {
  readonly live: LiveDocs;
  /** No longer part of the index: merged into another segment, or all dead. */
  retired = false;
  /** Readers that show it, and the set itself while it is not retired. */
  #references = 1;

  constructor(
    readonly segment: OpenSegment,
    live: Uint32Array | null,
  ) {
    this.live = new LiveDocs(segment.docCount, live);
  }

  acquire(): void {
    this.#references++;
  }

  /** True when nobody refers to it any more; it is closed then. */
  release(): boolean {
    if (--this.#references > 0) return false;
    if (this.#references < 0) throw new InternalError(`segment ${this.segment.name} is released too often`);
    this.segment.close();
    return true;
  }
}

/** A reader, with a count of those who hold it. */
export class ReaderHandle {
  #references = 1;

  constructor(
    readonly reader: IndexReader,
    readonly holders: readonly SegmentHolder[],
    private readonly onUnused: (holder: SegmentHolder) => void,
  ) {
    for (const holder of holders) holder.acquire();
  }

  acquire(): this {
    if (this.#references === 0) throw new InternalError(`a reader of ${this.reader.index} is used after its release`);
    this.#references++;
    return this;
  }

  release(): void {
    if (--this.#references > 0) return;
    if (this.#references < 0) throw new InternalError(`a reader of ${this.reader.index} is released too often`);
    for (const holder of this.holders) if (holder.release()) this.onUnused(holder);
  }
}

/** Where a document is. */
export interface Located {
  holder: SegmentHolder;
  doc: number;
}

export class SegmentSet {
  #holders: SegmentHolder[];
  #current: ReaderHandle;
  #fields: ReadonlyMap<string, Field>;

  constructor(
    readonly index: string,
    holders: SegmentHolder[],
    fields: ReadonlyMap<string, Field>,
    private readonly onUnused: (holder: SegmentHolder) => void,
  ) {
    this.#holders = holders;
    this.#fields = fields;
    this.#current = this.#makeReader();
  }

  /** Segments in the order of their sequence numbers. */
  get holders(): readonly SegmentHolder[] {
    return this.#holders;
  }

  /** The newest reader; whoever keeps it past this turn of the event loop acquires it. */
  get current(): ReaderHandle {
    return this.#current;
  }

  /** There are deletes that no reader shows. */
  get hasUnpublishedDeletes(): boolean {
    return this.#holders.some((holder) => holder.live.changed);
  }

  /** The living document with this id as the writer sees it. */
  find(id: string): Located | undefined {
    for (let i = this.#holders.length - 1; i >= 0; i--) {
      const holder = this.#holders[i];
      holder.segment.beginUse();
      try {
        const doc = holder.segment.findId(id);
        if (doc >= 0 && holder.live.isAlive(doc)) return { holder, doc };
      } finally {
        holder.segment.endUse();
      }
    }
    return undefined;
  }

  /** Appends a segment, shows all deletes, and publishes a reader with the fields known now. */
  refresh(added: SegmentHolder | null, fields: ReadonlyMap<string, Field>): void {
    for (const holder of this.#holders) holder.live.publish();
    const kept: SegmentHolder[] = [];
    const dead: SegmentHolder[] = [];
    for (const holder of added ? [...this.#holders, added] : this.#holders) {
      (holder.live.publishedCount > 0 ? kept : dead).push(holder);
    }
    this.#fields = fields;
    this.#replace(kept, dead);
  }

  /** Puts `merged` (null: nothing was alive) in the place of neighbours; readers see it at once. */
  replace(sources: readonly SegmentHolder[], merged: SegmentHolder | null): void {
    // A source of which nothing was alive any more has left the set meanwhile.
    const present = sources.filter((holder) => !holder.retired);
    const at = this.#holders.indexOf(present[0]);
    if (present.some((holder, i) => this.#holders[at + i] !== holder)) {
      throw new InternalError(`segments merged in ${this.index} are no longer neighbours`);
    }
    const holders = [...this.#holders];
    holders.splice(at, present.length, ...(merged ? [merged] : []));
    this.#replace(holders, present);
  }

  /** Releases everything; readers that are held elsewhere stay usable until they are released. */
  close(): void {
    this.#current.release();
    for (const holder of this.#holders) this.#retire(holder);
    this.#holders = [];
  }

  #replace(holders: SegmentHolder[], gone: readonly SegmentHolder[]): void {
    const before = this.#current;
    this.#holders = holders;
    this.#current = this.#makeReader();
    before.release();
    for (const holder of gone) this.#retire(holder);
  }

  #retire(holder: SegmentHolder): void {
    holder.retired = true;
    if (holder.release()) this.onUnused(holder);
  }

  #makeReader(): ReaderHandle {
    const leaves: Leaf[] = [];
    let base = 0;
    let liveCount = 0;
    for (const { segment, live } of this.#holders) {
      leaves.push({ segment, live: live.published, liveCount: live.publishedCount, base });
      base += segment.docCount;
      liveCount += live.publishedCount;
    }
    const reader = { index: this.index, leaves, liveCount, fields: this.#fields, cache: new Map<string, unknown>() };
    return new ReaderHandle(reader, this.#holders, this.onUnused);
  }
}
