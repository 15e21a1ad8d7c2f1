import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { NO_FIELD, nodeFiles, SectionKind } from "../store/index.js";
import { temporaryFolder, testStorage } from "../store/testing.js";
import { ByteCheck } from "./byte-check.js";
import { SegmentFileWriter } from "./file-writer.js";

/** A file with sections that fill checksums partly, exactly, and several of them. */
function writeSome(): string {
  const file = path.join(temporaryFolder(), "s1.seg");
  const writer = new SegmentFileWriter(testStorage(), file);
  for (const [kind, length] of [
    [SectionKind.segmentMeta, 32],
    [SectionKind.idData, 40_000],
    [SectionKind.sourceData, 16_384],
    [SectionKind.seqNos, 200_001],
  ] as const) {
    writer.begin(kind, NO_FIELD);
    writer.append(Uint8Array.from({ length }, (_, i) => (i * 31) % 251));
    writer.end();
  }
  writer.finish();
  return file;
}

function check(file: string, pieceBytes: number): ByteCheck {
  const handle = nodeFiles.open(file, "read");
  try {
    const found = ByteCheck.open(handle);
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at += pieceBytes) found.next(bytes.subarray(at, at + pieceBytes));
    found.end();
    return found;
  } finally {
    handle.close();
  }
}

it.each([1000, 65_536, 1 << 20])("a whole file passes, in pieces of %i bytes", (pieceBytes) => {
  const file = writeSome();
  expect(check(file, pieceBytes).size).toBe(readFileSync(file).length);
});

it("a flipped bit anywhere is refused with file and place", () => {
  const file = writeSome();
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += 4999) {
    bytes[at] ^= 4;
    writeFileSync(file, bytes);
    expect(() => check(file, 10_000), `byte ${at}`).toThrow(`${file} is damaged at byte`);
    bytes[at] ^= 4;
  }
});

it("a cut file is refused", () => {
  const file = writeSome();
  const bytes = readFileSync(file);
  for (const length of [0, 63, 64, 127, 1000, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length));
    expect(() => check(file, 10_000), `${length} bytes`).toThrow(file);
  }
});

it("other contents have another seal", () => {
  const [one, other] = [writeSome(), writeSome()];
  expect(check(one, 1000).seal).toBe(check(other, 1000).seal);
  const writer = new SegmentFileWriter(testStorage(), other);
  writer.begin(SectionKind.segmentMeta, NO_FIELD);
  writer.append(new Uint8Array(32));
  writer.end();
  writer.finish();
  expect(check(one, 1000).seal).not.toBe(check(other, 1000).seal);
});
