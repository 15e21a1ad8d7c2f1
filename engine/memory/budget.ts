/**
 * How a node's memory is divided. The budget is what the whole process should stay within; its parts:
 *
 *   arena           segments' pieces, write buffers, working memory of kernels: reserved once, never given back
 *   block cache     cold blocks of `_source`, ids and vectors
 *   query cache     bitsets of filters
 *   indexing buffer share of the arena that the write buffers of all indices may have together
 *   breakers        what requests may hold on top: see breakers.ts
 *   the rest        the program itself (some 80 MB) and what V8 has not collected yet
 *
 * Limits outside the arena add up to more than what is left of the budget, because they are never all reached at once;
 * the `parent` breaker, which looks at what the process really uses, sees to the sum.
 */
import { EngineError } from "../errors.js";
import { printBytes } from "./bytes.js";

/** Everything in bytes. */
export interface MemoryBudget {
  readonly total: number;
  readonly arena: number;
  readonly blockCache: number;
  readonly queryCache: number;
  readonly indexingBuffer: number;
  /** Prepared documents of one index that become a segment. */
  readonly memtable: number;
  /** Write operations in flight: a tenth, as Elasticsearch's `indexing_pressure.memory.limit`. */
  readonly indexingPressure: number;
  /** Largest HTTP body that fits beside everything else. */
  readonly httpBody: number;
  /** Limits of the breakers, by name. */
  readonly breakers: BreakerLimits;
}

/** Limits of the circuit breakers in bytes; -1: none. */
export interface BreakerLimits {
  readonly request: number;
  readonly fielddata: number;
  readonly in_flight_requests: number;
  readonly parent: number;
}

const MIB = 2 ** 20;

/** Less does not hold the program and an arena that it can work in. */
export const LEAST_BUDGET = 512 * MIB;
/** What a node takes when it is not told, on a machine that has twice as much. */
const DEFAULT_BUDGET = 4096 * MIB;
/** The program with two worker threads, heaps and buffers under load (measured: 121 MB idle, up to 321 MB): not for the arena. */
const PROGRAM_BYTES = 344 * MIB;
/** WebAssembly's address space (65,535 pages of 64 KiB). */
const LARGEST_ARENA = 65_535 * 65_536;
const LARGEST_MEMTABLE = 32 * MIB;
const LARGEST_BLOCK_CACHE = 64 * MIB;
const LARGEST_QUERY_CACHE = 256 * MIB;
const LARGEST_HTTP_BODY = 100 * MIB;

/** Default limits of the breakers, percent of the budget. */
export const BREAKER_PERCENT = { request: 25, fielddata: 10, in_flight_requests: 25, parent: 95 } as const;

/** Write operations in flight below this are never refused. */
const LEAST_INDEXING_PRESSURE = 16 * MIB;

/** What a node takes by itself: half of what it may have, for the other half is the page cache's; at most 4 GiB. */
export function defaultBudget(machineBytes: number): number {
  return Math.max(LEAST_BUDGET, Math.min(DEFAULT_BUDGET, Math.floor(machineBytes / 2)));
}

/**
 * Divides a budget of `total` bytes; `arena` replaces the arena's share. Throws `invalid_value` for a budget below
 * LEAST_BUDGET.
 */
export function divideBudget(total: number, arena?: number): MemoryBudget {
  if (total < LEAST_BUDGET) {
    throw new EngineError(
      "invalid_value",
      `a node needs at least ${printBytes(LEAST_BUDGET)} of memory, not ${printBytes(total)}`,
      { bytes: total, least: LEAST_BUDGET },
    );
  }
  const arenaBytes = Math.min(LARGEST_ARENA, arena ?? Math.min(total / 2, total - PROGRAM_BYTES));
  const share = (percent: number) => Math.floor((total * percent) / 100);
  return {
    total,
    arena: Math.floor(arenaBytes),
    blockCache: Math.min(LARGEST_BLOCK_CACHE, share(3)),
    queryCache: Math.min(LARGEST_QUERY_CACHE, share(5)),
    indexingBuffer: Math.floor(arenaBytes / 4),
    memtable: Math.min(LARGEST_MEMTABLE, Math.floor(arenaBytes / 16)),
    indexingPressure: Math.max(LEAST_INDEXING_PRESSURE, Math.floor(Math.min(total / 10, arenaBytes / 4))),
    httpBody: Math.min(LARGEST_HTTP_BODY, share(BREAKER_PERCENT.in_flight_requests)),
    breakers: {
      request: share(BREAKER_PERCENT.request),
      fielddata: share(BREAKER_PERCENT.fielddata),
      in_flight_requests: share(BREAKER_PERCENT.in_flight_requests),
      parent: share(BREAKER_PERCENT.parent),
    },
  };
}
