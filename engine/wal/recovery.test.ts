import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CorruptionError } from "../errors.js";
import { nodeFiles } from "../store/files.js";
import { Log, type LogOptions } from "./log.js";
import { encodeFileHeader, FILE_HEADER_BYTES, logFileName } from "./log-file.js";
import { LogOp, RecordBuffer } from "./record.js";

let folder: string;
let warnings: string[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-log-"));
  warnings = [];
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function options(more: Partial<LogOptions> = {}): LogOptions {
  const warn = (message: string) => warnings.push(message);
  return {
    files: nodeFiles,
    folder,
    durability: "request",
    syncIntervalMs: 5000,
    maxFileBytes: 1 << 20,
    warn,
    ...more,
  };
}

/** Opens, collects what is in the log, closes. */
async function replay(): Promise<string[]> {
  const found: string[] = [];
  const log = Log.open(options(), ({ sequence, op, metadata, payload }) =>
    found.push(`${sequence} ${op} ${metadata?.id} ${Buffer.from(payload)}`),
  );
  await log.close();
  return found;
}

function entry(buffer: RecordBuffer, sequence: number): { records: number; lastSequence: number } {
  const metadata = { id: `id${sequence}`, version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };
  buffer.appendOperation(LogOp.index, sequence, metadata, Buffer.from(`{"n":${sequence}}`));
  return { records: 1, lastSequence: sequence };
}

const text = (sequence: number) => `${sequence} 1 id${sequence} {"n":${sequence}}`;
const THREE = [text(0), text(1), text(2)];

async function writeThree(): Promise<void> {
  const log = Log.open(options(), () => {});
  for (let i = 0; i < 3; i++) await log.append((buffer) => entry(buffer, i));
  await log.close();
}

const firstFile = () => path.join(folder, logFileName(1));

/** Offset at which each of the three entries ends. */
function ends(): number[] {
  const result = [];
  let at = FILE_HEADER_BYTES;
  for (let i = 0; i < 3; i++) {
    const buffer = new RecordBuffer(256);
    entry(buffer, i);
    at += buffer.length;
    result.push(at);
  }
  return result;
}

describe("opening a log", () => {
  it("begins a file as the example in log-file.ts says", () => {
    expect(Buffer.from(encodeFileHeader(3)).toString("hex")).toBe(
      "504e4b534c4f470a" + "0100000000000000" + "0300000000000000" + "ada1837b00000000",
    );
  });

  it("gives back what was written, in order, from all files", async () => {
    const log = Log.open(options({ maxFileBytes: 100 }), () => {});
    for (let i = 0; i < 20; i++) await log.append((buffer) => entry(buffer, i));
    await log.close();
    expect(fs.readdirSync(folder).length).toBeGreaterThan(5);
    expect(await replay()).toEqual(Array.from({ length: 20 }, (_, i) => text(i)));
    expect(warnings).toEqual([]);
  });

  it("goes on after a restart in a new file, and keeps both", async () => {
    await writeThree();
    const log = Log.open(options(), () => {});
    await log.append((buffer) => entry(buffer, 3));
    await log.close();
    expect(await replay()).toEqual([...THREE, text(3)]);
  });

  it("cuts a torn tail with a warning, wherever it was torn", async () => {
    await writeThree();
    const whole = fs.readFileSync(firstFile());
    const entryEnds = ends();
    expect(entryEnds[2]).toBe(whole.length);
    for (let length = 0; length < whole.length; length++) {
      fs.writeFileSync(firstFile(), whole.subarray(0, length));
      warnings = [];
      const kept = entryEnds.filter((end) => end <= length).length;
      expect(await replay(), `cut at ${length}`).toEqual(THREE.slice(0, kept));
      const clean = length === FILE_HEADER_BYTES || entryEnds.includes(length);
      expect(warnings.length, `cut at ${length}`).toBe(clean ? 0 : 1);
      // The cut is on disk: the next opening has nothing to say.
      warnings = [];
      expect(await replay()).toEqual(THREE.slice(0, kept));
      expect(warnings).toEqual([]);
    }
  });

  it("stops for any flipped bit that has a good entry behind it, and cuts one in the last entry", async () => {
    await writeThree();
    const whole = fs.readFileSync(firstFile());
    const [, lastBegins] = ends();
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const at = bit >> 3;
      if (at >= 28 && at < 32) continue; // reserved bytes of the file header, which no reader looks at
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1 << (bit & 7);
      fs.writeFileSync(firstFile(), damaged);
      if (at < lastBegins) {
        await expect(replay(), `bit ${bit}`).rejects.toThrow(CorruptionError);
        expect(fs.readFileSync(firstFile())).toEqual(damaged);
      } else {
        expect(await replay(), `bit ${bit}`).toEqual(THREE.slice(0, 2));
      }
    }
  });

  it("names file and offset of a bad entry before a good one", async () => {
    await writeThree();
    const bytes = fs.readFileSync(firstFile());
    const [firstEnds] = ends();
    bytes[firstEnds + 30] ^= 1;
    fs.writeFileSync(firstFile(), bytes);
    await expect(replay()).rejects.toMatchObject({
      code: "corrupt",
      details: { file: firstFile(), offset: firstEnds },
    });
  });

  it("stops when a bad entry ends one file and a good one is in the next", async () => {
    await writeThree();
    const log = Log.open(options(), () => {});
    await log.append((buffer) => entry(buffer, 3));
    await log.close();
    const bytes = fs.readFileSync(firstFile());
    fs.writeFileSync(firstFile(), bytes.subarray(0, bytes.length - 1));
    await expect(replay()).rejects.toThrow(CorruptionError);
  });

  it("removes a file that a crash left without its header", async () => {
    await writeThree();
    fs.writeFileSync(path.join(folder, logFileName(2)), Buffer.alloc(7));
    expect(await replay()).toEqual(THREE);
    expect(warnings).toHaveLength(1);
    expect(fs.readdirSync(folder)).toEqual([logFileName(1)]);
  });

  it("stops at sequence numbers that go back", async () => {
    await writeThree();
    const bytes = fs.readFileSync(firstFile());
    const [firstEnds] = ends();
    fs.writeFileSync(firstFile(), Buffer.concat([bytes, bytes.subarray(FILE_HEADER_BYTES, firstEnds)]));
    await expect(replay()).rejects.toThrow(/sequence number above 2/);
  });

  it("refuses a file of a later format version, and says what to do", async () => {
    await writeThree();
    const bytes = fs.readFileSync(firstFile());
    bytes[8] = 9;
    const { crc32cRange } = await import("../kernels/crc32c.js");
    bytes.writeUInt32LE(crc32cRange(bytes, 0, 24), 24);
    fs.writeFileSync(firstFile(), bytes);
    await expect(replay()).rejects.toThrow(/version 9; this program reads 1 to 1: open .* with the version that wrote/);
  });
});
