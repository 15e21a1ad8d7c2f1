/** For tests: logs of few entries in a folder, written, read and damaged. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { crc32cRange } from "../../kernels/crc32c.js";
import { nodeFiles } from "../../store/files.js";
import { Log, type LogOptions } from "../log.js";
import { logFileName } from "../log-file.js";
import { LogOp } from "../record.js";
import { RecordBuffer } from "../record-buffer.js";

/** A log in a temporary folder; `warnings` gathers what it warns of. */
export class LogFixture {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-log-"));
  warnings: string[] = [];

  constructor() {
    onTestFinished(() => fs.rmSync(this.folder, { recursive: true, force: true }));
  }

  options(more: Partial<LogOptions> = {}): LogOptions {
    return {
      files: nodeFiles,
      folder: this.folder,
      durability: "request",
      syncIntervalMs: 5000,
      maxFileBytes: 1 << 20,
      warn: (message) => this.warnings.push(message),
      ...more,
    };
  }

  open(more: Partial<LogOptions> = {}): Log {
    return Log.open(this.options(more), () => {});
  }

  /** Opens, collects what is in the log, closes. */
  async replay(): Promise<string[]> {
    const found: string[] = [];
    const log = Log.open(this.options(), ({ sequence, op, metadata, payload }) =>
      found.push(`${sequence} ${op} ${metadata?.id} ${Buffer.from(payload)}`),
    );
    await log.close();
    return found;
  }

  /** Writes entries with these sequences, each in a group of its own, and closes. */
  async write(sequences: readonly number[], more: Partial<LogOptions> = {}): Promise<void> {
    const log = this.open(more);
    for (const sequence of sequences) await log.append((buffer) => entry(buffer, sequence));
    await log.close();
  }

  file(generation: number): string {
    return path.join(this.folder, logFileName(generation));
  }

  bytes(generation: number): Buffer {
    return fs.readFileSync(this.file(generation));
  }

  /** Puts a file of this generation in place of the one there. */
  put(generation: number, bytes: Uint8Array): void {
    fs.writeFileSync(this.file(generation), bytes);
  }

  names(): string[] {
    return fs.readdirSync(this.folder).sort();
  }
}

/** The entry with this sequence. */
export function entry(buffer: RecordBuffer, sequence: number): void {
  const metadata = { id: `id${sequence}`, version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };
  buffer.appendOperation(LogOp.index, sequence, metadata, Buffer.from(`{"n":${sequence}}`));
}

/** The entry with this sequence as `replay` shows it. */
export const text = (sequence: number) => `${sequence} 1 id${sequence} {"n":${sequence}}`;

/** Bytes of an entry. */
export function entryBytes(sequence: number): number {
  const buffer = new RecordBuffer(256);
  entry(buffer, sequence);
  return buffer.length;
}

/** A file of format version 1 with these entries, as the program wrote it that knew no other. */
export function encodeVersion1(generation: number, sequences: readonly number[]): Buffer {
  const header = Buffer.alloc(32);
  header.write("PNKSLOG\n", 0, "latin1");
  header.writeUInt32LE(1, 8);
  header.writeUInt32LE(generation, 16);
  header.writeUInt32LE(crc32cRange(header, 0, 24), 24);
  const buffer = new RecordBuffer(1024);
  for (const sequence of sequences) entry(buffer, sequence);
  return Buffer.concat([header, buffer.bytes()]);
}

/** The bytes with one bit changed. */
export function flipped(bytes: Buffer, bit: number): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[bit >> 3] ^= 1 << (bit & 7);
  return damaged;
}
