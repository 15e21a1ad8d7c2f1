import { describe, expect, it } from "vitest";
import { ChangeBatches } from "./change-batches.js";

const AT_ONCE = { quietMs: 0, boundMs: 0, largeQuietMs: 0, largeBoundMs: 0 };
const make = (more: Partial<ConstructorParameters<typeof ChangeBatches>[0]> = {}) =>
  new ChangeBatches({ maxEvents: 1000, isBusy: () => false, timing: AT_ONCE, ...more });
const never = new AbortController().signal;

describe("changes are dealt with together", () => {
  it("once each, in order, without what lies below another one", async () => {
    const batches = make();
    for (const path of ["b/x", "a", "b", "b/x/y", "a.b", "a"]) batches.note(path);
    expect(await batches.next(0, never)).toEqual({ paths: ["a", "a.b", "b"], extent: "paths" });
    expect(await batches.next(0, never)).toBeUndefined();
  });

  it("as the whole folder when it itself changed, when there are many, and when events may be lost", async () => {
    const whole = { paths: [], extent: "whole folder" };
    const batches = make();
    batches.note("a");
    batches.note("");
    expect(await batches.next(0, never)).toEqual(whole);
    for (let n = 0; n < 300; n++) batches.note(`f${n}`);
    expect(await batches.next(0, never)).toEqual(whole);
    const deaf = make({ maxEvents: 3 });
    for (let n = 0; n < 4; n++) deaf.note("same");
    expect(await deaf.next(0, never)).toEqual(whole);
  });

  it("a small batch does not wait for git, a large one does until its bound", async () => {
    let asked = 0;
    const isBusy = () => asked++ < 3;
    const batches = make({ isBusy, timing: { ...AT_ONCE, largeQuietMs: 1, largeBoundMs: 60_000 } });
    batches.note("a");
    expect(await batches.next(0, never)).toMatchObject({ paths: ["a"] });
    expect(asked).toBe(0);
    for (let n = 0; n < 40; n++) batches.note(`f${n}`);
    expect((await batches.next(0, never))?.paths).toHaveLength(40);
    expect(asked).toBe(4);
  });

  it("waiting ends when it is told to", async () => {
    const control = new AbortController();
    const waiting = make().next(60_000, control.signal);
    control.abort();
    expect(await waiting).toBeUndefined();
  });
});
