/** What the pool and a worker tell each other. */
import type { JobKind } from "../jobs.js";
import type { SentError } from "./errors.js";

/** What a worker is started with. */
export interface WorkerData {
  readonly memory: WebAssembly.Memory;
  /** Number of the thread among those that share the arena, 1 to 31. */
  readonly thread: number;
  /** Bytes of the thread's cache of cold blocks; undefined: what threads usually have. */
  readonly cacheBytes: number | undefined;
  /** How the operating system's tools name the thread. */
  readonly name: string;
  /** Linux: 0 to 19, more gives way to other threads. */
  readonly niceness: number;
  /** Module that exports `handlers`, a HandlerTable; undefined: the engine's own. */
  readonly handlers: string | undefined;
}

/** What a worker is told. */
export type ToWorker =
  | {
      readonly type: "run";
      readonly id: number;
      readonly kind: JobKind;
      readonly request: unknown;
      /** Keys that the job may use; those that this worker does not know yet come in `values`. */
      readonly keys: readonly string[];
      readonly values: readonly { readonly key: string; readonly value: unknown }[];
      /** Keys that nobody used for long. */
      readonly drop: readonly string[];
    }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "forget"; readonly prefix: string }
  | { readonly type: "forget-segment"; readonly folder: string; readonly name: string };

/** What a worker answers. */
export type FromWorker =
  | { readonly type: "ready"; readonly systemThreadId: number | undefined }
  | { readonly type: "done"; readonly id: number; readonly result: unknown }
  | { readonly type: "failed"; readonly id: number; readonly error: SentError };
