/** Closing, opening and copying an index, killed or cut off from power at every operation on files. */
import { describe, expect, it } from "vitest";
import { EngineError } from "../../engine/index.js";
import { chanceOf } from "../../engine/store/testing/chance.js";
import { faultAt } from "../../engine/store/testing/faulty-files.js";
import { PROCESS_KILLED, randomPowerCut } from "../../engine/store/testing/memory-disk.js";
import { definitionOf, good, indexOf, shownDocuments } from "../../engine/testing/engine-fixture.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";

const IDS = ["1", "2", "3"];
/** The last is followed by none that could undo it unacknowledged. */
const STEPS: readonly ((host: MemoryEngine) => Promise<unknown>)[] = [
  ({ engine }) => engine.closeIndex("a"),
  ({ engine }) => engine.openIndex("a"),
  ({ engine }) => engine.copyIndex("a", "b", { settings: { copied: "yes" } }),
  ({ engine }) => engine.closeIndex("b"),
];

/** An index with documents in a segment, in the log, and deleted ones. */
async function begin(): Promise<MemoryEngine> {
  const host = new MemoryEngine();
  const engine = await host.open();
  const index = await engine.createIndex("a", definitionOf({ properties: { n: { type: "long" } } }));
  good(await index.write(["0", "1", "2"].map((id) => indexOf(id, { n: Number(id) }))));
  await index.flush();
  good(await index.write([indexOf("3", { n: 3 }), { kind: "delete", id: "0" }]));
  return host;
}

/** Runs the steps with the power off from the n-th operation on; how many were acknowledged. */
async function runUntil(host: MemoryEngine, at: number): Promise<number> {
  const first = host.files.operations;
  host.files.plan = faultAt(first + at, { kind: "off", written: at % 3000 });
  for (const [done, step] of STEPS.entries()) {
    try {
      await step(host);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return done;
    }
  }
  return STEPS.length;
}

async function countOperations(): Promise<number> {
  const host = await begin();
  const before = host.files.operations;
  expect(await runUntil(host, Number.POSITIVE_INFINITY)).toBe(STEPS.length);
  const operations = host.files.operations - before;
  await host.remove();
  return operations;
}

/** What was acknowledged is as it was left; what was not is as before or after. */
async function check(host: MemoryEngine, acknowledged: number): Promise<void> {
  const engine = await host.open();
  if (acknowledged >= 3) expect(engine.index("b")?.definition.settings).toEqual({ copied: "yes" });
  if (acknowledged === 4) expect(engine.index("b")?.definition.closed).toBe(true);
  for (const name of engine.indexNames()) {
    await engine.openIndex(name);
    expect(shownDocuments(engine, name).map(({ id }) => id)).toEqual(IDS);
  }
  expect(engine.indexNames()[0]).toBe("a");
}

describe.each(["kill", "power cut"] as const)("a %s while an index is closed, opened and copied", (kind) => {
  it("loses no document at any operation, and nothing acknowledged", { timeout: 120_000 }, async () => {
    const operations = await countOperations();
    expect(operations).toBeGreaterThan(20);
    for (let at = 1; at <= operations; at++) {
      const host = await begin();
      const acknowledged = await runUntil(host, at);
      await host.kill(kind === "kill" ? PROCESS_KILLED : randomPowerCut(chanceOf(at)));
      await check(host, acknowledged).catch((error: unknown) => {
        throw new Error(`${kind} at operation ${at}`, { cause: error });
      });
      await host.remove();
    }
  });
});
