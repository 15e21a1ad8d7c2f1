/**
 * The segments of one index as they are now, what of them is alive, and the readers made from them. A reader never
 * changes: new segments and deletes gather beside it until the next one is published. A segment is closed when the last
 * reader that shows it is released, and handed to `onClosed` then, which may remove its files.
 */
import { InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { ReaderCache, ReaderCaches } from "../memory/index.js";
import type { OpenSegment } from "../segment/reader.js";
import type { IndexReader, Leaf } from "../segment/types.js";
import { type IdHashes, idHashes, idKey } from "../source/id-key.js";
import { isSet } from "../store/bits.js";
import { LiveDocs, type LiveSnapshot } from "./live-docs.js";

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
    private readonly closeCache: (cache: ReaderCache) => void,
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
    this.closeCache(this.reader.cache);
    for (const holder of this.holders) if (holder.release()) this.onClosed(holder.segment);
  }
}

/** Where a document is. */
export interface Located {
  holder: SegmentHolder;
  doc: number;
}

/**
 * What a reader or a commit of one moment consists of: every segment sealed up to `seal` (write-buffer.ts), and what of
 * each was alive then. A segment that is not in `live` was still being built: of its documents those of `died` were dead.
 */
export interface Moment {
  readonly seal: number;
  readonly live: ReadonlyMap<SegmentHolder, LiveSnapshot>;
  readonly died: DeadRows;
}

/** By seal: rows of a sealed list (write-buffer.ts) that died after it was sealed, those dead before included. */
export type DeadRows = ReadonlyMap<number, Uint32Array>;

/** A segment that no reader shows yet. */
export interface Hidden {
  readonly holder: SegmentHolder;
  readonly seal: number;
  /** What of it is alive when these rows of its list are dead. */
  readonly aliveWithout: (deadRows: Uint32Array) => LiveSnapshot;
}

/** The segments of one index and its newest reader. */
export class SegmentSet {
  /** Shown by readers, in the order of their sequence numbers. */
  #shown: SegmentHolder[];
  /** Newer ones that no reader shows yet. */
  #hidden: Hidden[] = [];
  #current: ReaderHandle;
  /** Resolves when the change of the reader that was asked for last is done. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly index: string,
    shown: SegmentHolder[],
    fields: ReadonlyMap<string, Field>,
    private readonly onClosed: OnClosed,
    private readonly caches: ReaderCaches,
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
    return this.#hidden.length === 0 ? this.#shown : [...this.#shown, ...this.#hidden.map(({ holder }) => holder)];
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
    return findIn(this.all, id, ({ live }, doc) => live.isAlive(doc));
  }

  /**
   * The same of many ids: what is written by the thousand asks dozens of segments, and opening one for each id takes longer
   * than looking. True until a document dies or the segments change.
   */
  findEach(ids: readonly string[]): (Located | null)[] {
    const found = new Array<Located | null>(ids.length).fill(null);
    const holders = this.all;
    if (holders.length === 0) return found;
    const hashes = idHashes(ids);
    for (let i = holders.length - 1; i >= 0; i--) findIdsIn(holders[i], ids, hashes, found);
    return found;
  }

  /** The living document with this id as the newest reader sees it. */
  findShown(id: string): Located | undefined {
    return findIn(this.#shown, id, ({ live }, doc) => isSet(live.published, doc));
  }

  /** Adds the newest segment; readers do not show it before the `publish` of a moment that has its seal. */
  add(segment: Hidden): void {
    this.#hidden.push(segment);
  }

  /** Runs something that changes which segments there are, or needs them to stay: one after the other. */
  inTurn<T>(action: () => T | Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** This moment, of which `seal` is the newest seal. */
  moment(seal: number, died: DeadRows): Moment {
    return { seal, died, live: new Map(this.all.map((holder) => [holder, holder.live.snapshot()])) };
  }

  /** The segments of a moment, all of which are built, with what was alive. */
  of(moment: Moment): { holder: SegmentHolder; live: LiveSnapshot }[] {
    const shown = this.#shown.map((holder) => ({ holder, live: moment.live.get(holder) ?? allAlive(holder) }));
    const hidden = this.#hidden.filter(({ seal }) => seal <= moment.seal);
    const built = hidden.map(({ holder, seal, aliveWithout }) => {
      const died = moment.died.get(seal);
      return { holder, live: moment.live.get(holder) ?? (died ? aliveWithout(died) : allAlive(holder)) };
    });
    return [...shown, ...built];
  }

  /** Makes the reader of a moment, with these fields. Its segments must have stayed since (`inTurn`). */
  publish(moment: Moment, fields: ReadonlyMap<string, Field>): void {
    const then = this.of(moment);
    for (const { holder, live } of then) holder.live.publish(live);
    const dead = then.filter(({ live }) => live.count === 0).map(({ holder }) => holder);
    const alive = then.filter(({ live }) => live.count > 0).map(({ holder }) => holder);
    this.#hidden = this.#hidden.filter(({ seal }) => seal > moment.seal);
    this.#replace(alive, dead, fields);
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
    const reader = { index: this.index, leaves, liveCount, fields, cache: this.caches.open(this.index) };
    return new ReaderHandle(reader, this.#shown, this.onClosed, (cache) => this.caches.close(cache));
  }
}

function allAlive({ segment }: SegmentHolder): LiveSnapshot {
  return { bits: null, count: segment.docCount };
}

/** Newest first: an id may have died in an older segment. */
/** Adds the living documents of a segment with those of the ids that were not found yet. */
function findIdsIn(
  holder: SegmentHolder,
  ids: readonly string[],
  { hashes, fingerprints }: IdHashes,
  found: (Located | null)[],
): void {
  const { segment, live } = holder;
  segment.beginUse();
  try {
    const reader = segment.ids();
    for (let i = 0; i < ids.length; i++) {
      if (found[i] !== null || !reader.maybeHashed(hashes[i], fingerprints[i])) continue;
      const doc = reader.find(idKey(ids[i]));
      if (doc >= 0 && live.isAlive(doc)) found[i] = { holder, doc };
    }
  } finally {
    segment.endUse();
  }
}

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
