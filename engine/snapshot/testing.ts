/** For tests of backups: an engine with an index and a repository, and files that die at a chosen step. */
import fs from "node:fs";
import path from "node:path";
import type { EngineOptions, Index } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { CreateSnapshot, RepositoryOptions, SnapshotDetails } from "../snapshots.js";
import { type FileHandle, type Files, nodeFiles } from "../store/index.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "../testing/engine-fixture.js";

export const MAPPING = { properties: { n: { type: "long" }, text: { type: "text" } } } as const;

/** Options of a repository in this folder. */
export function repositoryAt(location: string, more: Partial<RepositoryOptions> = {}): RepositoryOptions {
  return {
    location,
    readonly: false,
    compress: true,
    chunkBytes: null,
    snapshotBytesPerSecond: null,
    restoreBytesPerSecond: null,
    maxSnapshots: 500,
    ...more,
  };
}

/** An engine with index `x` and repository `r`. */
export interface BackupFixture extends EngineFixture {
  /** Folder of the repository. */
  readonly root: string;
  index(name?: string): Index;
  /** Writes documents `<prefix>0`, ... with n from 0. */
  write(count: number, prefix?: string, name?: string): Promise<void>;
  /** Makes a snapshot and waits for it. */
  snapshot(name: string, indices?: readonly string[], more?: Partial<CreateSnapshot>): Promise<SnapshotDetails>;
  /** Brings indices back as `<prefix><name>` and waits. */
  restore(name: string, indices: readonly string[], prefix: string, partial?: boolean): Promise<void>;
}

export async function backupFixture(
  options: EngineOptions & { files?: Files } = {},
  repository: Partial<RepositoryOptions> = {},
): Promise<BackupFixture> {
  const fixture = await engineFixture(options);
  const index = (name = "x") => fixture.engine.index(name) as Index;
  const backup: BackupFixture = Object.assign(fixture, {
    root: path.join(fixture.folder, "snapshots", "r"),
    index,
    async write(count: number, prefix = "d", name = "x") {
      const documents = Array.from({ length: count }, (_, n) => indexOf(`${prefix}${n}`, { n, text: `word${n % 7}` }));
      good(await index(name).write(documents));
    },
    async snapshot(name: string, indices: readonly string[] = ["x"], more: Partial<CreateSnapshot> = {}) {
      const request = requestOf(name, indices, more);
      return (await fixture.engine.snapshots.create("r", request)).done;
    },
    async restore(name: string, indices: readonly string[], prefix: string, partial = false) {
      const { contents } = await fixture.engine.snapshots.details("r", name);
      const wanted = indices.map((source) => {
        const settings = contents.find((one) => one.name === source)!.definition;
        return { source, target: prefix + source, settings: settingsOf(settings) };
      });
      await (await fixture.engine.snapshots.restore("r", name, { indices: wanted, partial, records: () => ({}) })).done;
    },
  });
  await fixture.engine.createIndex("x", definitionOf(MAPPING));
  await fixture.engine.snapshots.putRepository("r", repositoryAt("r", repository), {}, true);
  return backup;
}

/** What is asked for: these indices, nothing else. */
export function requestOf(
  name: string,
  indices: readonly string[],
  more: Partial<CreateSnapshot> = {},
): CreateSnapshot {
  const wanted = indices.map((index) => ({ name: index, attachment: { of: index } }));
  return { name, indices: wanted, globalState: null, partial: false, note: null, ...more };
}

/** The parts of a definition that a restore decides, as they were. */
export function settingsOf(definition: SnapshotDetails["contents"][number]["definition"]) {
  const { refreshIntervalMs, durability, settings, totalFieldsLimit, maxResultWindow } = definition;
  return { refreshIntervalMs, durability, settings, totalFieldsLimit, maxResultWindow };
}

/** All files below a folder, as paths from it, sorted. */
export function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Inverts one bit of a file. */
export function flipBit(file: string, offset: number): void {
  const bytes = fs.readFileSync(file);
  bytes[offset] ^= 1;
  fs.writeFileSync(file, bytes);
}

/** How long it goes on; `changes` counts. */
export interface Life {
  left: number;
  changes: number;
  once: boolean;
}

/**
 * The real files, until `left` changes of files that `concerns` have been made: then the program is dead, and nothing
 * of them changes any more. With `once` only that one change fails, as with a bad sector. A write fails half-way.
 */
export function dyingFiles(concerns: (file: string) => boolean): { files: Files; life: Life } {
  const life: Life = { left: Number.POSITIVE_INFINITY, changes: 0, once: false };
  const step = (file: string) => {
    if (!concerns(file)) return;
    life.changes++;
    const left = life.left--;
    if (left === 0 || (left < 0 && !life.once)) throw new EngineError("io", "the program is dead", { path: file });
  };
  const changing =
    <A extends [string, ...unknown[]], T>(action: (...args: A) => T) =>
    (...args: A) => {
      step(args[0]);
      return action(...args);
    };
  const files: Files = {
    ...nodeFiles,
    open: (file, mode) => {
      if (mode !== "read") step(file);
      return dyingHandle(nodeFiles.open(file, mode), step);
    },
    rename: changing(nodeFiles.rename),
    unlink: changing(nodeFiles.unlink),
    removeTree: changing(nodeFiles.removeTree),
    makeDirectory: changing(nodeFiles.makeDirectory),
    syncDirectory: changing(nodeFiles.syncDirectory),
  };
  return { files, life };
}

function dyingHandle(handle: FileHandle, step: (file: string) => void): FileHandle {
  return {
    path: handle.path,
    readAt: (into, position) => handle.readAt(into, position),
    size: () => handle.size(),
    close: () => handle.close(),
    truncate: (length) => handle.truncate(length),
    writev: (parts, position) => handle.writev(parts, position),
    writeAt: (bytes, position) => {
      try {
        step(handle.path);
      } catch (error) {
        handle.writeAt(bytes.subarray(0, bytes.length / 2), position);
        throw error;
      }
      handle.writeAt(bytes, position);
    },
    sync: () => {
      step(handle.path);
      handle.sync();
    },
    syncAsync: async () => {
      step(handle.path);
      await handle.syncAsync();
    },
  };
}
