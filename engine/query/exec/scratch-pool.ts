/**
 * Working memory of searches that is kept for the next ones: to allocate it means page faults and a lock, and what must be
 * zero has to be made so. One pool per thread and arena; given back when memory is short.
 */
import type { Arena } from "../../store/arena.js";
import { allocateScratch, type Scratch } from "./context.js";

/** More than this are hardly ever in use at once in one thread. */
const MAX_IDLE = 4;

const pools = new WeakMap<Arena, Scratch[]>();

/** Working memory for one search, in the state that `allocateScratch` leaves it in. Throws `overloaded`. */
export function takeScratch(arena: Arena): Scratch {
  return poolOf(arena).pop() ?? allocateScratch(arena);
}

/** Takes it back. "dirty": the search ended in the middle of its work, and what must be zero may not be. */
export function giveScratch(arena: Arena, scratch: Scratch, state: "clean" | "dirty"): void {
  const pool = poolOf(arena);
  if (state === "clean" && pool.length < MAX_IDLE) pool.push(scratch);
  else arena.free(scratch.address);
}

function poolOf(arena: Arena): Scratch[] {
  const found = pools.get(arena);
  if (found !== undefined) return found;
  const pool: Scratch[] = [];
  pools.set(arena, pool);
  arena.onPressure(() => emptied(arena, pool));
  return pool;
}

/** Frees what is idle; returns how many bytes that were. */
function emptied(arena: Arena, pool: Scratch[]): number {
  let freed = 0;
  for (let scratch = pool.pop(); scratch !== undefined; scratch = pool.pop()) {
    freed += arena.sizeOf(scratch.address);
    arena.free(scratch.address);
  }
  return freed;
}
