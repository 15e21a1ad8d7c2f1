/** Contract: nothing is silently wrong. A bit changes by itself somewhere on the disk: the engine says where, or nothing is missing. */
import { describe, expect, it } from "vitest";
import { chanceOf, newSeed } from "../../engine/store/testing/chance.js";
import { flipOne, remainsOfScript } from "./bit-flips.js";

const FLIPS = 60;

describe("a bit flips on the disk", () => {
  it.each(["killed", "closed"] as const)(
    "and is refused by name, or changes nothing that is said (engine %s)",
    { timeout: 120_000 },
    async (end) => {
      const chance = chanceOf(newSeed());
      const remains = await remainsOfScript(end);
      const verdicts = { "the same": 0, refused: 0, cut: 0 };
      for (let i = 0; i < FLIPS; i++) verdicts[await flipOne(remains, chance)]++;
      expect(verdicts.refused, chance.label).toBeGreaterThan(FLIPS / 4);
      // Whatever was closed in peace is proven by what was written last.
      if (end === "closed") expect(verdicts.cut, chance.label).toBe(0);
    },
  );
});
