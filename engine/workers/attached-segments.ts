/**
 * The segments that one thread has attached to. They stay open from job to job, because what is made of them (parts,
 * filters asked for twice) is worth keeping; the least recently used are closed when there are many, and those that the
 * node closed as soon as no job holds them.
 */
import { OpenSegment, type SegmentRef } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";

/** Segments kept open between jobs: each is a file descriptor. */
const KEPT = 512;

interface Attached {
  readonly segment: OpenSegment;
  /** Jobs that hold it. */
  holds: number;
  /** Closed by the node: not to be kept. */
  forgotten: boolean;
}

/** The attached segments of one thread, with a count of the jobs that hold each. */
export class AttachedSegments {
  /** By folder and name, in the order of last use. */
  readonly #attached = new Map<string, Attached>();

  constructor(
    private readonly storage: Storage,
    private readonly kept = KEPT,
  ) {}

  get size(): number {
    return this.#attached.size;
  }

  /**
   * Attaches if need be; the caller holds the segment until it calls `release` with the same key. In the thread that
   * opened it that is the segment itself, which whoever asks holds open.
   */
  hold(ref: SegmentRef): { key: string; segment: OpenSegment } {
    const key = keyOf(ref.folder, ref.name);
    const own = OpenSegment.openedHere(this.storage, ref);
    if (own !== undefined) return { key, segment: own };
    const found = this.#attached.get(key) ?? {
      segment: OpenSegment.attach(this.storage, ref),
      holds: 0,
      forgotten: false,
    };
    found.holds++;
    this.#attached.delete(key);
    this.#attached.set(key, found);
    return { key, segment: found.segment };
  }

  release(keys: Iterable<string>): void {
    for (const key of keys) {
      const found = this.#attached.get(key);
      if (found === undefined) continue;
      found.holds--;
      if (found.holds === 0 && found.forgotten) this.#close(key, found);
    }
    this.#trim();
  }

  forget(folder: string, name: string): void {
    const key = keyOf(folder, name);
    const found = this.#attached.get(key);
    if (found === undefined) return;
    found.forgotten = true;
    if (found.holds === 0) this.#close(key, found);
  }

  close(): void {
    for (const [key, found] of this.#attached) this.#close(key, found);
  }

  #trim(): void {
    if (this.#attached.size <= this.kept) return;
    for (const [key, found] of this.#attached) {
      if (this.#attached.size <= this.kept) return;
      if (found.holds === 0) this.#close(key, found);
    }
  }

  #close(key: string, found: Attached): void {
    this.#attached.delete(key);
    found.segment.close();
  }
}

function keyOf(folder: string, name: string): string {
  return `${folder}\n${name}`;
}
