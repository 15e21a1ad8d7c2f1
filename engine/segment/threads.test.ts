import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomDocument, segmentOf } from "../memtable/testing.js";
import { releaseThread, type Storage, storageStatistics } from "../store/storage.js";
import { chance, testStorage } from "../store/testing.js";
import { OpenSegment } from "./reader.js";
import { type HammerCounts, hammer } from "./testing/hammer.js";
import { startHammer } from "./testing/hammer-thread.js";
import { allAnswers } from "./testing/questions.js";

/** Documents of each segment: large ones have a piece per section, small ones are one piece. */
const SIZES = [2500, 1800, 60, 1500, 200];
const random = chance();
const folder = mkdtempSync(path.join(tmpdir(), "pinakes-threads-"));
/** What one thread with room enough answers, by segment. */
let answers: string[][][];

beforeAll(() => {
  const storage = testStorage(64 * 2 ** 20);
  let seqNo = 0;
  answers = SIZES.map((size, i) => {
    const docs = Array.from({ length: size }, () => {
      return { ...randomDocument(random, ++seqNo, 2 ** 30), id: `id-${seqNo}` };
    });
    const segment = segmentOf(storage, folder, `s${i}`, docs);
    const found = allAnswers(segment);
    segment.close();
    return found;
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openAll(storage: Storage): OpenSegment[] {
  return SIZES.map((_, i) => OpenSegment.open(storage, folder, `s${i}`));
}

const targetsOf = (segments: readonly OpenSegment[]) =>
  segments.map((segment, i) => ({ segment, answers: answers[i] }));

/** A thread with all segments, its rounds of hammering ahead of it. */
function startThread(
  storage: Storage,
  segments: readonly OpenSegment[],
  order: { thread: number; rounds: number; task?: "hammer" | "hold" },
) {
  return startHammer({
    task: "hammer",
    ...order,
    memory: storage.arena.memory,
    segments: segments.map((segment, i) => ({ ref: segment.ref(), answers: answers[i] })),
    seed: random(2 ** 31),
  });
}

/** Fewest questions that a thread asks, and times that segments are opened, whatever turns the system gives this thread. */
const LEAST_ASKED = 100;
const LEAST_OPENED = 5;

/** Hammers in this thread too, until others have ended, and long enough to say something. */
async function hammerBeside(storage: Storage, segments: readonly OpenSegment[], others: Promise<unknown>) {
  const work = hammer(storage, targetsOf(segments), { seed: random(2 ** 31), rounds: Number.POSITIVE_INFINITY });
  let running = true;
  const ended = others.finally(() => {
    running = false;
  });
  let { value: counts } = work.next();
  while (running || counts.asked <= LEAST_ASKED) {
    for (let round = 0; round < 20; round++) counts = work.next().value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return counts;
}

/** Evicts whatever can go, and says what is left. */
function pinnedBytes({ extents }: Storage): number {
  extents.evict(Number.POSITIVE_INFINITY);
  const { loadedBytes, pinnedBytes } = extents.statistics();
  expect(loadedBytes).toBe(pinnedBytes);
  return pinnedBytes;
}

describe("segments that several threads use", () => {
  it("answer each thread as they answer one alone, while every piece is evicted again and again", async () => {
    const storage = testStorage(1200 * 1024);
    const segments = openAll(storage);
    const threads = [1, 2, 3].map((thread) => startThread(storage, segments, { thread, rounds: 500 }));
    const ended = Promise.all(threads.map(({ done }) => done));
    const counts = [await hammerBeside(storage, segments, ended), ...(await ended)];
    expect(
      counts.flatMap(({ wrong }) => wrong),
      random.label,
    ).toEqual([]);
    for (const { asked } of counts) expect(asked, random.label).toBeGreaterThan(LEAST_ASKED);
    expect(storage.extents.evictions, random.label).toBeGreaterThan(1000);
    expect(pinnedBytes(storage)).toBe(0);
    expect(storageStatistics(storage).cache).toEqual(storage.cache.statistics);
    for (const segment of segments) segment.close();
  }, 120_000);

  it("are opened and closed by one thread while others evict pieces of all", async () => {
    const storage = testStorage(1200 * 1024);
    const segments = openAll(storage);
    const threads = [1, 2].map((thread) => startThread(storage, segments, { thread, rounds: 300 }));
    let running = true;
    const ended = Promise.all(threads.map(({ done }) => done)).finally(() => {
      running = false;
    });
    const counts: HammerCounts[] = [];
    await Promise.all(threads.map((thread) => thread.messages(1)));
    while (running || counts.length < LEAST_OPENED) {
      const own = openAll(storage);
      const work = hammer(storage, targetsOf(own), { seed: random(2 ** 31), rounds: 10 });
      let step = work.next();
      while (!step.done) step = work.next();
      counts.push(step.value);
      for (const segment of own) segment.close();
      await new Promise((resolve) => setImmediate(resolve));
    }
    counts.push(...(await ended));
    expect(
      counts.flatMap(({ wrong }) => wrong),
      random.label,
    ).toEqual([]);
    expect(counts.length).toBeGreaterThan(LEAST_OPENED);
    expect(pinnedBytes(storage)).toBe(0);
    for (const segment of segments) segment.close();
  }, 120_000);
});

describe("a thread that dies", () => {
  it("in the middle of a use keeps its pieces until they are released, then its number and memory are free", async () => {
    const storage = testStorage(4 * 2 ** 20);
    const { arena } = storage;
    const segments = openAll(storage);
    const used = arena.used;
    const holding = startThread(storage, segments, { thread: 5, task: "hold", rounds: 0 });
    await holding.messages(1);
    expect(pinnedBytes(storage)).toBeGreaterThan(0);
    await holding.kill();
    expect(pinnedBytes(storage)).toBeGreaterThan(0);
    expect(() => segments[0].close()).toThrow(/in use by the threads of mask 0x20/);
    const released = releaseThread(storage, 5, "reclaim");
    expect(released.pins).toBeGreaterThanOrEqual(SIZES.length);
    expect(released.bytes).toBeGreaterThanOrEqual(100_000);
    expect(pinnedBytes(storage)).toBe(0);
    expect(arena.used).toBe(used);
    const next = startThread(storage, segments, { thread: 5, rounds: 50 });
    expect((await next.done).wrong, random.label).toEqual([]);
    for (const segment of segments) segment.close();
  }, 60_000);

  it("at any moment leaves nothing that makes others wait or answer wrongly", async () => {
    const storage = testStorage(1200 * 1024);
    const segments = openAll(storage);
    const used = storage.arena.used;
    const kills = 8;
    for (let kill = 0; kill < kills; kill++) {
      const doomed = startThread(storage, segments, { thread: 1, rounds: 1_000_000 });
      const other = startThread(storage, segments, { thread: 2, rounds: 30 });
      const killed = doomed.messages(1 + random(3)).then(() => doomed.kill());
      const counts = [await hammerBeside(storage, segments, Promise.all([killed, other.done])), await other.done];
      expect(
        counts.flatMap(({ wrong }) => wrong),
        random.label,
      ).toEqual([]);
      releaseThread(storage, 1, "reclaim");
    }
    expect(pinnedBytes(storage)).toBe(0);
    storage.scratch.release();
    // A thread may die holding one piece that is in no slot: see slots.ts.
    const largest = Math.max(...segments.map(({ sizeBytes }) => sizeBytes));
    expect(storage.arena.used).toBeLessThanOrEqual(used + kills * largest);
    for (const segment of segments) segment.close();
  }, 120_000);
});
