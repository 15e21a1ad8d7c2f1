import { describe, expect, test } from "vitest";
import { Throttle } from "./throttle.js";

const never = new AbortController().signal;

describe("a pace", () => {
  test("without a limit makes nobody wait", async () => {
    const throttle = new Throttle(Number.POSITIVE_INFINITY);
    await throttle.pause(1_000_000, performance.now(), never);
    expect([throttle.throttledMs, throttle.remainingMs, throttle.unlimited]).toEqual([0, 0, true]);
  });

  test("that is already kept makes nobody wait", async () => {
    const throttle = new Throttle(10, () => 5_000);
    await throttle.pause(10, 4_000, never);
    expect(throttle.throttledMs).toBe(0);
  });

  test("tells how long is left, and what is left changes with it", async () => {
    let now = 0;
    const throttle = new Throttle(0.001, () => now);
    const waiting = throttle.pause(10, 0, never);
    expect(throttle.remainingMs).toBe(10_000_000);
    now = 2_000_000;
    throttle.change(0.002);
    expect([throttle.remainingMs, throttle.throttledMs]).toEqual([4_000_000, 2_000_000]);
    throttle.change(Number.POSITIVE_INFINITY);
    await waiting;
    expect([throttle.remainingMs, throttle.throttledMs, throttle.unlimited]).toEqual([0, 2_000_000, true]);
  });

  test("ends when it is aborted", async () => {
    const controller = new AbortController();
    const throttle = new Throttle(0.001);
    const waiting = throttle.pause(10, performance.now(), controller.signal);
    controller.abort();
    await waiting;
    expect(throttle.remainingMs).toBe(0);
    await throttle.pause(10, performance.now(), controller.signal);
  });
});
