import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { packed } from "../../testing/packed-fixtures.js";
import { Deadline } from "../limits.js";
import { type Packing, unpack } from "./unpack.js";

const MILLIONS = 8_000_000;
const LIMIT = 1_000_000;

describe("a stream of eight million zeros", () => {
  const streams: [packing: Packing, bytes: Buffer][] = [
    ["gzip", gzipSync(Buffer.alloc(MILLIONS))],
    ["xz", packed("xzZeros")],
    ["bzip2", packed("bz2Zeros")],
    ["zstd", packed("zstZeros")],
  ];

  it.each(streams)("%s is unpacked whole within the limit", async (packing, bytes) => {
    const whole = await unpack(packing, bytes, { limit: MILLIONS, deadline: new Deadline() });
    expect([whole.bytes.length, whole.cut]).toEqual([MILLIONS, undefined]);
  });

  it.each(streams)("%s is left at the limit, and nothing throws afterwards", async (packing, bytes) => {
    // What follows would still be to be read when the limit is reached.
    const long = Buffer.concat([bytes, Buffer.alloc(200_000)]);
    const { bytes: unpacked, cut } = await unpack(packing, long, { limit: LIMIT, deadline: new Deadline() });
    expect([unpacked.length, cut]).toEqual([LIMIT, `it unpacks to more than ${LIMIT} bytes`]);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("of a window larger than any program makes is refused", async () => {
    const bytes = Buffer.from("28b52ffd00ff000000", "hex");
    const { cut } = await unpack("zstd", bytes, { limit: LIMIT, deadline: new Deadline() });
    expect(cut).toMatch(/^its window of \d+ bytes is too large$/);
  });
});
