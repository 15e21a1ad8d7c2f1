/** Changes that are dealt with together. */
export interface ChangeBatch {
  /** Paths inside the root; empty when `extent` is the whole folder. */
  paths: string[];
  extent: "paths" | "whole folder";
}

/** When a batch is closed, in milliseconds. */
export interface BatchTiming {
  /** Nothing more has come for so long. */
  quietMs: number;
  /** A small batch does not wait longer than this in all, however much goes on. */
  boundMs: number;
  /** The same for a large one, which is what a branch switch looks like. */
  largeQuietMs: number;
  largeBoundMs: number;
}

const TIMING: BatchTiming = { quietMs: 25, boundMs: 150, largeQuietMs: 150, largeBoundMs: 5000 };

/** Paths from which on a batch is large. */
const LARGE = 32;
/** Paths from which on walking the whole folder is cheaper than each of them. */
const MAX_PATHS = 200;

/** What batches are made by. */
export interface BatchOptions {
  /** Events from which on the system may have lost some: what it keeps for a slow reader is bounded. */
  maxEvents: number;
  /** Whether something goes on that is better waited for, such as git writing a work tree. */
  isBusy: () => boolean;
  timing?: BatchTiming;
}

/** Gathers changes until it is quiet. */
export class ChangeBatches {
  readonly #paths = new Set<string>();
  readonly #timing: BatchTiming;
  #events = 0;
  #isWhole = false;
  #first = 0;
  #last = 0;
  #wake: () => void = () => {};

  constructor(private readonly options: BatchOptions) {
    this.#timing = options.timing ?? TIMING;
  }

  /** Something may have changed at a path. */
  note(path: string): void {
    this.#last = performance.now();
    if (this.#events++ === 0) this.#first = this.#last;
    if (path === "" || this.#events > this.options.maxEvents || this.#paths.size >= MAX_PATHS) this.#isWhole = true;
    if (!this.#isWhole) this.#paths.add(path);
    this.#wake();
  }

  /** Puts a batch back that could not be dealt with. */
  putBack({ paths, extent }: ChangeBatch): void {
    if (extent === "whole folder") this.note("");
    for (const path of paths) this.note(path);
  }

  /** The next batch; nothing when the signal ends the waiting, or when none has begun after `patienceMs`. */
  async next(patienceMs: number, signal: AbortSignal): Promise<ChangeBatch | undefined> {
    const end = performance.now() + patienceMs;
    while (!signal.aborted) {
      const now = performance.now();
      const due = this.#events === 0 ? end : this.#dueAt(now);
      if (now >= due) return this.#events === 0 ? undefined : this.#take();
      await this.#sleep(due - now, signal);
    }
    return undefined;
  }

  #dueAt(now: number): number {
    const isLarge = this.#isWhole || this.#paths.size >= LARGE;
    const { quietMs, boundMs, largeQuietMs, largeBoundMs } = this.#timing;
    const bound = this.#first + (isLarge ? largeBoundMs : boundMs);
    const quiet = this.#last + (isLarge ? largeQuietMs : quietMs);
    if (isLarge && now >= quiet && now < bound && this.options.isBusy()) return now + largeQuietMs;
    return Math.min(bound, quiet);
  }

  #take(): ChangeBatch {
    const paths = this.#isWhole ? [] : outermost(this.#paths);
    const extent = this.#isWhole ? "whole folder" : "paths";
    this.#paths.clear();
    this.#events = 0;
    this.#isWhole = false;
    return { paths, extent };
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}

/** Sorted, without what lies below another one. */
function outermost(paths: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => !hasAbove(path, paths)).sort();
}

function hasAbove(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (paths.has(path.slice(0, at))) return true;
  }
  return false;
}
