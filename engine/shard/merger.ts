/**
 * Merges an index's segments, one merge at a time, in slices of a few milliseconds between other work. Deletes that
 * happen while a merge runs are carried over to the merged segment, to the reader's and to the writer's view apart.
 */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { DROPPED, type MergedSegment, mergeSegments } from "../segment/merge.js";
import { allSet, clearBit, isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { chooseMerge, type MergeCandidate, type MergePolicy, type MergeRun } from "./merge-policy.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentHolder, SegmentSet } from "./segment-set.js";

/** Milliseconds a merge may hold the thread before others get it. */
const SLICE_MS = 4;

/** What merging works with. */
export interface MergerParts {
  readonly storage: Storage;
  readonly folder: SegmentFolder;
  /** Lets go of a segment that was acquired. */
  readonly release: (holder: SegmentHolder) => void;
  readonly segments: SegmentSet;
  readonly policy: MergePolicy;
  /** All fields the index knows. */
  readonly fields: () => readonly Field[];
  /** A merge is done; `committed`: the last commit still names what was merged. */
  readonly merged: (result: { milliseconds: number; committed: boolean }) => void;
  readonly warn: (message: string) => void;
}

/** The merges of one index: in the background by policy, or when asked. */
export class Merger {
  /** What is being done now; further work waits for it. */
  #work: Promise<void> = Promise.resolve();
  #background = false;
  #stopped = false;

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
        this.parts.warn(`a merge in ${this.parts.folder.folder} failed: ${String(error)}`);
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
    this.#stopped = true;
    await this.#work.catch(() => {});
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
    const { storage, folder, segments, fields, merged, release } = this.parts;
    const began = performance.now();
    for (const holder of sources) holder.acquire();
    try {
      const inputs = sources.map(({ segment, live }) => ({ segment, live: live.published }));
      const target = { folder: folder.folder, name: folder.newName() };
      const result = await this.#inSlices(mergeSegments(storage, inputs, fields(), target));
      if (!result) return;
      const committed = sources.some(({ segment }) => folder.isCommitted(segment.name));
      this.#takePlace(sources, result, segments);
      merged({ milliseconds: performance.now() - began, committed });
    } finally {
      for (const holder of sources) release(holder);
    }
  }

  #takePlace(sources: readonly SegmentHolder[], result: MergedSegment, segments: SegmentSet): void {
    const holder = this.parts.folder.adopt(result.segment, survivors(sources, result));
    carryDeletes(sources, result, holder);
    const useful = holder.live.publishedCount > 0;
    if (sources.some((source) => !source.retired)) segments.replace(sources, useful ? holder : null);
    else if (useful) throw new EngineError("internal", "documents of segments that left the index are alive");
    if (!useful) this.parts.release(holder);
  }

  /** Runs a merge to its end; null when it was stopped, with nothing left behind. */
  async #inSlices(steps: Generator<void, MergedSegment>): Promise<MergedSegment | null> {
    let began = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() - began < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#stopped) {
        steps.return(undefined as never);
        return null;
      }
      began = performance.now();
    }
  }
}

function candidate({ segment, live }: SegmentHolder): MergeCandidate {
  return { sizeBytes: segment.sizeBytes, docCount: segment.docCount, liveCount: live.publishedCount };
}

/** What readers see alive of the merged segment: the documents that were not deleted and published meanwhile. */
function survivors(sources: readonly SegmentHolder[], { segment, docMaps }: MergedSegment): Uint32Array | null {
  let live: Uint32Array | null = null;
  sources.forEach((source, i) => {
    const { published } = source.live;
    docMaps[i].forEach((doc, old) => {
      if (doc === DROPPED || isSet(published, old)) return;
      live ??= allSet(segment.docCount);
      clearBit(live, doc);
    });
  });
  return live;
}

/** Deletes that no reader shows yet. */
function carryDeletes(sources: readonly SegmentHolder[], { docMaps }: MergedSegment, merged: SegmentHolder): void {
  sources.forEach(({ live }, i) => {
    if (!live.changed) return;
    docMaps[i].forEach((doc, old) => {
      if (doc !== DROPPED && !live.isAlive(old)) merged.live.delete(doc);
    });
  });
}
