/** What a commit may count on, seen where it was wrong: failed syncs, a commit put in place half-way, a killed process. */
import { afterEach, describe, expect, it } from "vitest";
import type { Index } from "../engine-types.js";
import { chanceOf } from "../store/testing/chance.js";
import type { FileOperation } from "../store/testing/faulty-files.js";
import { randomPowerCut, SYNCED_ONLY } from "../store/testing/memory-disk.js";
import { definitionOf, good, indexOf } from "../testing/engine-fixture.js";
import { shownNow } from "../testing/model/ask.js";
import { MemoryEngine } from "../testing/model/memory-engine.js";

const MAPPING = { properties: { n: { type: "long" } } } as const;
const CUTS = 12;

let host: MemoryEngine;
let index: Index;
afterEach(() => host.remove());

async function start(): Promise<void> {
  host = new MemoryEngine();
  index = await (await host.open()).createIndex("x", definitionOf(MAPPING));
  good(await index.write([indexOf("a", { n: 1 }), indexOf("b", { n: 2 })]));
  await index.flush();
  good(await index.write([indexOf("c", { n: 3 })]));
}

/** The first operation that this holds for fails, and no other. */
function failOnce(holds: (operation: FileOperation) => boolean): void {
  let failed = false;
  host.files.plan = (operation) => {
    if (failed || !holds(operation)) return undefined;
    failed = true;
    return { kind: "error", errno: "EIO", written: 0 };
  };
}

async function idsAfter(cut: Parameters<MemoryEngine["kill"]>[0]): Promise<string[]> {
  await host.kill(cut);
  return (await shownNow(await host.open(), "x")).map(({ id }) => id).sort();
}

describe("a commit", () => {
  it("does not count on a segment whose sync failed, though a later sync succeeds", async () => {
    for (let seed = 1; seed <= CUTS; seed++) {
      await start();
      failOnce(({ step, path }) => step === "sync" && path.endsWith(".seg"));
      await expect(index.flush()).rejects.toMatchObject({ code: "io" });
      // Written anew and checked, or, where its bytes are gone, refused: then the log keeps what is in it.
      await index.flush().catch((error: unknown) => expect(error).toMatchObject({ code: "corrupt" }));
      expect(await idsAfter(SYNCED_ONLY), `seed ${seed}`).toEqual(["a", "b", "c"]);
      await host.remove();
    }
  });

  it("that is in place but not known to be durable keeps the files it names", async () => {
    for (let seed = 1; seed <= CUTS; seed++) {
      await start();
      let renamed = false;
      failOnce(({ step, path }) => {
        if (step === "rename" && path.includes("commit")) renamed = true;
        return renamed && step === "sync folder";
      });
      await expect(index.flush()).rejects.toMatchObject({ code: "io" });
      // Its segments are merged away before another commit is made.
      const merging = index.forceMerge({ maxSegments: 1, onlyDeletes: false }).catch(() => {});
      for (let turns = 0; turns < seed; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(await idsAfter(randomPowerCut(chanceOf(seed))), `seed ${seed}`).toEqual(["a", "b", "c"]);
      await merging;
      await host.remove();
    }
  });
});

describe("what a killed process left", () => {
  it("is durable before anything follows it: the power may fail after the restart", async () => {
    for (let seed = 1; seed <= CUTS; seed++) {
      await start();
      await host.kill();
      const again = (await host.open()).index("x") as Index;
      good(await again.write([indexOf("d", { n: 4 })]));
      expect(await idsAfter(randomPowerCut(chanceOf(seed))), `seed ${seed}`).toEqual(["a", "b", "c", "d"]);
      await host.remove();
    }
  });
});
