/**
 * Circuit breakers: what requests hold is charged before it is allocated, and a request that would pass a limit is
 * refused instead of taking the node down. Names, hierarchy and counters are Elasticsearch's:
 *
 *   request             what searches hold: buckets, kept documents, sort keys, sources of hits, bitsets
 *   fielddata           what was computed once for a reader and is kept: ordinals over segments, statistics
 *   in_flight_requests  bodies of HTTP requests
 *   parent              all of these and everything else: what the process really uses
 *
 * The numbers lie in shared memory, so that threads charge the same breakers. 64-bit cells:
 *
 *   0..2   bytes charged to request, fielddata, in_flight_requests
 *   3..6   limits in bytes, those three and the parent's; -1: none
 *   7..10  how often each was passed
 *   11     what the process used when it was last measured
 *   12     sum of 0..2 at that moment
 *   13..15 overheads of the three in thousandths
 */
import { EngineError } from "../errors.js";
import type { BreakerLimits } from "./budget.js";
import { printBytes } from "./bytes.js";

/** Breakers that bytes are charged to. */
export type BreakerName = "request" | "fielddata" | "in_flight_requests";

/** All that can be passed. */
export type AnyBreaker = BreakerName | "parent";

const PLACES: Readonly<Record<AnyBreaker, number>> = { request: 0, fielddata: 1, in_flight_requests: 2, parent: 3 };
const CHARGED: readonly BreakerName[] = ["request", "fielddata", "in_flight_requests"];
const LIMITS = 3;
const TRIPS = 7;
const MEASURED = 11;
const SUM_THEN = 12;
const OVERHEADS = 13;
const CELLS = 16;
const PER_THOUSAND = 1000;

/** Elasticsearch's default factors. An HTTP body is not twice itself here. */
const DEFAULT_OVERHEADS: Readonly<Record<BreakerName, number>> = {
  request: 1,
  fielddata: 1.03,
  in_flight_requests: 1,
};

/** How a breaker stands. */
export interface BreakerStats {
  /** -1: none. */
  readonly limitBytes: number;
  readonly estimatedBytes: number;
  readonly overhead: number;
  readonly tripped: number;
}

/** Told when the parent's limit would be passed: frees what it can, and returns what the process uses then. */
export type Relief = (bytesWanted: number) => number;

/** The breakers of a node. */
export class Breakers {
  readonly #cells: BigInt64Array;
  #relief: Relief | null = null;

  private constructor(
    /** What other threads attach to. */
    readonly memory: SharedArrayBuffer,
  ) {
    this.#cells = new BigInt64Array(memory);
  }

  /** Fresh breakers with these limits. */
  static create(limits: BreakerLimits): Breakers {
    const breakers = new Breakers(new SharedArrayBuffer(CELLS * 8));
    for (const [name, bytes] of Object.entries(limits)) breakers.setLimit(name as AnyBreaker, bytes);
    for (const name of CHARGED) breakers.setOverhead(name, DEFAULT_OVERHEADS[name]);
    return breakers;
  }

  /** The same breakers in another thread, which has no relief of its own. */
  static attach(memory: SharedArrayBuffer): Breakers {
    return new Breakers(memory);
  }

  /** -1: no limit. */
  setLimit(name: AnyBreaker, bytes: number): void {
    Atomics.store(this.#cells, LIMITS + PLACES[name], BigInt(Math.floor(bytes)));
  }

  /** Factor by which what was charged counts against the limit. */
  setOverhead(name: BreakerName, factor: number): void {
    Atomics.store(this.#cells, OVERHEADS + PLACES[name], BigInt(Math.round(factor * PER_THOUSAND)));
  }

  /** Who frees memory when the parent's limit would be passed. */
  onOverLimit(relief: Relief): void {
    this.#relief = relief;
  }

  /** Tells what the process uses now. */
  measured(bytes: number): void {
    Atomics.store(this.#cells, MEASURED, BigInt(Math.floor(bytes)));
    Atomics.store(this.#cells, SUM_THEN, BigInt(this.#sum()));
  }

  /** Takes whole bytes; `label` says what for. Throws `circuit_breaking`, taking nothing. */
  charge(name: BreakerName, bytes: number, label: string): void {
    const place = PLACES[name];
    const before = Number(Atomics.add(this.#cells, place, BigInt(bytes)));
    const overhead = this.#overhead(name);
    const wanted = Math.floor((before + bytes) * overhead);
    const limit = this.#limit(name);
    if (limit >= 0 && wanted > limit) {
      this.release(name, bytes);
      throw this.#tripped(name, { label, wanted, limit, more: "" });
    }
    try {
      this.#checkParent(bytes, label);
    } catch (error) {
      this.release(name, bytes);
      throw error;
    }
  }

  /** How many bytes would have to go before so many could be charged; 0: none. */
  shortBy(name: BreakerName, bytes: number): number {
    const limit = this.#limit(name);
    if (limit < 0) return 0;
    return Math.max(0, Math.ceil(this.used(name) + bytes - limit / this.#overhead(name)));
  }

  /** Takes bytes whatever the limits: for what must work when memory is short, such as changing a limit. */
  take(name: BreakerName, bytes: number): void {
    Atomics.add(this.#cells, PLACES[name], BigInt(bytes));
  }

  /** Gives bytes back that were charged. */
  release(name: BreakerName, bytes: number): void {
    Atomics.sub(this.#cells, PLACES[name], BigInt(bytes));
  }

  /** Bytes charged now. */
  used(name: BreakerName): number {
    return Number(Atomics.load(this.#cells, PLACES[name]));
  }

  /** What the process uses: as last measured, and what was charged and given back since. */
  get realUsage(): number {
    return Math.max(0, this.#cell(MEASURED) + this.#sum() - this.#cell(SUM_THEN));
  }

  stats(name: AnyBreaker): BreakerStats {
    return {
      limitBytes: this.#limit(name),
      estimatedBytes: name === "parent" ? this.realUsage : this.used(name),
      overhead: name === "parent" ? 1 : this.#overhead(name),
      tripped: this.#cell(TRIPS + PLACES[name]),
    };
  }

  #checkParent(bytes: number, label: string): void {
    const limit = this.#limit("parent");
    if (limit < 0 || this.realUsage <= limit) return;
    const real = this.#relief === null ? this.realUsage : this.#relief(bytes);
    if (real <= limit) return;
    const usages = CHARGED.map((name) => `${name}=${both(this.used(name))}`).join(", ");
    const more = `, real usage: [${both(real - bytes)}], new bytes reserved: [${both(bytes)}], usages [${usages}]`;
    throw this.#tripped("parent", { label, wanted: real, limit, more });
  }

  #tripped(name: AnyBreaker, what: { label: string; wanted: number; limit: number; more: string }): EngineError {
    Atomics.add(this.#cells, TRIPS + PLACES[name], 1n);
    const { label, wanted, limit, more } = what;
    // Clients look for "Data too large" and the name in brackets.
    const message =
      `[${name}] Data too large, data for [${label}] would be [${both(wanted)}], ` +
      `which is larger than the limit of [${both(limit)}]${more}`;
    const details = { breaker: name, bytesWanted: wanted, bytesLimit: limit, durability: this.#durability(name) };
    return new EngineError("circuit_breaking", message, details);
  }

  /** What is held for the length of a request goes away by itself; what is kept for readers may stay. */
  #durability(name: AnyBreaker): "TRANSIENT" | "PERMANENT" {
    if (name === "fielddata") return "PERMANENT";
    if (name !== "parent") return "TRANSIENT";
    return this.used("request") + this.used("in_flight_requests") >= this.used("fielddata") ? "TRANSIENT" : "PERMANENT";
  }

  #sum(): number {
    return CHARGED.reduce((sum, name) => sum + this.used(name), 0);
  }

  #limit(name: AnyBreaker): number {
    return this.#cell(LIMITS + PLACES[name]);
  }

  #overhead(name: BreakerName): number {
    return this.#cell(OVERHEADS + PLACES[name]) / PER_THOUSAND;
  }

  #cell(at: number): number {
    return Number(Atomics.load(this.#cells, at));
  }
}

function both(bytes: number): string {
  return `${bytes}/${printBytes(bytes)}`;
}
