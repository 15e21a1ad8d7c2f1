import type { Arena } from "./arena.js";

/** Addresses of several allocations, all of them or none. Throws `overloaded`. */
export function allocateAll(arena: Arena, sizes: readonly number[]): number[] {
  const addresses: number[] = [];
  try {
    for (const bytes of sizes) addresses.push(arena.alloc(bytes));
  } catch (error) {
    for (const address of addresses) arena.free(address);
    throw error;
  }
  return addresses;
}
