import { describe, expect, it } from "vitest";
import { Canceller } from "./canceller.js";

describe("a canceller", () => {
  it("tells each listener once, and those that come later by its flag alone", () => {
    const canceller = new Canceller();
    const told: string[] = [];
    const listener = () => told.push("first");
    canceller.signal.addEventListener("abort", listener);
    canceller.signal.addEventListener("abort", listener);
    canceller.signal.addEventListener("abort", () => told.push("second"));
    expect(canceller.signal.aborted).toBe(false);
    canceller.abort();
    canceller.abort();
    canceller.signal.addEventListener("abort", () => told.push("late"));
    expect(canceller.signal.aborted).toBe(true);
    expect(told).toEqual(["first", "second"]);
  });

  it("does not tell listeners that were taken off", () => {
    const canceller = new Canceller();
    const told: string[] = [];
    const gone = () => told.push("gone");
    canceller.signal.addEventListener("abort", gone);
    canceller.signal.removeEventListener("abort", gone);
    canceller.abort();
    expect(told).toEqual([]);
  });
});
