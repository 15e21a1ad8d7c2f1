import { describe, expect, it } from "vitest";
import { Deadline } from "../formats/limits.js";
import { tell } from "../formats/tell.js";
import { oneOfEach } from "../testing/all-formats.js";
import { ContentReading } from "./content-reading.js";

/** Mutations of each file; PINAKES_MUTATIONS asks for more. */
const MUTATIONS = Number(process.env.PINAKES_MUTATIONS ?? 25);
const SEED = Number(process.env.PINAKES_SEED ?? Date.now() % 1_000_000);
/** Milliseconds of processor time. Every file is small: reading one takes few, and a bound of ours comes before this. */
const MAX_MS = 5000;
/** What a small archive may unpack to, as documents. */
const MAX_DOCUMENT_BYTES = 24 * 1024 * 1024;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cut off, bits turned over, a run of bytes set to one value, or a piece said twice. */
function mutate(bytes: Buffer, random: () => number): Buffer {
  const at = () => Math.floor(random() * bytes.length);
  const copy = Buffer.from(bytes);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return copy.subarray(0, at());
  if (kind === 1) {
    for (let count = 1 + Math.floor(random() * 8); count > 0; count--) copy[at()]! ^= 1 << Math.floor(random() * 8);
    return copy;
  }
  const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
  if (kind === 2) return copy.fill(Math.floor(random() * 256), from, Math.min(to, from + 64));
  return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
}

async function read(path: string, bytes: Buffer): Promise<{ documents: number; length: number }> {
  const context = { root: "/", repo: "r", branches: [], maxFileBytes: 16 * 1024 * 1024 };
  const deadline = new Deadline();
  const reading = new ContentReading({ context, deadline, packedBytes: bytes.length });
  const content = { path, container: "", blob: "0".repeat(40), bytes, records: "dataset" as const };
  await reading.read(content, await tell(bytes, deadline));
  const { parts } = reading.take();
  const count = (key: "operations") => parts.reduce((sum, part) => sum + part[key], 0);
  return { documents: count("operations"), length: parts.reduce((sum, part) => sum + part.bytes.length, 0) };
}

describe(`a damaged file (seed ${SEED}, ${MUTATIONS} of each format)`, async () => {
  for (const [name, whole] of Object.entries(await oneOfEach())) {
    it(`${name} has a document, soon, and nothing ends`, { timeout: 120_000 }, async () => {
      const random = numbers(SEED + name.length * 7919 + name.charCodeAt(2));
      for (let count = 0; count < MUTATIONS; count++) {
        const bytes = mutate(whole, random);
        const started = process.cpuUsage();
        const { documents, length } = await read(name, bytes);
        const what = `${name}, mutation ${count} of seed ${SEED}`;
        expect(documents, what).toBeGreaterThan(0);
        expect(length, what).toBeLessThan(MAX_DOCUMENT_BYTES);
        const { user, system } = process.cpuUsage(started);
        expect((user + system) / 1000, what).toBeLessThan(MAX_MS);
      }
    });
  }
});
