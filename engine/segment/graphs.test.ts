import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Field } from "../mapping/field-table.js";
import type { Storage } from "../store/storage.js";
import { type Chance, chance, temporaryFolder, testStorage } from "../store/testing.js";
import { GraphHost } from "../vectors/graph-host.js";
import { VectorBuffer } from "../vectors/writer.js";
import { SegmentFileWriter } from "./file-writer.js";
import { attachGraphs, dropGraphs, graphFileName } from "./graphs.js";
import { writeSegmentMeta } from "./meta.js";
import { OpenSegment, segmentFileName } from "./reader.js";

const DIMS = 24;
const FIELD: Field = {
  ordinal: 5,
  path: "embedding",
  type: "dense_vector",
  mapping: { type: "dense_vector" },
  inverted: false,
  positions: false,
  norms: false,
  trigrams: false,
  column: null,
};

/** A segment with nothing but vectors that lie in clusters. */
function vectorSegment(storage: Storage, folder: string, rows: number, random: Chance): OpenSegment {
  const writer = new SegmentFileWriter(storage, path.join(folder, segmentFileName("s")));
  const buffer = new VectorBuffer(storage.arena, "cosine");
  const address = storage.arena.alloc(DIMS * 4);
  for (let doc = 0; doc < rows; doc++) {
    for (let d = 0; d < DIMS; d++) storage.arena.f32[address / 4 + d] = ((doc * (d + 3)) % 7) + random(1000) / 400;
    buffer.add(doc, address, DIMS);
  }
  buffer.flush(writer, FIELD.ordinal, rows);
  buffer.close();
  writeSegmentMeta(writer, { docs: rows, minSeqNo: 0, maxSeqNo: rows - 1 });
  writer.finish();
  return OpenSegment.open(storage, folder, "s");
}

function nearest(segment: OpenSegment, query: Float32Array, count: number): number[] {
  const vectors = segment.vectors(FIELD)!;
  const out = new Float32Array(vectors.rows);
  vectors.similarities(query, null, out);
  return [...out.keys()].sort((a, b) => out[b] - out[a]).slice(0, count);
}

function newHost(): GraphHost {
  const host = new GraphHost();
  onTestFinished(() => host.close());
  return host;
}

async function recall(segment: OpenSegment): Promise<number> {
  const vectors = segment.vectors(FIELD)!;
  let found = 0;
  for (let row = 0; row < 20; row++) {
    const query = vectors.vector(row * 7);
    const exact = new Set(nearest(segment, query, 10));
    const rows = await vectors.graph!.search(query, 50);
    found += [...rows.slice(0, 10)].filter((candidate) => exact.has(candidate)).length;
  }
  return found / 200;
}

describe("graphs of a segment's vectors", () => {
  it("find what the exact scan finds, are kept beside the segment and loaded again", async () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const segment = vectorSegment(storage, folder, 1500, random);
    const options = { folder, minimumRows: 1000, signal: new AbortController().signal };
    const first = newHost();
    expect(await first.available()).toBe(true);
    segment.beginUse();
    expect(segment.vectors(FIELD)!.graph).toBeNull();
    await attachGraphs(first, segment, [FIELD], options);
    expect(await recall(segment), random.label).toBeGreaterThan(0.9);
    await dropGraphs(first, segment, [FIELD]);
    expect(segment.vectors(FIELD)!.graph).toBeNull();

    const second = newHost();
    const asked: string[] = [];
    const ask = second.ask.bind(second);
    second.ask = (request) => {
      asked.push(request.kind);
      return ask(request);
    };
    await attachGraphs(second, segment, [FIELD], options);
    expect(asked).toEqual(["available", "load"]);
    expect(await recall(segment), random.label).toBeGreaterThan(0.9);
  });

  it("are built anew when the file is damaged", async () => {
    const storage = testStorage();
    const folder = temporaryFolder();
    const segment = vectorSegment(storage, folder, 300, chance());
    const options = { folder, minimumRows: 100, signal: new AbortController().signal };
    const host = newHost();
    await attachGraphs(host, segment, [FIELD], options);
    const file = path.join(folder, graphFileName("s", FIELD.ordinal));
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(file, bytes);
    await attachGraphs(host, segment, [FIELD], options);
    segment.beginUse();
    expect((await segment.vectors(FIELD)!.graph!.search(segment.vectors(FIELD)!.vector(3), 1)).length).toBe(1);
    bytes[bytes.length >> 1] ^= 1;
    expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
  });

  it("are not made for few vectors, nor when told to stop", async () => {
    const storage = testStorage();
    const folder = temporaryFolder();
    const segment = vectorSegment(storage, folder, 300, chance());
    const host = newHost();
    const stop = new AbortController();
    await attachGraphs(host, segment, [FIELD], { folder, minimumRows: 301, signal: stop.signal });
    const building = attachGraphs(host, segment, [FIELD], { folder, minimumRows: 1, signal: stop.signal });
    stop.abort();
    await building;
    segment.beginUse();
    expect(segment.vectors(FIELD)!.graph).toBeNull();
    expect(storage.files.list(folder)).toEqual(["s.seg"]);
  });
});
