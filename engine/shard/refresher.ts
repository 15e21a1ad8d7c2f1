/** When and how what was written becomes searchable. */
import type { Field } from "../mapping/field-table.js";
import type { Counters } from "./counters.js";
import type { Moment, SegmentSet } from "./segment-set.js";
import type { VersionMap } from "./version-map.js";
import type { WriteBuffer } from "./write-buffer.js";

/** What refreshing works with. */
export interface RefresherParts {
  readonly buffer: WriteBuffer;
  readonly segments: SegmentSet;
  readonly versions: VersionMap;
  readonly counters: Counters;
  readonly fields: () => ReadonlyMap<string, Field>;
  /** Runs something when no batch is half written into the buffer. */
  readonly between: <T>(action: () => T) => Promise<T>;
  /** Milliseconds from a change to the refresh that shows it; negative: none by itself. */
  readonly intervalMs: () => number;
  readonly warn: (message: string) => void;
  /** A new reader was published. */
  readonly refreshed: () => void;
  /** Puts a refresh on the board. */
  readonly running: () => { end(): void };
}

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Publishes readers: when asked, and by itself an interval after a change. */
export class Refresher {
  #timer: NodeJS.Timeout | null = null;
  #waiters: Waiter[] = [];
  /** The refresh that was asked for and has not begun: whoever asks now shares it. */
  #next: Promise<void> | null = null;
  #stopped = false;

  constructor(private readonly parts: RefresherParts) {}

  /** How many wait for the next refresh. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Something was written that no reader shows. */
  get hasUnseen(): boolean {
    return !this.parts.buffer.isEmpty || this.parts.segments.changed;
  }

  /** Publishes a reader that shows all that was written before the call; resolves when it is there. Throws `io`. */
  refresh(): Promise<void> {
    this.#next ??= this.parts.segments.inTurn(() => {
      this.#next = null;
      return this.#refresh();
    });
    return this.#next;
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
    if (this.#timer || interval < 0 || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.tryRefresh();
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
  async tryRefresh(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.refresh();
    } catch (error) {
      // The disk may be full: what was shown stays searchable, and the next interval tries again.
      this.parts.warn(`a refresh failed: ${error instanceof Error ? error.message : String(error)}`);
      this.changed();
    }
  }

  async #refresh(): Promise<void> {
    const { between, buffer, segments } = this.parts;
    const began = performance.now();
    const { moment, waiters, nothing } = await between(() => this.#begin());
    const running = nothing ? null : this.parts.running();
    try {
      await buffer.built(moment.seal);
    } catch (error) {
      this.#waiters.unshift(...waiters);
      throw error;
    } finally {
      running?.end();
    }
    if (!nothing) {
      segments.publish(moment, this.parts.fields());
      this.#count(performance.now() - began);
    }
    for (const waiter of waiters) waiter.resolve();
    this.#goOn();
  }

  /** Between two batches: from here on writes belong to the next refresh. */
  #begin(): { moment: Moment; waiters: Waiter[]; nothing: boolean } {
    this.#disarm();
    const nothing = !this.hasUnseen;
    const moment = this.parts.buffer.sealMoment();
    return { moment, waiters: this.#waiters.splice(0), nothing };
  }

  #count(milliseconds: number): void {
    const { counters, versions, refreshed } = this.parts;
    versions.expireTombstones();
    counters.refreshes++;
    counters.refreshTimeMs += milliseconds;
    refreshed();
  }

  /** What came while this refresh went on is shown by the next. */
  #goOn(): void {
    if (this.hasUnseen) this.changed();
    else for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
