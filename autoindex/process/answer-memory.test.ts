import fc from "fast-check";
import { expect, it } from "vitest";
import { AnswerMemory, type Loan } from "./answer-memory.js";

it("nobody's bytes change before they were given back", () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 700_000 }), fc.nat({ max: 5 })), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, (steps) => {
      const memory = new AnswerMemory();
      const out: { loan: Loan; mark: number }[] = [];
      for (const [at, [size, returns]] of steps.entries()) {
        const loan = memory.lend(size);
        expect(loan.bytes.length).toBe(size);
        loan.bytes.fill(at + 1);
        out.push({ loan, mark: at + 1 });
        for (let i = 0; i < returns && out.length > 0; i++) {
          const { loan: old, mark } = out.shift()!;
          expect(old.bytes.every((byte) => byte === mark)).toBe(true);
          const half = Math.floor(old.bytes.length / 2);
          old.giveBack(half);
          old.giveBack(old.bytes.length - half);
        }
      }
      for (const { loan, mark } of out) expect(loan.bytes.every((byte) => byte === mark)).toBe(true);
    }),
    { numRuns: 15 },
  );
});

it("memory that is given back is used again", () => {
  const memory = new AnswerMemory();
  const buffers = new Set<ArrayBufferLike>();
  const out: Loan[] = [];
  for (let i = 0; i < 200; i++) {
    const loan = memory.lend(1_000_000);
    buffers.add(loan.bytes.buffer);
    out.push(loan);
    if (out.length > 8) out.shift()!.giveBack(1_000_000);
  }
  expect(buffers.size).toBe(3);
});

it("an answer larger than what is taken at a time has memory of its own", () => {
  const memory = new AnswerMemory();
  const [large, small] = [memory.lend(9_000_000), memory.lend(10)];
  expect(large.bytes.length).toBe(9_000_000);
  large.giveBack(9_000_000);
  expect(memory.lend(9_000_000).bytes.buffer).not.toBe(large.bytes.buffer);
  expect(memory.lend(10).bytes.buffer).toBe(small.bytes.buffer);
});
