// Kernel of slot.ts.
//
//   pinSlot    slot, bit, now
//   unpinSlot  slot, bit
//
// Offsets of Slot: place 0, pins 4, lastUse 8.

export function pinSlot(slot: usize, bit: u32, now: u32): u32 {
  atomic.or<u32>(slot, bit, 4);
  store<u32>(slot, now, 8);
  return atomic.load<u32>(slot);
}

export function unpinSlot(slot: usize, bit: u32): void {
  atomic.and<u32>(slot, ~bit, 4);
}
