import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Executor, MergeJob, SharedValue } from "../../jobs.js";
import { loadKernels } from "../../kernels/load.js";
import { tableOf } from "../../mapping/field-table.js";
import { mergeSegments } from "../../segment/merge.js";
import { OpenSegment } from "../../segment/reader.js";
import type { IndexShard, ReaderHandle } from "../../shard/index.js";
import { sharedFields } from "../../shared-values.js";
import { Arena } from "../../store/arena.js";
import { nodeFiles } from "../../store/files.js";
import { createStorage, type Storage } from "../../store/storage.js";
import { definitionOf, type EngineFixture, engineFixture, indexOf } from "../../testing/engine-fixture.js";
import { InlineExecutor } from "../inline-executor.js";
import { WorkerPool } from "../pool.js";

let fixture: EngineFixture;
let handle: ReaderHandle;
let segments: OpenSegment[];
let storage: Storage;
let fields: SharedValue;
let executors: Record<string, Executor>;

/** Three segments, the middle one with deleted documents. */
beforeEach(async () => {
  fixture = await engineFixture();
  const properties = { text: { type: "text" }, tag: { type: "keyword" }, n: { type: "long" } } as const;
  const index = (await fixture.engine.createIndex("x", definitionOf({ properties }))) as IndexShard;
  for (const from of [0, 1000, 2000]) {
    const many = Array.from({ length: 1000 }, (_, i) => from + i);
    await index.write(many.map((n) => indexOf(`d${n}`, { text: `word${n % 50} all`, tag: `t${n % 7}`, n })));
    await index.refresh();
  }
  await index.write([{ kind: "delete", id: "d1500" }]);
  await index.refresh();
  handle = index.acquireReader();
  fields = sharedFields(index.definition.uuid, tableOf(handle.reader.fields));
  const arena = Arena.create(64 << 20);
  storage = createStorage(nodeFiles, arena, loadKernels(arena.memory));
  segments = handle.reader.leaves.map((leaf) => {
    const { folder, name } = (leaf.segment as OpenSegment).ref();
    return OpenSegment.open(storage, folder, name);
  });
  executors = {
    "on a worker": new WorkerPool({ storage, workers: 1, start: "lazy" }),
    "on the calling thread": new InlineExecutor(storage),
  };
});
afterEach(async () => {
  for (const executor of Object.values(executors)) await executor.close();
  for (const segment of segments) segment.close();
  handle.release();
  await fixture.remove();
});

function job(name: string): MergeJob {
  const inputs = segments.map((segment, i) => ({ ref: segment.ref(), live: handle.reader.leaves[i].live }));
  return { folder: fixture.folder, name, inputs, fields: fields.key };
}

function fileOf(name: string): string {
  return path.join(fixture.folder, `${name}.seg`);
}

/** The same merge, done here. */
function mergeHere(name: string): { docMaps: readonly Uint32Array[]; bytes: Buffer } {
  const inputs = segments.map((segment, i) => ({ segment, live: handle.reader.leaves[i].live }));
  const steps = mergeSegments(storage, inputs, tableOf(handle.reader.fields).byOrdinal, {
    folder: fixture.folder,
    name,
  });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return { docMaps: step.value, bytes: fs.readFileSync(fileOf(name)) };
}

describe("a merge", () => {
  it("gives the same bytes wherever it is done", async () => {
    const here = mergeHere("here");
    for (const [where, executor] of Object.entries(executors)) {
      const name = `merged-${where.replaceAll(" ", "-")}`;
      const merged = await executor.run("merge", job(name), { shared: [fields] });
      expect(merged.docMaps, where).toEqual(here.docMaps);
      expect(Buffer.compare(fs.readFileSync(fileOf(name)), here.bytes), where).toBe(0);
    }
  });

  it("that is cancelled leaves no file behind", async () => {
    for (const [where, executor] of Object.entries(executors)) {
      const controller = new AbortController();
      const merging = executor.run("merge", job("cancelled"), { shared: [fields], signal: controller.signal });
      controller.abort();
      await expect(merging, where).rejects.toMatchObject({ code: "cancelled" });
      expect(fs.existsSync(fileOf("cancelled")), where).toBe(false);
    }
  });

  it("on the calling thread lets go of nothing that this thread uses besides", async () => {
    const [first] = segments;
    first.beginUse();
    first.ids();
    const kept = storage.extents.statistics().pinnedBytes;
    await executors["on the calling thread"].run("merge", job("beside"), { shared: [fields] });
    expect(storage.extents.statistics().pinnedBytes).toBeGreaterThanOrEqual(kept);
    storage.extents.evict(Number.POSITIVE_INFINITY);
    expect(first.id(0)).toBe("d0");
    first.endUse();
  });

  it.runIf(process.platform === "linux")("lets go of its inputs when they are closed", async () => {
    for (const [where, executor] of Object.entries(executors)) {
      const name = `merged-${where.replaceAll(" ", "-")}`;
      await executor.run("merge", job(name), { shared: [fields] });
      for (const { folder, name: segment } of job(name).inputs.map(({ ref }) => ref))
        executor.forgetSegment(folder, segment);
      const another = { ...job("again"), inputs: [], fields: fields.key };
      await executor.run("merge", another, { shared: [fields] });
      const open = fs.readdirSync("/proc/self/fd").map((fd) => link(`/proc/self/fd/${fd}`));
      // Those that the engine of the fixture has open, and those of this test.
      const inputs = segments.flatMap(({ file }) => [file.path, file.path]);
      expect(open.filter((file) => inputs.includes(file)).sort(), where).toEqual(inputs.sort());
    }
  });
});

function link(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return "";
  }
}
