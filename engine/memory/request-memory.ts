/** What one request holds, charged to a breaker while it runs and given back together when it ends. */
import type { BreakerName, Breakers } from "./breakers.js";

/** Takes charges; see RequestMemory. */
export interface Ledger {
  /** Before so many bytes are allocated; `label` says what for. Throws `circuit_breaking`, taking nothing. */
  charge(bytes: number, label: string): void;
  /** Bytes charged that are free again. */
  release(bytes: number): void;
}

/** Charges for one thing: what grows says by how much. */
export type Charge = (bytes: number) => void;

/** For whoever counts nothing: tests, and work that is bounded elsewhere. */
export const UNLIMITED: Ledger = Object.freeze({ charge: () => undefined, release: () => undefined });

/** Taken from the breaker at once: a small search costs one charge there. */
const STEP_BYTES = 16 * 1024;

/** The memory of one request. */
export class RequestMemory implements Ledger {
  #used = 0;
  #peak = 0;
  /** Bytes taken from the breaker, at least those used. */
  #reserved = 0;

  constructor(
    private readonly breakers: Breakers,
    private readonly breaker: BreakerName,
  ) {}

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /** The most it held. */
  get peak(): number {
    return this.#peak;
  }

  charge(bytes: number, label: string): void {
    const used = this.#used + Math.ceil(bytes);
    if (used > this.#reserved) this.#reserve(used - this.#reserved, label);
    this.#used = used;
    if (used > this.#peak) this.#peak = used;
  }

  /** Counts bytes whatever the limits. */
  take(bytes: number): void {
    const used = this.#used + Math.ceil(bytes);
    if (used > this.#reserved) {
      this.breakers.take(this.breaker, used - this.#reserved);
      this.#reserved = used;
    }
    this.#used = used;
    if (used > this.#peak) this.#peak = used;
  }

  release(bytes: number): void {
    this.#used = Math.max(0, this.#used - Math.ceil(bytes));
    const kept = this.#used === 0 ? 0 : this.#used + STEP_BYTES;
    if (this.#reserved > kept) this.#giveBack(this.#reserved - kept);
  }

  /** Gives everything back. Charges that come later count again: close once more. */
  close(): void {
    this.#used = 0;
    if (this.#reserved > 0) this.#giveBack(this.#reserved);
  }

  #reserve(needed: number, label: string): void {
    // Near the limit only what is needed counts.
    const step = this.breakers.shortBy(this.breaker, STEP_BYTES) > 0 ? needed : Math.max(needed, STEP_BYTES);
    this.breakers.charge(this.breaker, step, label);
    this.#reserved += step;
  }

  #giveBack(bytes: number): void {
    this.breakers.release(this.breaker, bytes);
    this.#reserved -= bytes;
  }
}
