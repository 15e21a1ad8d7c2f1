/**
 * The segments of one index as they are now, what of them is alive, and the readers made from them. A reader never
 * changes: new segments and deletes gather beside it until the next one is published. A segment is closed when the last
 * reader that shows it is released, and handed to `onClosed` then, which may remove its files.
 */
import { InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { OpenSegment } from "../segment/reader.js";
import type { IndexReader, Leaf } from "../segment/types.js";
import { isSet } from "../store/bits.js";
import { LiveDocs } from "./live-docs.js";

/** One segment of the index. */
export class SegmentHolder {
  readonly live: LiveDocs;
  readonly #gone = new AbortController();
  /** Readers that show it, and the set itself while it is not retired. */
  #references = 1;

  constructor(
    readonly segment: OpenSegment,
    live: Uint32Array | null,
  ) {
    this.live = new LiveDocs(segment.docCount, live);
  }

  /** No longer part of the index: merged into another segment, or all dead. */
  get retired(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Says when that happens: background work on the segment should end then. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  retire(): void {
    this.#gone.abort();
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

type OnClosed = (segment: OpenSegment) => void;

/** A reader, with a count of those who hold it. */
export class ReaderHandle {
  #references = 1;

  constructor(
    readonly reader: IndexReader,
    readonly holders: readonly SegmentHolder[],
    private readonly onClosed: OnClosed,
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
    for (const holder of this.holders) if (holder.release()) this.onClosed(holder.segment);
  }
}

/** Where a document is. */
export interface Located {
  holder: SegmentHolder;
  doc: number;
}

/** The segments of one index and its newest reader. */
export class SegmentSet {
  /** Shown by readers, in the order of their sequence numbers. */
  #shown: SegmentHolder[];
  /** Newer ones that no reader shows yet. */
  #hidden: SegmentHolder[] = [];
  #current: ReaderHandle;

  constructor(
    readonly index: string,
    shown: SegmentHolder[],
    fields: ReadonlyMap<string, Field>,
    private readonly onClosed: OnClosed,
  ) {
    this.#shown = shown;
    this.#current = this.#makeReader(fields);
  }

  /** Segments that readers show, in the order of their sequence numbers. */
  get shown(): readonly SegmentHolder[] {
    return this.#shown;
  }

  /** All segments, those that no reader shows included. */
  get all(): readonly SegmentHolder[] {
    return this.#hidden.length === 0 ? this.#shown : [...this.#shown, ...this.#hidden];
  }

  /** The newest reader; whoever keeps it past this turn of the event loop acquires it. */
  get current(): ReaderHandle {
    return this.#current;
  }

  /** The next reader would show something else. */
  get changed(): boolean {
    return this.#hidden.length > 0 || this.#shown.some((holder) => holder.live.changed);
  }

  /** The living document with this id as the writer sees it. */
  find(id: string): Located | undefined {
    const isAlive = ({ live }: SegmentHolder, doc: number) => live.isAlive(doc);
    return findIn(this.#hidden, id, isAlive) ?? findIn(this.#shown, id, isAlive);
  }

  /** The living document with this id as the newest reader sees it. */
  findShown(id: string): Located | undefined {
    return findIn(this.#shown, id, ({ live }, doc) => isSet(live.published, doc));
  }

  /** Adds the newest segment; readers do not show it before the next `publish`. */
  add(holder: SegmentHolder): void {
    this.#hidden.push(holder);
  }

  /** Makes the next reader: all segments, all deletes, these fields. */
  publish(fields: ReadonlyMap<string, Field>): void {
    const all = this.all;
    for (const holder of all) holder.live.publish();
    const dead = all.filter((holder) => holder.live.publishedCount === 0);
    this.#hidden = [];
    this.#replace(dead.length === 0 ? [...all] : all.filter((holder) => !dead.includes(holder)), dead, fields);
  }

  /** A reader of the same documents that knows these fields. */
  publishFields(fields: ReadonlyMap<string, Field>): void {
    this.#replace(this.#shown, [], fields);
  }

  /** Puts `merged` (null: nothing is alive) in the place of shown neighbours; readers show it at once. */
  replace(sources: readonly SegmentHolder[], merged: SegmentHolder | null): void {
    // A source of which nothing was alive any more has left the set meanwhile.
    const present = sources.filter((holder) => !holder.retired);
    const at = this.#shown.indexOf(present[0]);
    if (present.length === 0 || present.some((holder, i) => this.#shown[at + i] !== holder)) {
      throw new InternalError(`segments merged in ${this.index} are no longer neighbours`);
    }
    const shown = [...this.#shown];
    shown.splice(at, present.length, ...(merged ? [merged] : []));
    this.#replace(shown, present, this.#current.reader.fields);
  }

  /** Releases everything; readers that are held elsewhere stay usable until they are released. */
  close(): void {
    this.#current.release();
    for (const holder of this.all) this.#retire(holder);
    this.#shown = [];
    this.#hidden = [];
  }

  #replace(shown: SegmentHolder[], gone: readonly SegmentHolder[], fields: ReadonlyMap<string, Field>): void {
    const before = this.#current;
    this.#shown = shown;
    this.#current = this.#makeReader(fields);
    before.release();
    for (const holder of gone) this.#retire(holder);
  }

  #retire(holder: SegmentHolder): void {
    holder.retire();
    if (holder.release()) this.onClosed(holder.segment);
  }

  #makeReader(fields: ReadonlyMap<string, Field>): ReaderHandle {
    const leaves: Leaf[] = [];
    let base = 0;
    let liveCount = 0;
    for (const { segment, live } of this.#shown) {
      leaves.push({ segment, live: live.published, liveCount: live.publishedCount, base });
      base += segment.docCount;
      liveCount += live.publishedCount;
    }
    const reader = { index: this.index, leaves, liveCount, fields, cache: new Map<string, unknown>() };
    return new ReaderHandle(reader, this.#shown, this.onClosed);
  }
}

/** Newest first: an id may have died in an older segment. */
function findIn(
  holders: readonly SegmentHolder[],
  id: string,
  isAlive: (holder: SegmentHolder, doc: number) => boolean,
): Located | undefined {
  for (let i = holders.length - 1; i >= 0; i--) {
    const holder = holders[i];
    holder.segment.beginUse();
    try {
      const doc = holder.segment.findId(id);
      if (doc >= 0 && isAlive(holder, doc)) return { holder, doc };
    } finally {
      holder.segment.endUse();
    }
  }
  return undefined;
}
