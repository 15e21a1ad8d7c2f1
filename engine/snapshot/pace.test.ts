import { expect, it } from "vitest";
import { Pace } from "./pace.js";

const never = new AbortController().signal;

it("bytes are let through as fast as the limit says, on average", async () => {
  const began = performance.now();
  const pace = new Pace(100_000);
  for (let i = 0; i < 10; i++) await pace.spend(1000, never);
  expect(performance.now() - began).toBeGreaterThan(95);
});

it("without a limit nothing waits", async () => {
  const began = performance.now();
  await new Pace(null).spend(Number.MAX_SAFE_INTEGER, never);
  expect(performance.now() - began).toBeLessThan(1000);
});

it("a wait ends when the copying is stopped", async () => {
  const stop = new AbortController();
  const waiting = new Pace(1).spend(1_000_000, stop.signal);
  stop.abort();
  await waiting;
  await new Pace(1).spend(1_000_000, stop.signal);
});
