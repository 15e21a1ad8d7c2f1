import type { JobKind, SharedValue } from "../jobs.js";

/** A job that was asked for and has no answer yet. */
export interface PendingJob {
  readonly id: number;
  readonly kind: JobKind;
  readonly request: unknown;
  readonly shared: readonly SharedValue[];
  readonly transfer: readonly ArrayBuffer[];
  readonly description: string;
  /** Epoch milliseconds when it was given to a worker; 0: it waits. */
  since: number;
  /** Threads that died with it. */
  deaths: number;
  /** Whoever asked no longer wants it. */
  cancelled: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}
