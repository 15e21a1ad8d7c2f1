/**
 * Memory pressure drains: when the process nears its budget, garbage is collected, and if that is not enough caches are
 * dropped, in the order in which they were added, until enough is free.
 */

/** Something that can give memory up. */
export interface DrainStep {
  readonly name: string;
  /** Gives up about this much; returns how many bytes nothing refers to any more. */
  drain(bytesWanted: number): number;
}

/** What a step has given up so far. */
export interface DrainCount {
  readonly name: string;
  readonly times: number;
  readonly bytes: number;
}

/** What the pressure works with. */
export interface PressureParts {
  /** Bytes in use now. */
  readonly measure: () => number;
  /** Makes bytes that nothing refers to free; takes tens of milliseconds. */
  readonly collect: () => void;
  /** Above this, draining begins. */
  readonly highBytes: number;
  /** Milliseconds from any moment. */
  readonly now: () => number;
}

/** Between two collections of garbage; doubled each time one was in vain. */
const LEAST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** A collection that frees a smaller share of the limit was in vain. */
const USEFUL_SHARE = 0.02;

/** Watches memory and drains. */
export class MemoryPressure {
  readonly #steps: { step: DrainStep; times: number; bytes: number }[] = [];
  #collections = { times: 0, bytes: 0 };
  #lastCollection = Number.NEGATIVE_INFINITY;
  #pause = LEAST_PAUSE_MS;

  constructor(private readonly parts: PressureParts) {}

  /** Adds a step after those there are. */
  add(step: DrainStep): void {
    this.#steps.push({ step, times: 0, bytes: 0 });
  }

  /** Measures, drains if need be, and returns what is used afterwards. */
  check(): number {
    return this.#check(0, this.#pause);
  }

  /** The same for a request that would else be refused, and wants so many bytes: it is not put off by what was in vain. */
  relieve(wanted: number): number {
    return this.#check(wanted, LEAST_PAUSE_MS);
  }

  #check(wanted: number, pause: number): number {
    const { measure, highBytes, now } = this.parts;
    const allowed = highBytes - wanted;
    const used = measure();
    if (used <= allowed || now() < this.#lastCollection + pause) return used;
    const left = this.#collect(used);
    if (left <= allowed) return left;
    return this.#drop(left - allowed) > 0 ? this.#collect(left) : left;
  }

  /** What each step has done, collections of garbage first. */
  counts(): DrainCount[] {
    const steps = this.#steps.map(({ step, times, bytes }) => ({ name: step.name, times, bytes }));
    return [{ name: "garbage", ...this.#collections }, ...steps];
  }

  #drop(excess: number): number {
    let dropped = 0;
    for (const entry of this.#steps) {
      if (dropped >= excess) break;
      const bytes = entry.step.drain(excess - dropped);
      if (bytes === 0) continue;
      entry.times++;
      entry.bytes += bytes;
      dropped += bytes;
    }
    return dropped;
  }

  #collect(before: number): number {
    const { measure, collect, highBytes, now } = this.parts;
    collect();
    const after = measure();
    const freed = Math.max(0, before - after);
    this.#collections = { times: this.#collections.times + 1, bytes: this.#collections.bytes + freed };
    this.#pause = freed > highBytes * USEFUL_SHARE ? LEAST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * this.#pause);
    this.#lastCollection = now();
    return after;
  }
}
