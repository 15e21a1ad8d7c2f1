/** An index that the system could not read when it was opened is tried again at the next use, as if nothing had been. */
import { expect, it, onTestFinished } from "vitest";
import type { FaultPlan } from "./store/testing/faulty-files.js";
import { definitionOf, good, indexOf, shownDocuments } from "./testing/engine-fixture.js";
import { MemoryEngine } from "./testing/model/memory-engine.js";

const MAPPING = { properties: { n: { type: "long" }, t: { type: "text" } } } as const;

/** Three committed segments, one of which has deletes, and operations in the log. */
async function written(): Promise<MemoryEngine> {
  const host = new MemoryEngine();
  onTestFinished(() => host.remove());
  const index = await (await host.open()).createIndex("x", definitionOf(MAPPING));
  const some = (from: number) => [0, 1, 2, 3].map((i) => indexOf(`d${from + i}`, { n: from + i, t: `word${i}` }));
  for (const from of [0, 4, 8]) {
    good(await index.write(some(from)));
    await index.flush();
  }
  good(await index.write([{ kind: "delete", id: "d1" }, ...some(12)]));
  await index.flush();
  good(await index.write([{ kind: "delete", id: "d2" }, ...some(16)]));
  await host.kill();
  return host;
}

it("wherever reading failed: all documents are there, and no memory is held for what was given up", async () => {
  const host = await written();
  const openWith = async (plan: FaultPlan) => {
    host.files.plan = plan;
    await host.open();
    host.files.plan = () => undefined;
    const shown = shownDocuments(host.engine, "x").length;
    await new Promise((resolve) => setImmediate(resolve));
    const { arenaUsed } = host.engine.memory();
    await host.kill();
    return { shown, arenaUsed };
  };
  const whole = await openWith(() => undefined);
  expect(whole.shown).toBe(18);
  for (let nth = 1, met = true; met; nth++) {
    let operations = 0;
    const opened = await openWith(({ path }) => {
      const fails = path.includes("/indices/") && ++operations === nth;
      return fails ? { kind: "error", errno: "EIO", written: 0 } : undefined;
    });
    expect([nth, opened]).toEqual([nth, whole]);
    met = operations >= nth;
    if (nth === 1) expect(host.warnings.join()).toContain("could not be opened");
  }
});
