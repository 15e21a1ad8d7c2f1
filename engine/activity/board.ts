/**
 * What runs now, for whoever wants to know: anyone who begins something that takes time puts it on the board and takes
 * it off when it ends. `_tasks`, `_cat/thread_pool` and `_nodes/hot_threads` read it. Costs a request less than a
 * microsecond, so every request is on it.
 */
import type { Clock } from "../clock.js";

/** What kind of work it is; each kind is counted. */
export type ActivityKind =
  | "analyze"
  | "bulk"
  | "flush"
  | "force_merge"
  | "generic"
  | "get"
  | "management"
  | "merge"
  | "refresh"
  | "search"
  | "snapshot"
  | "warmer";

/** What begins. */
export interface ActivityStart {
  readonly kind: ActivityKind;
  /** What it is called, such as `indices:data/read/search`. */
  readonly action: string;
  /** What it does, for people; asked for when somebody looks. */
  readonly describe: () => string;
  /** `transport`: somebody asked for it over the wire; `direct`: part of something else, or the node's own. */
  readonly type?: "transport" | "direct";
  readonly index?: string;
  readonly parent?: number;
  /** What the client sent to know it again (`X-Opaque-Id`). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Documents and bytes it works on, where that is known beforehand. */
  readonly docs?: number;
  readonly bytes?: number;
  /** How far it is, as plain data. */
  readonly status?: () => Readonly<Record<string, unknown>>;
  /** Bytes of memory it holds. */
  readonly memory?: () => number;
  /** Ends it early; without, it can't be cancelled. */
  readonly cancel?: (reason: string) => void;
}

/** Something that runs. */
export interface Activity {
  readonly id: number;
  readonly start: ActivityStart;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds it has run. */
  readonly runningMs: number;
  /** When it was told to end, epoch milliseconds. */
  readonly cancelledAt: number | undefined;
}

/** What somebody put on the board. */
export interface RunningActivity extends Activity {
  /** It is done; calling again does nothing. */
  end(): void;
}

/** Counts of one kind since the node began. */
export interface ActivityCounts {
  readonly active: number;
  readonly completed: number;
  /** The most that were active at once. */
  readonly largest: number;
}

/** What came of asking something to end. */
export type CancelOutcome = "cancelled" | "not cancellable" | "not found";

interface KindCounts {
  active: number;
  completed: number;
  largest: number;
}

/** Everything that runs on a node. */
export class ActivityBoard {
  readonly #running = new Map<number, Entry>();
  readonly #counts = new Map<ActivityKind, KindCounts>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #nextId = 1;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Numbers below `id` are taken: a node that began anew must not use those that it gave out before. */
  beginAt(id: number): void {
    this.#nextId = Math.max(this.#nextId, id);
  }

  /** Puts something on the board. */
  start(start: ActivityStart): RunningActivity {
    const entry = new Entry(this.#nextId++, start, this.clock.now(), (ended) => this.#end(ended));
    this.#running.set(entry.id, entry);
    const counts = this.#countsOf(start.kind);
    counts.active++;
    if (counts.active > counts.largest) counts.largest = counts.active;
    return entry;
  }

  /** What runs now, by number. */
  list(): readonly Activity[] {
    return [...this.#running.values()];
  }

  find(id: number): Activity | undefined {
    return this.#running.get(id);
  }

  counts(kind: ActivityKind): ActivityCounts {
    return this.#counts.get(kind) ?? { active: 0, completed: 0, largest: 0 };
  }

  /** Tells it, and what runs for it, to end; it is on the board until it has. */
  cancel(id: number, reason: string): CancelOutcome {
    const entry = this.#running.get(id);
    if (entry === undefined) return "not found";
    if (entry.start.cancel === undefined) return "not cancellable";
    if (entry.cancelledAt !== undefined) return "cancelled";
    entry.cancelledAt = this.clock.now();
    entry.start.cancel(reason);
    for (const child of [...this.#running.values()]) if (child.start.parent === id) this.cancel(child.id, reason);
    return "cancelled";
  }

  /** Resolves when it has ended; at once when it does not run. */
  ended(id: number): Promise<void> {
    if (!this.#running.has(id)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) this.#waiting.set(id, [resolve]);
      else waiting.push(resolve);
    });
  }

  #end(entry: Entry): void {
    if (!this.#running.delete(entry.id)) return;
    const counts = this.#countsOf(entry.start.kind);
    counts.active--;
    counts.completed++;
    const waiting = this.#waiting.get(entry.id);
    this.#waiting.delete(entry.id);
    for (const resolve of waiting ?? []) resolve();
  }

  #countsOf(kind: ActivityKind): KindCounts {
    let counts = this.#counts.get(kind);
    if (counts === undefined) {
      counts = { active: 0, completed: 0, largest: 0 };
      this.#counts.set(kind, counts);
    }
    return counts;
  }
}

class Entry implements RunningActivity {
  cancelledAt: number | undefined = undefined;
  readonly #began = performance.now();

  constructor(
    readonly id: number,
    readonly start: ActivityStart,
    readonly startedAt: number,
    private readonly ended: (entry: Entry) => void,
  ) {}

  get runningMs(): number {
    return performance.now() - this.#began;
  }

  end(): void {
    this.ended(this);
  }
}
