import { expect, it } from "vitest";
import { EngineError } from "../errors.js";
import { DiskRefusal } from "./disk-refusal.js";

const FULL = new EngineError("io", "cannot write x.seg: no space left", { errno: "ENOSPC" });

/** A refusal over a write buffer that a test sets. */
function refusalOf(state: { failure?: EngineError; isFull?: boolean; overLimit?: boolean }) {
  const seen = { now: 0, tries: 0, endTry: () => {} };
  const buffer = {
    failure: state.failure ?? null,
    isFull: state.isFull ?? false,
    retry: () => {
      seen.tries++;
      return new Promise<void>((resolve) => {
        seen.endTry = resolve;
      });
    },
  };
  const overLimit = () => state.overLimit ?? false;
  return { refusal: new DiskRefusal({ index: "x", buffer, overLimit, now: () => seen.now }), seen };
}

it.each([
  ["no failure", {}, true],
  ["many lists that wait for a disk that takes them", { isFull: true, overLimit: true }, true],
  ["a failure with room for more", { failure: FULL }, true],
  ["a failure and many lists that wait", { failure: FULL, isFull: true }, false],
  ["a failure and no memory for more", { failure: FULL, overLimit: true }, false],
])("%s", (_title, state, taken) => {
  const check = () => refusalOf(state).refusal.check();
  if (taken) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      expect.objectContaining({
        code: "io",
        message: expect.stringContaining(FULL.message),
        details: { errno: "ENOSPC", index: "x" },
      }),
    );
});

it("tries again at most every half second, and one try at a time", async () => {
  const { refusal, seen } = refusalOf({ failure: FULL, isFull: true });
  const refusedAt = (now: number) => {
    seen.now = now;
    expect(() => refusal.check()).toThrow();
    return seen.tries;
  };
  expect(refusedAt(0)).toBe(1);
  expect(refusedAt(600)).toBe(1); // the first goes on
  seen.endTry();
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusedAt(700)).toBe(2);
  seen.endTry();
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusedAt(1100)).toBe(2);
  expect(refusedAt(1200)).toBe(3);
});
