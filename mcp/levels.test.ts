import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Costs, chooseLevels } from "./levels.js";

const cost = (location: number, signature: number, lines: number, body: number): Costs => ({
  location,
  signature,
  lines,
  body,
});
const plain = cost(10, 20, 40, 100);

describe("levels", () => {
  test.each([
    [1000, ["body", "body", "body"]],
    [180, ["body", "lines", "lines"]],
    [120, ["lines", "lines", "lines"]],
    [90, ["lines", "signature", "signature"]],
    [60, ["lines", "location", "location"]],
    [45, ["signature", "location", "location"]],
    [30, ["location", "location", "location"]],
    [25, ["location", "location"]],
    [9, []],
  ])("with room for %d bytes", (room, levels) => {
    expect(chooseLevels([plain, plain, plain], room)).toEqual(levels);
  });

  test("the first hit's body comes before the lines of the others, within half of the room", () => {
    const others = Array.from({ length: 9 }, () => plain);
    // 100 for the body, 180 for nine signatures, 20 left for one step more.
    expect(chooseLevels([plain, ...others], 300)).toEqual(["body", "lines", ...Array(8).fill("signature")]);
    expect(chooseLevels([cost(10, 20, 40, 151), ...others], 300)[0]).toBe("lines");
    // The body would leave 170, too little for the signatures of nine others.
    expect(chooseLevels([plain, ...others], 270)).toEqual([...Array(3).fill("lines"), ...Array(7).fill("signature")]);
  });

  test("the first hit's lines come before the signatures of the others, within three quarters of the room", () => {
    const other = cost(10, 25, 25, 1000);
    expect(chooseLevels([cost(10, 20, 67, 1000), other, other], 90)).toEqual(["lines", "location", "location"]);
    expect(chooseLevels([cost(10, 20, 68, 1000), other, other], 90)).toEqual(["signature", "lines", "lines"]);
  });

  test("what is left goes to signatures before it goes to the lines and bodies of the first ones", () => {
    const costs = [cost(10, 20, 20, 90), cost(10, 30, 80, 90), cost(10, 30, 80, 90)];
    expect(chooseLevels(costs, 79)).toEqual(["lines", "signature", "location"]);
  });

  test("a hit without body stays at its lines", () => {
    expect(chooseLevels([cost(10, 20, 40, Number.POSITIVE_INFINITY)], 1e6)).toEqual(["lines"]);
  });

  test("never more than the room; a hit is left out only when its location does not fit beside the first one's lines", () => {
    const size = fc.nat(300);
    const costs = fc.array(fc.tuple(size, size, size, size).map(([a, b, c, d]) => cost(a, a + b, a + c, a + d)));
    fc.assert(
      fc.property(costs, fc.nat(3000), (all, room) => {
        const levels = chooseLevels(all, room);
        const used = levels.reduce((sum, level, at) => sum + all[at][level], 0);
        expect(used).toBeLessThanOrEqual(room);
        if (levels.length < all.length) {
          const first = all[0].lines <= (room * 3) / 4 ? all[0].lines : all[0].location;
          const locations = all.slice(1, levels.length + 1).reduce((sum, { location }) => sum + location, first);
          expect(locations).toBeGreaterThan(room);
        }
      }),
    );
  });
});
