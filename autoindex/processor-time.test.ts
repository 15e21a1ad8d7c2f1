import { expect, it } from "vitest";
import { ProcessorTimeBound } from "./processor-time.js";

it("a bound below nothing is passed at the first look", () => {
  expect(new ProcessorTimeBound(-1).isOver()).toBe(true);
});

it("a bound is passed by working on", () => {
  const bound = new ProcessorTimeBound(60);
  while (!bound.isOver()) Math.sqrt(2);
  expect(bound.isOver()).toBe(true);
});

it("a far bound is not passed by what is done in a moment", () => {
  const bound = new ProcessorTimeBound(1e9);
  expect([bound.isOver(), bound.isOver()]).toEqual([false, false]);
});

it("the system is not asked while the clock says that the time cannot be over", () => {
  const asked: unknown[] = [];
  const { cpuUsage } = process;
  process.cpuUsage = (before) => {
    asked.push(before);
    return cpuUsage.call(process, before);
  };
  try {
    // Half an hour by the clock before the bound can matter again.
    const bound = new ProcessorTimeBound(3_600_000);
    for (let look = 0; look < 1000; look++) bound.isOver();
    expect(asked.length).toBeLessThanOrEqual(2);
  } finally {
    process.cpuUsage = cpuUsage;
  }
});
