/**
 * A write buffer is sealed in the middle of a batch, and its segment is still being made when the next operations of
 * the batch delete or replace documents in it: readers and commits of the moment after must know.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { EngineFace } from "../engine-types.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  shownDocuments,
} from "../testing/engine-fixture.js";
import { MemoryEngine } from "../testing/model/memory-engine.js";
import type { WriteOperation } from "../write.js";

const DOCS = 1500;
const MAPPING = { properties: { n: { type: "long" }, t: { type: "text" } } } as const;

let fixture: EngineFixture | undefined;
let host: MemoryEngine | undefined;
afterEach(async () => {
  await fixture?.remove();
  await host?.remove();
});

/** More than a write buffer holds, then deletes and new versions of the first documents. */
function batch(): WriteOperation[] {
  return [
    ...Array.from({ length: DOCS }, (_, i) => indexOf(`d${i}`, { n: i, t: `some words to fill it ${i} ${i * 7}` })),
    ...Array.from({ length: 100 }, (_, i): WriteOperation => ({ kind: "delete", id: `d${i * 3}` })),
    ...Array.from({ length: 100 }, (_, i) => indexOf(`d${i * 3 + 1}`, { n: -1 })),
  ];
}

function expectRight(engine: EngineFace): void {
  const shown = shownDocuments(engine, "x");
  expect(shown.length).toBe(DOCS - 100);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(DOCS - 100);
  expect(shown.filter(({ source }) => (source as { n: number }).n === -1).length).toBe(100);
}

describe("documents that die while their segment is being made", () => {
  it.each([0, 2])("are not shown by the refresh after, nor kept by a flush (%i workers)", async (workers) => {
    fixture = await engineFixture({ memtableBytes: 100_000, workers });
    const index = await fixture.engine.createIndex("x", definitionOf(MAPPING));
    good(await index.write(batch()));
    await index.refresh();
    expectRight(fixture.engine);
    expectRight(await fixture.reopen());
  });

  it("are not kept by a flush at once, whose segments outlive the log", async () => {
    host = new MemoryEngine({ memtableBytes: 100_000 });
    const index = await (await host.open()).createIndex("x", definitionOf(MAPPING));
    good(await index.write(batch()));
    await index.flush();
    expect(index.stats().log.operations).toBe(0);
    await host.kill();
    expectRight(await host.open());
  });

  it("are never there twice, though the disk could not be read when the new version came", async () => {
    host = new MemoryEngine();
    await host.open();
    const [ids, outcomes] = [["a", "b", "c"], new Set<string>()];
    for (let nth = 1; nth < 20; nth++) {
      const name = `x${nth}`;
      const index = await host.engine.createIndex(name, definitionOf(MAPPING));
      good(await index.write(ids.map((id) => indexOf(id, { n: 0 }))));
      let openGate = () => {};
      host.files.syncGate = new Promise((resolve) => {
        openGate = resolve;
      });
      // They get their numbers while what they replace is in the write buffer, and are durable when a segment has it.
      const writing = index.write([...ids.map((id) => indexOf(id, { n: 1 })), { kind: "delete", id: "a" }]);
      await new Promise((resolve) => setImmediate(resolve));
      await index.refresh();
      let reads = 0;
      host.files.plan = ({ step, path }) => {
        const fails = step === "read" && path.endsWith(".seg") && ++reads >= nth;
        return fails ? { kind: "error", errno: "EIO", written: 0 } : undefined;
      };
      openGate();
      outcomes.add(
        await writing.then(
          () => "written",
          () => "failed",
        ),
      );
      host.files.plan = () => undefined;
      host.files.syncGate = null;
      await index.flush();
      await host.kill();
      await host.open();
      await host.engine.index(name)?.refresh();
      const shown = shownDocuments(host.engine, name).map(({ id, source }) => [id, (source as { n: number }).n]);
      // All of it was durable: the log has what could not be put into the write buffer.
      expect([name, shown.sort()]).toEqual([
        name,
        [
          ["b", 1],
          ["c", 1],
        ],
      ]);
    }
    expect([...outcomes].sort()).toEqual(["failed", "written"]);
  });
});
