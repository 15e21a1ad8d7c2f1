import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IdleFlush } from "./idle-flush.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("an index is flushed once when nothing was written for so long, and again after the next writes", () => {
  let flushes = 0;
  const idle = new IdleFlush(1000, () => flushes++);
  const seen: number[] = [];
  const pass = (ms: number) => {
    vi.advanceTimersByTime(ms);
    seen.push(flushes);
  };
  idle.wrote();
  pass(900);
  idle.wrote();
  pass(900);
  pass(100);
  pass(10_000);
  idle.wrote();
  pass(1000);
  idle.wrote();
  idle.stop();
  pass(10_000);
  expect(seen).toEqual([0, 0, 1, 1, 2, 2]);
});
