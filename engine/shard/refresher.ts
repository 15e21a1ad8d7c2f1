/** When and how what was written becomes searchable. */
import type { Clock } from "../clock.js";
import type { Field } from "../mapping/field-table.js";
import type { Counters } from "./counters.js";
import type { SegmentSet } from "./segment-set.js";
import type { VersionMap } from "./version-map.js";
import type { WriteBuffer } from "./write-buffer.js";

/** What refreshing works with. */
export interface RefresherParts {
  readonly buffer: WriteBuffer;
  readonly segments: SegmentSet;
  readonly versions: VersionMap;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly fields: () => ReadonlyMap<string, Field>;
  /** Runs something when no batch is half written into the buffer. */
  readonly between: (action: () => void) => Promise<void>;
  /** Milliseconds from a change to the refresh that shows it; negative: none by itself. */
  readonly intervalMs: () => number;
  readonly warn: (message: string) => void;
  /** A new reader was published. */
  readonly refreshed: () => void;
}

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Publishes readers: when asked, and by itself an interval after a change. */
export class Refresher {
  #timer: NodeJS.Timeout | null = null;
  #waiters: Waiter[] = [];
  #stopped = false;

  constructor(private readonly parts: RefresherParts) {}

  /** Something was written that no reader shows. */
  get hasUnseen(): boolean {
    const memtable = this.parts.buffer.memtable;
    return (memtable !== null && memtable.docCount > 0) || this.parts.segments.changed;
  }

  /** Publishes a reader that shows all that is in the write buffer; throws `io`, changing nothing. */
  refresh(): void {
    this.#disarm();
    if (this.hasUnseen) {
      const began = performance.now();
      this.parts.buffer.seal();
      this.parts.segments.publish(this.parts.fields());
      this.parts.versions.expireTombstones(this.parts.clock.now());
      this.parts.counters.refreshes++;
      this.parts.counters.refreshTimeMs += performance.now() - began;
      this.parts.refreshed();
    }
    for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  }

  /** Resolves at the next refresh; at once when there is nothing to show. */
  next(): Promise<void> {
    if (!this.hasUnseen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
    });
  }

  /** Something was written: the interval runs from the first change that is not shown. */
  changed(): void {
    const interval = this.parts.intervalMs();
    if (this.#timer || interval < 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.parts.between(() => this.tryRefresh());
    }, interval);
    this.#timer.unref();
  }

  /** The interval is another one now. */
  rearm(): void {
    this.#disarm();
    if (this.hasUnseen) this.changed();
  }

  /** No more refreshes; whoever waits for one is told `reason`. */
  stop(reason: unknown): void {
    this.#stopped = true;
    this.#disarm();
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  /** Refreshes, or warns and tries again after an interval. */
  tryRefresh(): void {
    if (this.#stopped) return;
    try {
      this.refresh();
    } catch (error) {
      // The disk may be full: what was shown stays searchable, and the next interval tries again.
      this.parts.warn(`a refresh failed: ${error instanceof Error ? error.message : String(error)}`);
      this.changed();
    }
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
