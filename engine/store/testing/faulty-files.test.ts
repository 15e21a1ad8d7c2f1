import { describe, expect, it } from "vitest";
import type { FileHandle } from "../files.js";
import { FaultyFiles, faultAt, fullFrom } from "./faulty-files.js";
import { MemoryDisk } from "./memory-disk.js";

const bytes = (value: string) => new TextEncoder().encode(value);

function some(): { disk: MemoryDisk; files: FaultyFiles; file: FileHandle } {
  const disk = new MemoryDisk();
  disk.makeDirectory("/d");
  const files = new FaultyFiles(disk);
  return { disk, files, file: files.open("/d/a", "create") };
}

describe("FaultyFiles", () => {
  it("count every operation, by kind too", async () => {
    const { files, file } = some();
    file.writeAt(bytes("ab"), 0);
    file.writev([bytes("c"), bytes("d")], 2);
    file.sync();
    await file.syncAsync();
    file.readAt(new Uint8Array(2), 0);
    file.truncate(1);
    file.size();
    files.stat("/d/a");
    files.list("/d");
    files.makeDirectory("/d/e");
    files.rename("/d/a", "/d/b");
    files.unlink("/d/b");
    files.removeTree("/d/e");
    files.syncDirectory("/d");
    const counts = ["open", "write", "sync", "read", "truncate", "stat", "list", "make folder", "rename", "remove"];
    expect(counts.map((step) => files.count(step as "open"))).toEqual([1, 2, 2, 1, 1, 2, 1, 1, 1, 2]);
    expect([files.count("sync folder"), files.operations, files.injected]).toEqual([1, 15, 0]);
  });

  it("fail the n-th operation, after a part of a write, and no other", () => {
    const { disk, files, file } = some();
    files.plan = faultAt(3, { kind: "error", errno: "ENOSPC", written: 3 });
    file.writeAt(bytes("one "), 0);
    const second = () => file.writev([bytes("tw"), bytes("o ")], 4);
    expect(second).toThrow(
      expect.objectContaining({ code: "io", details: expect.objectContaining({ errno: "ENOSPC" }) }),
    );
    expect(disk.stat("/d/a")?.size).toBe(7);
    second();
    expect([disk.stat("/d/a")?.size, files.injected]).toEqual([8, 1]);
  });

  it("are full from an operation on until the test makes room; what needs no room goes on", () => {
    const { files, file } = some();
    files.plan = fullFrom(2);
    expect(() => file.writeAt(bytes("one"), 0)).toThrow(/ENOSPC/);
    expect(() => files.open("/d/b", "create")).toThrow(/ENOSPC/);
    file.sync();
    files.list("/d");
    files.plan = () => undefined;
    file.writeAt(bytes("one"), 0);
  });

  it("fail for good once they are off, and say when", async () => {
    const { files, file } = some();
    const seen: number[] = [];
    files.whenOff = () => seen.push(files.operations);
    files.plan = faultAt(3, { kind: "off", written: 0 });
    file.writeAt(bytes("one"), 0);
    await expect(file.syncAsync()).rejects.toThrow(/EIO/);
    expect(() => file.readAt(new Uint8Array(1), 0)).toThrow(/EIO/);
    expect(() => files.list("/d")).toThrow(/EIO/);
    expect([seen, files.operations, files.injected]).toEqual([[3], 3, 1]);
    file.close();
  });

  it("a sync that was under way when they went off is not reported done", async () => {
    const { files, file } = some();
    const syncing = file.syncAsync();
    files.switchOff();
    await expect(syncing).rejects.toThrow(/EIO/);
  });

  it("touch only paths that contain the pattern", () => {
    const disk = new MemoryDisk();
    disk.makeDirectory("/d");
    const files = new FaultyFiles(disk, { pattern: ".wal" });
    files.plan = () => ({ kind: "error", errno: "EIO", written: 0 });
    files.open("/d/a.seg", "create").writeAt(bytes("fine"), 0);
    expect(() => files.open("/d/a.wal", "create")).toThrow(/EIO/);
    expect(files.operations).toBe(1);
  });
});
