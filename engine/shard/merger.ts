/**
 * Merges an index's segments, one merge at a time, by jobs that may run on other threads. Deletes that happen while a
 * merge runs are carried over to the merged segment, to the reader's and to the writer's view apart.
 */
import { EngineError } from "../errors.js";
import type { MergeJob, MergeJobResult } from "../jobs.js";
import { DROPPED } from "../segment/merge.js";
import { OpenSegment } from "../segment/reader.js";
import { allSet, clearBit } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { timed } from "../thread-log.js";
import { chooseMerge, type MergeCandidate, type MergePolicy, type MergeRun } from "./merge-policy.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentHolder, SegmentSet } from "./segment-set.js";

/** What merging works with. */
export interface MergerParts {
  readonly storage: Storage;
  readonly folder: SegmentFolder;
  /** Lets go of a segment that was acquired. */
  readonly release: (holder: SegmentHolder) => void;
  readonly segments: SegmentSet;
  readonly policy: MergePolicy;
  /** Writes the merged segment; all fields of the index are known to it. */
  readonly run: (job: Omit<MergeJob, "fields">, signal: AbortSignal) => Promise<MergeJobResult>;
  /** A merge is done; `committed`: the last commit still names what was merged. */
  readonly merged: (result: { milliseconds: number; committed: boolean }) => void;
  /** Told why a merge failed. */
  readonly noticed: (error: unknown) => void;
  readonly warn: (message: string) => void;
  /** Puts a merge of these segments on the board; the returned function says that it ended. */
  readonly running: (sources: readonly SegmentHolder[]) => (result: "done" | "given up") => void;
}

/** The merges of one index: in the background by policy, or when asked. */
export class Merger {
  /** What is being done now; further work waits for it. */
  #work: Promise<void> = Promise.resolve();
  #background = false;
  readonly #stop = new AbortController();

  constructor(private readonly parts: MergerParts) {}

  /** Merges in the background as long as the policy finds something worth merging. */
  schedule(): void {
    if (this.#background || this.#stopped || !this.#next()) return;
    this.#background = true;
    this.#enqueue(async () => {
      for (let run = this.#next(); run && !this.#stopped; run = this.#next()) await this.#merge(run);
    })
      .catch((error: unknown) => {
        // Nothing is lost: the segments stay as they were, and the next refresh tries again.
        this.parts.noticed(error);
        if (!this.#stopped) this.parts.warn(`a merge in ${this.parts.folder.folder} failed: ${String(error)}`);
      })
      .finally(() => {
        this.#background = false;
      });
  }

  /** Merges as `plan` says (runs from the last to the first); resolves when done. */
  force(plan: (segments: readonly MergeCandidate[]) => MergeRun[]): Promise<void> {
    return this.#enqueue(async () => {
      const shown = [...this.parts.segments.shown];
      for (const { from, to } of plan(shown.map(candidate))) await this.#mergeHolders(shown.slice(from, to));
    });
  }

  /** Lets the merge that runs end early, and begins no other. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work.catch(() => {});
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #enqueue(action: () => Promise<void>): Promise<void> {
    const result = this.#work.then(action);
    this.#work = result.catch(() => {});
    return result;
  }

  #next(): MergeRun | null {
    return chooseMerge(this.parts.segments.shown.map(candidate), this.parts.policy);
  }

  #merge({ from, to }: MergeRun): Promise<void> {
    return this.#mergeHolders(this.parts.segments.shown.slice(from, to));
  }

  async #mergeHolders(chosen: readonly SegmentHolder[]): Promise<void> {
    const sources = chosen.filter((holder) => !holder.retired);
    if (sources.length === 0) return;
    const { folder, segments, merged, release } = this.parts;
    const began = performance.now();
    const ended = this.parts.running(sources);
    let done = false;
    for (const holder of sources) holder.acquire();
    try {
      const alive = sources.map(({ live }) => live.published);
      const name = folder.newName();
      const inputs = sources.map(({ segment }, i) => ({ ref: segment.ref(), live: alive[i] }));
      const { docMaps } = await this.parts.run({ folder: folder.folder, name, inputs }, this.#stop.signal);
      const committed = sources.some(({ segment }) => folder.isCommitted(segment.name));
      const merge = { sources, alive, docMaps, name };
      await segments.inTurn(() => timed("opening a merged segment", () => this.#takePlace(merge)));
      done = true;
      merged({ milliseconds: performance.now() - began, committed });
    } catch (error) {
      if (!(this.#stopped && error instanceof EngineError && error.code === "cancelled")) throw error;
    } finally {
      ended(done ? "done" : "given up");
      for (const holder of sources) release(holder);
    }
  }

  #takePlace(merge: Merged): void {
    const { storage, folder, segments, release } = this.parts;
    const { sources, name } = merge;
    const segment = OpenSegment.open(storage, folder.folder, name);
    const holder = folder.adopt(segment, survivors(merge, segment.docCount));
    carryDeletes(merge, holder);
    const useful = holder.live.publishedCount > 0;
    if (sources.some((source) => !source.retired)) segments.replace(sources, useful ? holder : null);
    else if (useful) throw new EngineError("internal", "documents of segments that left the index are alive");
    if (!useful) release(holder);
  }
}

/** A merge that was done. */
interface Merged {
  readonly sources: readonly SegmentHolder[];
  /** What of each source was alive when it began. */
  readonly alive: readonly (Uint32Array | null)[];
  readonly docMaps: readonly Uint32Array[];
  readonly name: string;
}

function candidate({ segment, live }: SegmentHolder): MergeCandidate {
  return { sizeBytes: segment.sizeBytes, docCount: segment.docCount, liveCount: live.publishedCount };
}

/** What readers see alive of the merged segment: the documents that were not deleted and published meanwhile. */
function survivors({ sources, alive, docMaps }: Merged, docCount: number): Uint32Array | null {
  let live: Uint32Array | null = null;
  sources.forEach((source, i) => {
    for (const old of cleared(alive[i], source.live.published, source.live.docCount)) {
      if (docMaps[i][old] === DROPPED) continue;
      live ??= allSet(docCount);
      clearBit(live, docMaps[i][old]);
    }
  });
  return live;
}

/** Deletes that no reader shows yet. */
function carryDeletes({ sources, docMaps }: Merged, merged: SegmentHolder): void {
  sources.forEach(({ live }, i) => {
    if (!live.changed) return;
    for (const old of cleared(live.published, live.snapshot().bits, live.docCount)) {
      if (docMaps[i][old] !== DROPPED) merged.live.delete(docMaps[i][old]);
    }
  });
}

/** Documents alive before and dead after. */
function* cleared(before: Uint32Array | null, after: Uint32Array | null, docs: number): Generator<number> {
  if (after === null || before === after) return;
  const then = before ?? allSet(docs);
  for (let word = 0; word < after.length; word++) {
    let bits = then[word] & ~after[word];
    for (; bits !== 0; bits &= bits - 1) yield 32 * word + 31 - Math.clz32(bits & -bits);
  }
}
