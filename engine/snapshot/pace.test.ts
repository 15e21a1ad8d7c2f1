import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "./pace.js";

const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Copies ten times a thousand bytes; says how often so far. */
function copyTenTimes(pace: Pace): () => number {
  let copied = 0;
  void (async () => {
    for (; copied < 10; copied++) await pace.spend(1000, never);
  })();
  return () => copied;
}

it("bytes are let through as fast as the limit says, on average", async () => {
  const copied = copyTenTimes(new Pace(100_000));
  await vi.advanceTimersByTimeAsync(9);
  expect(copied()).toBe(0);
  await vi.advanceTimersByTimeAsync(90);
  expect(copied()).toBe(9);
  await vi.advanceTimersByTimeAsync(1);
  expect(copied()).toBe(10);
});

it("no sooner when a timer comes early", async () => {
  const copied = copyTenTimes(new Pace(100_000));
  const clock = vi.spyOn(performance, "now").mockReturnValue(99);
  await vi.advanceTimersByTimeAsync(1000);
  expect(copied()).toBe(9);
  clock.mockReturnValue(100);
  await vi.advanceTimersByTimeAsync(1);
  expect(copied()).toBe(10);
  clock.mockRestore();
});

it("without a limit nothing waits", async () => {
  await new Pace(null).spend(Number.MAX_SAFE_INTEGER, never);
  expect(vi.getTimerCount()).toBe(0);
});

it("a wait ends when the copying is stopped", async () => {
  const stop = new AbortController();
  const waiting = new Pace(1).spend(1_000_000, stop.signal);
  stop.abort();
  await waiting;
  await new Pace(1).spend(1_000_000, stop.signal);
});
