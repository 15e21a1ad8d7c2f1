/**
 * For tests of the pool: handlers of every kind that do what their request says. Tests and jobs see each other through
 * shared flags, so that nobody has to sleep.
 */
import { threadId } from "node:worker_threads";
import { CorruptionError, EngineError } from "../../errors.js";
import type { SegmentRef } from "../../segment/reader.js";
import type { JobContext } from "../handler.js";

/** Set to 1 when a job has begun. */
export const BEGUN = 0;
/** A job that waits goes on when this is 1. */
export const GO_ON = 1;
/** Counts the times that a job has begun. */
export const TRIES = 2;
/** Set to 1 when a job's `finally` has run. */
export const LET_GO = 3;
/** Counts calls of the function that makes something of a shared value. */
export const MADE = 4;

/** What a request asks for. */
export type Task =
  | { do: "echo"; value: unknown }
  /** Takes turns until GO_ON. */
  | { do: "wait"; flags: Int32Array }
  /** The same for a handler that is not a generator: until it is cancelled. */
  | { do: "wait-for-cancel"; flags: Int32Array }
  | { do: "fail"; with: "corruption" | "engine-error" | "type-error" | "uncloneable-result" }
  /** Ends the thread as long as fewer than `times` threads were ended. */
  | { do: "crash"; flags: Int32Array; times: number }
  | { do: "use-up-memory" }
  /** Allocates in the arena, uses a segment, and ends the thread. */
  | { do: "crash-holding"; bytes: number; ref: SegmentRef | null }
  | { do: "shared"; key: string; flags: Int32Array };

function* wait(flags: Int32Array): Generator<void, string> {
  Atomics.store(flags, BEGUN, 1);
  try {
    while (Atomics.load(flags, GO_ON) === 0) yield;
    return "waited";
  } finally {
    Atomics.store(flags, LET_GO, 1);
  }
}

async function waitForCancel(context: JobContext, flags: Int32Array): Promise<string> {
  Atomics.store(flags, BEGUN, 1);
  await new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
  throw new EngineError("cancelled", "as it should be");
}

function fail(how: Extract<Task, { do: "fail" }>["with"]): unknown {
  switch (how) {
    case "corruption":
      throw new CorruptionError("/data/s1.seg", 4096, "aa", "bb");
    case "engine-error":
      throw new EngineError("too_many_buckets", "too many buckets", { limit: 7 });
    case "type-error":
      throw new TypeError("x is not a function");
    case "uncloneable-result":
      return () => 1;
  }
}

function useUpMemory(): number {
  const kept: number[][] = [];
  for (;;) kept.push(new Array<number>(10_000).fill(kept.length));
}

function crashHolding(context: JobContext, task: Extract<Task, { do: "crash-holding" }>): never {
  context.storage.arena.alloc(task.bytes);
  if (task.ref !== null) {
    const segment = context.segment(task.ref);
    segment.beginUse();
    segment.ids();
  }
  return process.exit(3);
}

/** Where `make` counts: it is one function, as handlers' are. */
let latest: Int32Array;

function make(value: unknown): unknown {
  Atomics.add(latest, MADE, 1);
  return { made: value };
}

function* run(context: JobContext, task: Task): Generator<void, unknown> {
  switch (task.do) {
    case "echo":
      return { value: task.value, threadId };
    case "wait":
      return yield* wait(task.flags);
    case "fail":
      return fail(task.with);
    case "crash":
      if (Atomics.add(task.flags, TRIES, 1) < task.times) process.exit(3);
      return threadId;
    case "use-up-memory":
      return useUpMemory();
    case "crash-holding":
      return crashHolding(context, task);
    case "shared":
      latest = task.flags;
      return context.shared(task.key, make);
    default:
      throw new Error(`no such task: ${task.do}`);
  }
}

function handle(context: JobContext, request: unknown): never {
  const task = request as Task;
  return (task.do === "wait-for-cancel" ? waitForCancel(context, task.flags) : run(context, task)) as never;
}

/** One handler for all kinds. */
export const handlers = { search: handle, count: handle, prepare: handle, build: handle, merge: handle };
