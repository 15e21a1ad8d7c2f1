import { describe, expect, it } from "vitest";
import type { JobKind } from "../jobs.js";
import { place, type WorkerLoad } from "./placement.js";

/** Workers by what they do; the first is there for searches. */
function workers(...kinds: JobKind[][]): WorkerLoad[] {
  return kinds.map((own, i) => ({ kinds: own, background: i > 0, down: false }));
}

describe("a job is placed", () => {
  it("on an idle worker of its role", () => {
    expect(place("search", workers([], []))).toBe(0);
    expect(place("merge", workers([], []))).toBe(1);
    expect(place("build", workers([], []))).toBe(1);
    expect(place("prepare", workers([], []))).toBe(1);
  });

  it("on an idle worker of the other role before a busy one", () => {
    expect(place("search", workers(["search"], []))).toBe(1);
    expect(place("prepare", workers([], ["prepare"]))).toBe(0);
    expect(place("build", workers([], ["merge"]))).toBe(0);
  });

  it("on a worker that merges before one that does something as urgent", () => {
    expect(place("search", workers(["search"], ["merge"]))).toBe(1);
    expect(place("prepare", workers(["prepare"], ["merge"]))).toBe(1);
    expect(place("search", workers(["merge"]))).toBe(0);
  });

  it("beside other searches, up to four, and waits then", () => {
    const four: JobKind[] = ["search", "search", "count", "search"];
    expect(place("search", workers(["search", "search"], ["search"]))).toBe(1);
    expect(place("search", workers(four, four))).toBe(-1);
    expect(place("count", workers(four, ["search", "merge"]))).toBe(1);
  });

  it("once of its kind on a worker, when that changes something", () => {
    expect(place("prepare", workers(["prepare"], ["prepare"]))).toBe(-1);
    expect(place("build", workers(["build"], ["build"]))).toBe(-1);
    expect(place("prepare", workers(["search"], ["prepare"]))).toBe(0);
  });

  it("with one worker left free of merges", () => {
    expect(place("merge", workers([], ["merge"]))).toBe(-1);
    expect(place("merge", workers([], ["merge"], []))).toBe(2);
    expect(place("merge", workers([], ["merge"], ["merge"]))).toBe(-1);
    expect(place("merge", workers([]))).toBe(0);
    expect(place("merge", workers(["merge"]))).toBe(-1);
  });

  it("nowhere where no thread can be started", () => {
    const [first, second] = workers([], []);
    expect(place("search", [{ ...first, down: true }, second])).toBe(1);
    expect(
      place("search", [
        { ...first, down: true },
        { ...second, down: true },
      ]),
    ).toBe(-1);
  });
});
