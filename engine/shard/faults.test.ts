/** What an index does when its disk is full or broken. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineOptions, Index } from "../engine-types.js";
import { faultyFiles } from "../store/testing/switchable-faults.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  shownDocuments,
} from "../testing/engine-fixture.js";

const MAPPING = { properties: { n: { type: "long" } } } as const;

let fixture: EngineFixture;
let index: Index;
let faults: ReturnType<typeof faultyFiles>["faults"];

/** Files whose path contains `pattern` can be made to fail. */
async function openWith(pattern: string, options: EngineOptions = {}): Promise<void> {
  const faulty = faultyFiles(pattern);
  faults = faulty.faults;
  fixture = await engineFixture({ files: faulty.files, ...options });
  index = await fixture.engine.createIndex("x", definitionOf(MAPPING));
  good(await index.write([indexOf("a", { n: 1 }), indexOf("b", { n: 2 })]));
  await index.refresh();
}

const shownIds = () => shownDocuments(fixture.engine, "x").map(({ id }) => id);

afterEach(async () => {
  faults.bytesLeft = Number.POSITIVE_INFINITY;
  faults.syncFails = false;
  await fixture.remove();
});

describe("when the log can't be written", () => {
  beforeEach(() => openWith("indices"));

  it("a full disk refuses writes, leaves everything readable, and stands in nobody's way when there is room", async () => {
    faults.bytesLeft = 20;
    await expect(index.write([indexOf("a", { n: 3 }), { kind: "delete", id: "b" }])).rejects.toMatchObject({
      code: "io",
    });
    await expect(index.write([indexOf("c", { n: 3 })])).rejects.toMatchObject({ code: "io" });
    expect(shownIds()).toEqual(["a", "b"]);
    expect(Buffer.from(index.get("a")?.source ?? []).toString()).toBe('{"n":1}');
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    const [outcome] = good(await index.write([indexOf("c", { n: 4 })]));
    expect(outcome).toMatchObject({ seqNo: 2, result: "created" });
    await fixture.reopen();
    expect(shownIds()).toEqual(["a", "b", "c"]);
  });

  it("nothing is acknowledged after a failed sync, and all requests that wait fail", async () => {
    faults.syncFails = true;
    const results = await Promise.allSettled([0, 1, 2].map((n) => index.write([indexOf(`s${n}`, { n })])));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(index.get("s0")).toBeUndefined();
    faults.syncFails = false;
    expect(good(await index.write([indexOf("c", { n: 4 })]))[0].seqNo).toBe(2);
    await fixture.reopen();
    expect(shownIds()).toEqual(["a", "b", "c"]);
  });

  it("a failed write leaves no trace in versions and conditions", async () => {
    faults.syncFails = true;
    await expect(index.write([{ kind: "delete", id: "a" }])).rejects.toMatchObject({ code: "io" });
    faults.syncFails = false;
    const [created, conditional] = await index.write([
      { kind: "create", id: "a", source: Buffer.from("{}") },
      { kind: "index", id: "a", source: Buffer.from('{"n":5}'), ifSeqNo: 0, ifPrimaryTerm: 1 },
    ]);
    expect(created).toMatchObject({ ok: false, error: { code: "version_conflict" } });
    expect(conditional).toMatchObject({ ok: true, version: 2, seqNo: 2 });
  });
});

describe("when segments can't be written", () => {
  beforeEach(() => openWith(".seg"));

  it("a refresh fails and changes nothing; the next one with room shows everything, later writes included", async () => {
    good(await index.write([indexOf("c", { n: 3 })]));
    faults.bytesLeft = 10;
    await expect(index.refresh()).rejects.toMatchObject({ code: "io" });
    expect(shownIds()).toEqual(["a", "b"]);
    expect(index.get("c")).toBeDefined();
    good(await index.write([indexOf("d", { n: 4 }), indexOf("a", { n: 9 })]));
    await expect(index.flush()).rejects.toMatchObject({ code: "io" });
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await index.refresh();
    expect(shownIds()).toEqual(["b", "c", "d", "a"]);
    await fixture.reopen();
    expect(shownIds()).toEqual(["b", "c", "d", "a"]);
  });

  it("a failed merge leaves the segments as they are", async () => {
    good(await index.write([indexOf("c", { n: 3 })]));
    await index.refresh();
    faults.bytesLeft = 10;
    await expect(index.forceMerge({ maxSegments: 1, onlyDeletes: false })).rejects.toMatchObject({ code: "io" });
    expect(shownIds()).toEqual(["a", "b", "c"]);
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    expect(index.stats().segments).toHaveLength(1);
    expect(shownIds()).toEqual(["a", "b", "c"]);
  });

  it("closing with a full disk loses nothing: the log has it", async () => {
    good(await index.write([indexOf("c", { n: 3 })]));
    faults.bytesLeft = 10;
    await fixture.engine.close();
    expect(fixture.warnings.join()).toContain("without a flush");
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await fixture.reopen();
    expect(shownIds()).toEqual(["a", "b", "c"]);
  });
});

describe("when the disk takes the log and no segments", () => {
  const MEMTABLE_BYTES = 256 * 1024;
  /** The arena gives a list more than its documents' bytes. */
  const MOST_BYTES = 8 * MEMTABLE_BYTES;
  let acknowledged: string[];

  const batch = (from: number) =>
    Array.from({ length: 100 }, (_, i) => indexOf(`d${from + i}`, { n: from + i, t: "x".repeat(500) }));

  const writeBatch = async (from: number) => {
    acknowledged.push(...good(await index.write(batch(from))).map(({ id }) => id));
  };

  beforeEach(async () => {
    await openWith(".seg", { memtableBytes: MEMTABLE_BYTES });
    acknowledged = ["a", "b"];
    faults.bytesLeft = 10;
  });

  /** Writes until that is refused. */
  async function fill(): Promise<unknown> {
    for (let n = 0; n < 10_000; n += 100) {
      try {
        await writeBatch(n);
      } catch (error) {
        return error;
      }
    }
    return undefined;
  }

  it("writes are refused, not held, before memory fills; everything else answers", async () => {
    expect(await fill()).toMatchObject({
      code: "io",
      message: expect.stringMatching(/^index \[x\] takes no writes while .* made into segments: cannot write .*\.seg/),
    });
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(index.stats().memtableBytes).toBeLessThan(MOST_BYTES);
    await expect(index.flush()).rejects.toMatchObject({ code: "io" });
    await expect(index.refresh()).rejects.toMatchObject({ code: "io" });
    await expect(index.write([indexOf("late", {})])).rejects.toMatchObject({ code: "io" });
    expect(index.get("late")).toBeUndefined();
    for (const id of acknowledged) expect(index.get(id)).toBeDefined();
    expect(shownIds()).toEqual(["a", "b"]);
  });

  it("writes that came together are each acknowledged or refused", async () => {
    const writes = Array.from({ length: 40 }, (_, i) => writeBatch(i * 100));
    const results = await Promise.allSettled(writes);
    for (const result of results) if (result.status === "rejected") expect(result.reason.code).toBe("io");
    expect(await fill()).toMatchObject({ code: "io" });
    await fixture.engine.close();
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await fixture.reopen();
    expect(new Set(shownIds())).toEqual(new Set(acknowledged));
  });

  it("they are taken again by themselves once it takes segments, and nothing acknowledged is lost", async () => {
    await fill();
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await vi.waitFor(() => writeBatch(20_000), { timeout: 60_000, interval: 50 });
    await index.refresh();
    expect(new Set(shownIds())).toEqual(new Set(acknowledged));
    await fixture.reopen();
    expect(new Set(shownIds())).toEqual(new Set(acknowledged));
  });

  it("a node that stops is not held", async () => {
    await fill();
    await fixture.engine.close();
    expect(fixture.warnings.join()).toContain("without a flush");
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await fixture.reopen();
    expect(new Set(shownIds())).toEqual(new Set(acknowledged));
  });

  it("many indices stay within the memory they share, and it is told once of each", async () => {
    const arenaBytes = 32 * 2 ** 20;
    await fixture.remove();
    await openWith(".seg", { arenaBytes, memtableBytes: arenaBytes });
    faults.bytesLeft = 10;
    const indices = await Promise.all(
      Array.from({ length: 6 }, (_, i) => fixture.engine.createIndex(`i${i}`, definitionOf(MAPPING))),
    );
    const fillOne = async (one: Index) => {
      const codes = new Set<string>();
      for (let n = 0; n < 5000; n += 100) {
        await one.write(batch(n)).catch(({ code }: { code: string }) => codes.add(code));
      }
      return [...codes];
    };
    expect(await Promise.all(indices.map(fillOne))).toEqual(indices.map(() => ["io"]));
    expect(fixture.engine.memory().memtableBytes).toBeLessThan(arenaBytes / 2);
    expect(fixture.warnings.length).toBeLessThanOrEqual(indices.length);
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    for (const one of indices) {
      await one.refresh();
      good(await one.write([indexOf("room", {})]));
    }
  });
});
