/**
 * An index that nobody writes to any more is flushed, so that the next start has nothing to replay: without it twenty idle
 * indices were replayed at each start, for a minute.
 */
export class IdleFlush {
  #lastWrite = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    /** How long nothing is written before the index is idle. Elasticsearch waits as long. */
    private readonly idleMs: number,
    private readonly flush: () => void,
  ) {}

  /** Something was written that a flush would make durable in segments. */
  wrote(): void {
    this.#lastWrite = performance.now();
    if (!this.#timer) this.#wait(this.idleMs);
  }

  stop(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), ms);
    this.#timer.unref();
  }

  #check(): void {
    this.#timer = null;
    const left = this.#lastWrite + this.idleMs - performance.now();
    if (left > 0) this.#wait(left);
    else this.flush();
  }
}
