/**
 * Keeping a shared piece of a file in memory, and letting it go: the hot half of what store/slots.ts describes. A kernel
 * because an atomic operation costs 6 ns there and 20 to 30 ns through JavaScript's Atomics (Node 20).
 */
import type { MemoryViews } from "./memory.js";

/** A slot: where a piece lies and which threads keep it. All u32; `bytes` is the size of the struct, a power of two. */
export const Slot = {
  /** See store/slots.ts; 0: not in memory. */
  place: 0,
  /** Bit t: thread t keeps the piece. */
  pins: 4,
  /** Moment of the last use. */
  lastUse: 8,
  bytes: 16,
} as const;

/** See Kernels.pinSlot. */
export function pinSlot(memory: MemoryViews, slot: number, bit: number, now: number): number {
  const at = slot >>> 2;
  // In this order: who evicts first changes `place`, then looks at `pins`, so that one of the two sees the other.
  Atomics.or(memory.u32, at + Slot.pins / 4, bit);
  memory.u32[at + Slot.lastUse / 4] = now;
  return Atomics.load(memory.u32, at + Slot.place / 4);
}

/** See Kernels.unpinSlot. */
export function unpinSlot(memory: MemoryViews, slot: number, bit: number): void {
  Atomics.and(memory.u32, (slot >>> 2) + Slot.pins / 4, ~bit);
}
