import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type FileHandle, type Files, nodeFiles } from "../store/files.js";
import { hex, temporaryFolder } from "../store/testing.js";
import { type Commit, readCommit, removeUnreferenced, writeCommit } from "./commit.js";
import { encodeLiveDocs, readLiveDocs, writeLiveDocs } from "./live-docs.js";

/** Real files that note what was done, and fail at a named step when told to. */
function watched(log: string[], failAt = ""): Files {
  const note = (step: string, file: string): void => {
    log.push(`${step} ${path.basename(file)}`);
    if (log[log.length - 1] === failAt) throw new Error(`told to fail at ${failAt}`);
  };
  const watch = (handle: FileHandle): FileHandle => ({
    path: handle.path,
    readAt: (into, position) => handle.readAt(into, position),
    writeAt: (bytes, position) => handle.writeAt(bytes, position),
    writev: (parts, position) => handle.writev(parts, position),
    truncate: (length) => handle.truncate(length),
    size: () => handle.size(),
    close: () => handle.close(),
    sync: () => {
      note("sync", handle.path);
      handle.sync();
    },
    syncAsync: async () => {
      note("sync", handle.path);
      await handle.syncAsync();
    },
  });
  return {
    ...nodeFiles,
    open: (file, mode) => watch(nodeFiles.open(file, mode)),
    rename: (from, to) => {
      note("rename", to);
      nodeFiles.rename(from, to);
    },
    syncDirectory: (folder) => {
      note("sync folder", folder);
      nodeFiles.syncDirectory(folder);
    },
    syncDirectoryAsync: (folder) => {
      note("sync folder", folder);
      return nodeFiles.syncDirectoryAsync(folder);
    },
  };
}

function put(folder: string, ...names: string[]): void {
  for (const name of names) writeFileSync(path.join(folder, name), name);
}

const FIRST: Commit = { generation: 1, segments: [{ name: "s1", live: 0 }], user: { maxSeqNo: 7, log: { file: 3 } } };
const SECOND: Commit = {
  generation: 2,
  segments: [
    { name: "s1", live: 4 },
    { name: "s2", live: 0 },
  ],
  user: { maxSeqNo: 9 },
};

describe("commit", () => {
  it("is not there before the first, then is what was written", async () => {
    const folder = temporaryFolder();
    expect(readCommit(nodeFiles, folder)).toBeUndefined();
    put(folder, "s1.seg");
    await writeCommit(nodeFiles, folder, FIRST, undefined);
    expect(readCommit(nodeFiles, folder)).toEqual(FIRST);
  });

  it("makes new files durable first, then their names, then itself", async () => {
    const folder = temporaryFolder();
    put(folder, "s1.seg", "s2.seg", "s1.4.live");
    const log: string[] = [];
    await writeCommit(watched(log), folder, FIRST, undefined);
    const folderStep = `sync folder ${path.basename(folder)}`;
    expect(log).toEqual(["sync s1.seg", folderStep, "sync commit.tmp", "rename commit", folderStep]);
    log.length = 0;
    await writeCommit(watched(log), folder, SECOND, FIRST);
    expect(log.sort()).toEqual(
      ["sync s1.4.live", "sync s2.seg", folderStep, "sync commit.tmp", "rename commit", folderStep].sort(),
    );
  });

  for (const step of ["sync s2.seg", "sync commit.tmp", "rename commit"]) {
    it(`that fails at "${step}" leaves the last one in place`, async () => {
      const folder = temporaryFolder();
      put(folder, "s1.seg", "s2.seg", "s1.4.live");
      await writeCommit(nodeFiles, folder, FIRST, undefined);
      await expect(writeCommit(watched([], step), folder, SECOND, FIRST)).rejects.toThrow(/told to fail/);
      expect(readCommit(nodeFiles, folder)).toEqual(FIRST);
    });
  }

  it("refuses the damage of any single byte, by name", async () => {
    const folder = temporaryFolder();
    put(folder, "s1.seg");
    await writeCommit(nodeFiles, folder, FIRST, undefined);
    const file = path.join(folder, "commit");
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] ^= 1 << (at % 8);
      writeFileSync(file, bad);
      expect(() => readCommit(nodeFiles, folder), `byte ${at}`).toThrow(
        expect.objectContaining({ code: "corrupt", message: expect.stringContaining(file) }),
      );
    }
  });

  it("that names a file which is gone is refused, naming the file", async () => {
    const folder = temporaryFolder();
    put(folder, "s1.seg");
    await writeCommit(nodeFiles, folder, FIRST, undefined);
    nodeFiles.unlink(path.join(folder, "s1.seg"));
    expect(() => readCommit(nodeFiles, folder)).toThrow(/s1\.seg/);
  });

  it("leaves what it does not name to be removed, and nothing else", async () => {
    const folder = temporaryFolder();
    put(folder, "s1.seg", "s2.seg", "s1.4.live", "s1.3.live", "s0.seg", "s0.5.hnsw", "s1.5.hnsw", "x.tmp", "log-1");
    await writeCommit(nodeFiles, folder, SECOND, undefined);
    expect(removeUnreferenced(nodeFiles, folder, SECOND)).toEqual(["s0.5.hnsw", "s0.seg", "s1.3.live", "x.tmp"]);
    expect(nodeFiles.list(folder)).toEqual(["commit", "log-1", "s1.4.live", "s1.5.hnsw", "s1.seg", "s2.seg"]);
  });
});

describe("live docs", () => {
  it("lie in the words that the format's comment shows and come back", () => {
    expect(Buffer.from(encodeLiveDocs(3, Uint32Array.of(5))).toString("hex")).toBe(hex("03000000 02000000 05000000"));
    const folder = temporaryFolder();
    const target = { segment: "s1", generation: 2, docCount: 70 };
    const live = Uint32Array.of(0xfffffffe, 0x7fffffff, 0x3f);
    writeLiveDocs(nodeFiles, folder, target, live);
    expect(readLiveDocs(nodeFiles, folder, target)).toEqual(live);
    expect(readLiveDocs(nodeFiles, folder, target).buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(() => readLiveDocs(nodeFiles, folder, { ...target, docCount: 30 })).toThrow(/expected 30 documents/);
    expect(() => readLiveDocs(nodeFiles, folder, { ...target, generation: 3 })).toThrow(/s1\.3\.live/);
  });
});
