import { describe, expect, it } from "vitest";
import type { SharedValue } from "../jobs.js";
import { SentKeys } from "./sent-keys.js";

function values(...keys: string[]): SharedValue[] {
  return keys.map((key) => ({ key, value: key.length }));
}

function keysOf(shared: readonly SharedValue[]): string[] {
  return shared.map(({ key }) => key);
}

describe("shared values that a worker knows", () => {
  it("are sent once, until they are forgotten", () => {
    const sent = new SentKeys();
    expect(keysOf(sent.use(values("a/1", "b/1")).values)).toEqual(["a/1", "b/1"]);
    expect(sent.use(values("b/1", "a/1")).values).toEqual([]);
    sent.forget("a/");
    expect(keysOf(sent.use(values("a/1", "b/1")).values)).toEqual(["a/1"]);
  });

  it("make room, the least recently used first", () => {
    const sent = new SentKeys(2);
    sent.use(values("a", "b"));
    sent.use(values("a"));
    expect(sent.use(values("c"))).toEqual({ values: values("c"), drop: ["b"] });
    expect(keysOf(sent.use(values("b")).values)).toEqual(["b"]);
  });

  it("are all there for one job, however many", () => {
    const sent = new SentKeys(2);
    sent.use(values("z"));
    const { values: needed, drop } = sent.use(values("a", "b", "c"));
    expect([keysOf(needed), drop]).toEqual([["a", "b", "c"], ["z"]]);
    expect(sent.use(values("a", "b", "c")).values).toEqual([]);
  });
});
