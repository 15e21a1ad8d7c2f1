import { Slot } from "./slot.js";
import type { KernelCase } from "./testing.js";

/** A slot whose piece begins at page `place`, kept by the threads of `pins`. */
const slotOf = (place: number, pins: number): number[] => [place, pins, 7, 0];

const WORDS = Slot.bytes / 4;

export const slotCases: KernelCase[] = [
  {
    kernels: ["pinSlot"],
    title: "a pin sets its thread's bit and the moment, touches no other slot, and tells the place",
    run(kernels, memory) {
      const slots = memory.putU32([...slotOf(1, 0), ...slotOf(0xfedcba98, 0b100), ...slotOf(3, 0)]);
      const place = kernels.pinSlot(slots + Slot.bytes, 1 << 31, 0xffffffff);
      return [place, memory.numbers(slots, 3 * WORDS)];
    },
    expected: [0xfedcba98, [...slotOf(1, 0), 0xfedcba98, 0x80000004, 0xffffffff, 0, ...slotOf(3, 0)]],
  },
  {
    kernels: ["pinSlot"],
    title: "pinning twice is pinning once",
    run(kernels, memory) {
      const slot = memory.putU32(slotOf(0, 0));
      const places = [kernels.pinSlot(slot, 2, 8), kernels.pinSlot(slot, 2, 9)];
      return [places, memory.numbers(slot, WORDS)];
    },
    expected: [
      [0, 0],
      [0, 2, 9, 0],
    ],
  },
  {
    kernels: ["unpinSlot"],
    title: "letting go clears the thread's bit alone",
    run(kernels, memory) {
      const slot = memory.putU32(slotOf(5, 0xc0000001));
      kernels.unpinSlot(slot, 1 << 31);
      kernels.unpinSlot(slot, 2);
      return memory.numbers(slot, WORDS);
    },
    expected: slotOf(5, 0x40000001),
  },
];
