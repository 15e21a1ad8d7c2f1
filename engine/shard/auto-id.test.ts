import { describe, expect, it } from "vitest";
import { createIdGenerator } from "./auto-id.js";

function clockAt(start: number, chance = 0.5) {
  const clock = { time: start, now: () => clock.time, random: () => chance };
  return clock;
}

describe("auto ids", () => {
  it("are short, URL-safe and ascending in byte order, across runs of a second", () => {
    const clock = clockAt(1_700_000_000_000);
    const next = createIdGenerator(clock);
    let last = "";
    for (let i = 0; i < 20_000; i++) {
      const id = next();
      expect(id).toMatch(/^[-_0-9A-Za-z]{16}$/);
      expect(id > last).toBe(true);
      last = id;
      if (i % 1000 === 0) clock.time += 700;
    }
  });

  it("keep ascending when the clock is set back", () => {
    const clock = clockAt(1_700_000_000_000);
    const next = createIdGenerator(clock);
    const before = next();
    clock.time -= 3_600_000;
    let last = before;
    for (let i = 0; i < 2000; i++) {
      const id = next();
      expect(id > last).toBe(true);
      last = id;
    }
  });

  it("differ between two generators that start in the same millisecond", () => {
    const one = createIdGenerator(clockAt(5, 0.25));
    const two = createIdGenerator(clockAt(5, 0.75));
    expect(one()).not.toBe(two());
  });
});
