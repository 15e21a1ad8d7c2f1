import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Index } from "./engine-types.js";
import type { OpenSegment } from "./segment/reader.js";
import type { IndexShard } from "./shard/index-shard.js";
import { isSet } from "./store/bits.js";
import { NO_FIELD, SectionKind } from "./store/section.js";
import { type Chance, chance } from "./store/testing.js";
import { definitionOf, type EngineFixture, engineFixture, NO_ANALYSIS } from "./testing/engine-fixture.js";
import { RANDOM_MAPPING, randomJson } from "./testing/random-json.js";

const ANALYSIS = { ...NO_ANALYSIS, normalizer: { low: { type: "custom", filter: ["lowercase"] } } };

let fixture: EngineFixture;
/** What must come back, by id. */
let expected: Map<string, string>;

beforeEach(async () => {
  fixture = await engineFixture();
  expected = new Map();
});
afterEach(() => fixture.remove());

async function makeIndex(): Promise<Index> {
  return fixture.engine.createIndex("a", definitionOf(RANDOM_MAPPING, { analysis: ANALYSIS }));
}

/** Writes texts under ids of their own; those that are refused are forgotten. Returns how many were taken. */
async function write(index: Index, texts: readonly string[]): Promise<number> {
  const first = expected.size;
  const operations = texts.map((text, i) => ({
    kind: "index" as const,
    id: `${first + i}`,
    source: Buffer.from(text),
  }));
  let taken = 0;
  for (const [i, outcome] of (await index.write(operations)).entries()) {
    expected.set(`${first + i}`, outcome.ok ? texts[i] : "");
    if (outcome.ok) taken++;
    else if (outcome.error.code === "internal") throw outcome.error;
  }
  return taken;
}

/** Asks `expect` for documents that differ only: it is slow. */
function same(found: string, id: string, label: string): void {
  if (found !== expected.get(id)) expect(found, `${label}, document ${id}`).toBe(expected.get(id));
}

/** Compares what get gives with what was written. */
function check(index: Index, label: string): void {
  for (const id of expected.keys()) {
    const found = index.get(id);
    same(found === undefined ? "" : Buffer.from(found.source).toString(), id, `${label}, get`);
  }
}

/** Compares what the newest reader shows with what was written. */
function checkReader(index: Index, label: string): void {
  const handle = (index as IndexShard).acquireReader();
  let found = 0;
  for (const { segment, live } of handle.reader.leaves) {
    segment.beginUse();
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (!isSet(live, doc)) continue;
      same(Buffer.from(segment.source(doc)).toString(), segment.id(doc), `${label}, reader`);
      found++;
    }
    segment.endUse();
  }
  handle.release();
  expect(found, label).toBe([...expected.values()].filter((text) => text !== "").length);
}

async function checkEverywhere(index: Index, label: string): Promise<void> {
  check(index, `${label}, before refresh`);
  await index.refresh();
  check(index, `${label}, after refresh`);
  checkReader(index, `${label}, after refresh`);
}

/** Deletes some, replaces some, changes some in part. */
async function change(index: Index, random: Chance): Promise<void> {
  for (const [id, text] of expected) {
    if (text === "" || random(3) > 0) continue;
    const kind = random(3);
    if (kind === 0) {
      await index.write([{ kind: "delete", id }]);
      expected.set(id, "");
    } else if (kind === 1) {
      const [outcome] = await index.write([{ kind: "index", id, source: Buffer.from(' {"long":\t1}') }]);
      if (outcome.ok) expected.set(id, ' {"long":\t1}');
    } else {
      const [outcome] = await index.write([
        { kind: "update", id, doc: { integer: random(50) }, docAsUpsert: false, detectNoop: false, retryOnConflict: 0 },
      ]);
      if (outcome.ok) expected.set(id, Buffer.from(outcome.source!).toString());
    }
  }
}

describe("_source comes back byte for byte", () => {
  it("whatever JSON it is: before and after refresh, merge, restart, and from an update (random)", async () => {
    const random = chance();
    let index = await makeIndex();
    let taken = 0;
    for (let round = 0; round < 5; round++) {
      taken += await write(
        index,
        Array.from({ length: 150 }, () => randomJson(random)),
      );
      await checkEverywhere(index, `${random.label} round ${round}`);
      if (round === 2) await change(index, random);
    }
    expect(taken).toBeGreaterThan(250);
    await checkEverywhere(index, `${random.label} changed`);
    await index.forceMerge({ maxSegments: 2, onlyDeletes: false });
    await checkEverywhere(index, `${random.label} merged`);
    await fixture.reopen();
    index = fixture.engine.index("a")!;
    await checkEverywhere(index, `${random.label} reopened`);
    await change(index, random);
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    await checkEverywhere(index, `${random.label} merged again`);
  });

  it("with more shapes than are kept, in segments and in merges of them", async () => {
    const index = await makeIndex();
    const keys = [
      "tag",
      "lower",
      "hidden",
      "title",
      "all",
      "long",
      "short",
      "double",
      "half",
      "flag",
      "address",
      "when",
    ];
    const text = (n: number) =>
      `{${keys.flatMap((key, i) => ((n >> i) & 1 ? [`"${key}":${["title", "tag", "lower", "hidden", "all"].includes(key) ? `"v${n}"` : key === "flag" ? "true" : key === "address" ? '"10.0.0.1"' : n}`] : [])).join(",")}}`;
    for (let round = 0; round < 3; round++) {
      const texts = Array.from({ length: 1300 }, (_, i) => text((i * 3 + round) % 4096)).filter((one) => one !== "{}");
      expect(await write(index, texts)).toBe(texts.length);
      await index.refresh();
    }
    await checkEverywhere(index, "many shapes");
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    await checkEverywhere(index, "many shapes merged");
  });

  it("where documents are longer than a block, and between short ones", async () => {
    const random = chance();
    const index = await makeIndex();
    const noise = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + random(26))).join("");
    for (let round = 0; round < 2; round++) {
      const texts = Array.from({ length: 40 }, (_, i) => {
        const length = i % 7 === 0 ? random(200_000) : random(300);
        return `{"hidden":"h${i}","long":${i},"unknown":"${noise(length)}","tag":"t${i % 5}"}`;
      });
      expect(await write(index, texts)).toBe(texts.length);
      await checkEverywhere(index, `${random.label} long documents`);
    }
    await change(index, random);
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    await checkEverywhere(index, `${random.label} long documents merged`);
  });

  it("takes hardly any room where columns print it back", async () => {
    const index = await makeIndex();
    const texts = Array.from({ length: 3000 }, (_, i) =>
      JSON.stringify({
        tag: `tag${(i * 7919) % 997}`,
        long: i * i,
        when: new Date(i * 1e9).toISOString(),
        address: `10.0.${i % 200}.${i % 7}`,
      }),
    );
    expect(await write(index, texts)).toBe(texts.length);
    await index.refresh();
    const handle = (index as IndexShard).acquireReader();
    const [{ segment }] = handle.reader.leaves;
    const kept = (segment as OpenSegment).file.sectionSize(SectionKind.sourceData, NO_FIELD);
    handle.release();
    expect(kept).toBeLessThan(texts.join("").length / 50);
  });
});
