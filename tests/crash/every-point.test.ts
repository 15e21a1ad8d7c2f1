/**
 * Contract: acknowledged means kept, and nothing is silently wrong, whatever happens to the disk and whenever. A sample
 * of the points, another in every run; `npm run torture -- --points` tries all of them.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { chanceOf, newSeed } from "../../engine/store/testing/chance.js";
import { countOperations, FAULTS, tryPoint } from "./every-point.js";

const LEAST_POINTS = 12;
/** A kind of fault gets about this much time. */
const BUDGET_MS = 5000;

describe("a fault at any operation on files", () => {
  const seed = newSeed();
  let operations: number;

  beforeAll(async () => {
    operations = await countOperations();
  });

  it.each(FAULTS)(
    "loses nothing that was acknowledged and shows nothing else: %s",
    { timeout: 120_000 },
    async (kind) => {
      const chance = chanceOf(seed);
      const began = performance.now();
      for (let points = 0; points < LEAST_POINTS || performance.now() - began < BUDGET_MS; ) {
        const { findings, injected, reached, title } = await tryPoint({ kind, at: 1 + chance(operations), seed });
        expect(findings).toEqual([]);
        expect(injected > 0, title).toBe(reached);
        if (reached) points++;
      }
    },
  );
});
