/**
 * Write operations in flight, in bytes of their sources, over all indices: where too much waits already, more is refused,
 * and a client that retries gets its turn, because what comes while nothing waits is always let in. Two stages, as
 * Elasticsearch counts them: `coordinating` is a request as it came, `primary` what of it is being written to an index.
 */
import { EngineError } from "../errors.js";

/** Where bytes are counted. */
export type PressureStage = "coordinating" | "primary";

/** Counters of one stage. */
export interface StageStats {
  readonly currentBytes: number;
  readonly totalBytes: number;
  readonly rejections: number;
}

/** What an operation is refused for. */
interface Stage {
  currentBytes: number;
  totalBytes: number;
  rejections: number;
}

/** The write operations of a node. */
export class IndexingPressure {
  readonly #stages: Record<PressureStage, Stage> = { coordinating: stage(), primary: stage() };

  constructor(readonly limitBytes: number) {}

  /** Counts operations in until the returned function is called. Throws `overloaded` when too much waits already. */
  enter(stage: PressureStage, bytes: number): () => void {
    const counted = this.#stages[stage];
    const { currentBytes } = counted;
    if (currentBytes > 0 && currentBytes + bytes > this.limitBytes) {
      counted.rejections++;
      throw tooMuch(stage, { current: currentBytes, bytes, limit: this.limitBytes });
    }
    counted.currentBytes += bytes;
    counted.totalBytes += bytes;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      counted.currentBytes -= bytes;
    };
  }

  stats(stage: PressureStage): StageStats {
    return { ...this.#stages[stage] };
  }
}

function stage(): Stage {
  return { currentBytes: 0, totalBytes: 0, rejections: 0 };
}

function tooMuch(stage: PressureStage, at: { current: number; bytes: number; limit: number }): EngineError {
  const { current, bytes, limit } = at;
  const message =
    `rejected execution of ${stage} operation [${stage}_bytes=${current}, ${stage}_operation_bytes=${bytes}, ` +
    `max_${stage}_bytes=${limit}]: too much waits to be written, retry later`;
  return new EngineError("overloaded", message, { stage, current, bytes, limit });
}
