/**
 * Runs the jobs of one thread in turns of a few milliseconds, the most urgent first. Between two turns the thread looks
 * at its messages, so a search that arrives in the middle of a merge runs next.
 */
import { Canceller, type CancelSignal } from "../canceller.js";
import { InternalError } from "../errors.js";
import type { JobKind } from "../jobs.js";
import type { OpenSegment, SegmentRef } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";
import { AttachedSegments } from "./attached-segments.js";
import { cancelled } from "./errors.js";
import type { Handler, HandlerTable, JobContext } from "./handler.js";
import { KINDS, type KindRules } from "./kinds.js";
import { SharedCache, type SharedEntry } from "./shared-cache.js";

/** Milliseconds of one turn. */
const TURN_MS = 3;

/** A job as a thread is given it. */
export interface GivenJob {
  /** Of the one who asks; never given twice. */
  readonly id: number;
  readonly kind: JobKind;
  readonly request: unknown;
  /** Keys of the shared values that the job may ask for. */
  readonly keys: readonly string[];
}

/** How a job ended. */
export type Outcome = { readonly id: number } & (
  | { readonly ok: true; readonly result: unknown; readonly transfer: readonly ArrayBuffer[] }
  | { readonly ok: false; readonly error: unknown }
);

/** What a runner works with, and whom it tells how a job ended. */
export interface RunnerParts {
  readonly storage: Storage;
  readonly handlers: HandlerTable;
  readonly ended: (outcome: Outcome) => void;
}

type AnyHandler = (context: JobContext, request: unknown) => Generator<void, unknown> | Promise<unknown>;

/** A job that has begun. */
class BegunJob implements JobContext {
  readonly abort = new Canceller();
  readonly transferred: ArrayBuffer[] = [];
  readonly heldSegments: string[] = [];
  /** null: the handler takes its turns itself. */
  steps: Generator<void, unknown> | null = null;
  /** When its last turn ended. */
  lastTurn = performance.now();

  constructor(
    readonly job: GivenJob,
    readonly storage: Storage,
    private readonly entries: ReadonlyMap<string, SharedEntry>,
    private readonly segments: AttachedSegments,
  ) {}

  get signal(): CancelSignal {
    return this.abort.signal;
  }

  shared<V, T>(key: string, make: (value: V) => T): T {
    const entry = this.entries.get(key);
    if (entry === undefined) throw new InternalError(`a job asks for ${key}, which was not given with it`);
    if (!entry.made.has(make)) entry.made.set(make, make(entry.value as V));
    return entry.made.get(make) as T;
  }

  segment(ref: SegmentRef): OpenSegment {
    const { key, segment } = this.segments.hold(ref);
    this.heldSegments.push(key);
    return segment;
  }

  transfer(...buffers: ArrayBuffer[]): void {
    this.transferred.push(...buffers);
  }

  get rules(): KindRules {
    return KINDS[this.job.kind];
  }

  /** It has waited for more urgent ones for longer than it should. */
  isLate(now: number): boolean {
    return now - this.lastTurn > this.rules.patienceMs;
  }
}

/** The jobs of one thread, from their start to their outcome. */
export class JobRunner {
  readonly shared = new SharedCache();
  readonly segments: AttachedSegments;
  readonly #parts: RunnerParts;
  readonly #begun = new Map<number, BegunJob>();
  #scheduled = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.segments = new AttachedSegments(parts.storage);
  }

  /** Begins a job; its first turn comes later. Never throws: what fails is an outcome. */
  start(given: GivenJob): void {
    try {
      const begun = new BegunJob(given, this.#parts.storage, this.shared.take(given.keys), this.segments);
      this.#begun.set(given.id, begun);
      this.#begin(begun);
    } catch (error) {
      this.#end(given.id, { id: given.id, ok: false, error });
    }
  }

  /** The job ends before its next turn, with `cancelled`, unless it has ended already. */
  cancel(id: number): void {
    this.#begun.get(id)?.abort.abort();
  }

  close(): void {
    this.segments.close();
  }

  #begin(begun: BegunJob): void {
    const { kind, request, id } = begun.job;
    const handler = this.#parts.handlers[kind] as Handler<JobKind> | undefined;
    if (handler === undefined) throw new InternalError(`nothing here does jobs of the kind ${kind}`);
    const work = (handler as AnyHandler)(begun, request);
    if (!(work instanceof Promise)) {
      begun.steps = work;
      this.#schedule();
      return;
    }
    work.then(
      (result) => this.#end(id, { id, ok: true, result, transfer: begun.transferred }),
      (error: unknown) => this.#end(id, { id, ok: false, error }),
    );
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const next = this.#next(performance.now());
      if (next === null) return;
      this.#turn(next, next.steps as Generator<void, unknown>);
      this.#schedule();
    });
  }

  /** The job whose turn it is: one that waited too long, else the most urgent; among equals the one that waited longest. */
  #next(now: number): BegunJob | null {
    let best: BegunJob | null = null;
    for (const begun of this.#begun.values()) {
      if (begun.steps === null) continue;
      if (best === null || comesBefore(begun, best, now)) best = begun;
    }
    return best;
  }

  #turn(begun: BegunJob, steps: Generator<void, unknown>): void {
    const { id } = begun.job;
    try {
      if (begun.signal.aborted) {
        steps.return(undefined);
        throw cancelled();
      }
      const end = performance.now() + TURN_MS;
      let step = steps.next();
      while (!step.done && performance.now() < end) step = steps.next();
      begun.lastTurn = performance.now();
      if (step.done) this.#end(id, { id, ok: true, result: step.value, transfer: begun.transferred });
    } catch (error) {
      this.#end(id, { id, ok: false, error });
    }
  }

  #end(id: number, outcome: Outcome): void {
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    if (begun !== undefined) this.segments.release(begun.heldSegments);
    this.#parts.ended(outcome);
  }
}

function comesBefore(a: BegunJob, b: BegunJob, now: number): boolean {
  const late = a.isLate(now);
  if (late !== b.isLate(now)) return late;
  const byUrgency = a.rules.urgency - b.rules.urgency;
  return byUrgency !== 0 ? byUrgency < 0 : a.lastTurn < b.lastTurn;
}
