import { describe, expect, it } from "vitest";
import { readSmallFile, replaceFile, replaceFileAsync } from "../small-file.js";
import { chanceOf } from "./chance.js";
import { FaultyFiles } from "./faulty-files.js";
import { MemoryDisk, PROCESS_KILLED, randomPowerCut } from "./memory-disk.js";
import { PAGE } from "./memory-file.js";

const bytes = (value: string) => new TextEncoder().encode(value);

function diskWith(folder: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.makeDirectory(folder);
  disk.syncDirectory("/");
  return disk;
}

function contents(disk: MemoryDisk, file: string): Buffer {
  const handle = disk.open(file, "read");
  const into = Buffer.alloc(handle.size());
  expect(handle.readAt(into, 0)).toBe(into.length);
  return into;
}

const text = (disk: MemoryDisk, file: string) => contents(disk, file).toString();

describe("a disk in memory", () => {
  it("reads what was written, holes as zeros, over page limits, after truncation", () => {
    const disk = diskWith("/d");
    const file = disk.open("/d/a", "create");
    file.writev([bytes("head"), bytes("tail")], PAGE - 6);
    expect(file.size()).toBe(PAGE + 2);
    file.writeAt(bytes("x"), 3 * PAGE);
    const all = contents(disk, "/d/a");
    expect(all.subarray(PAGE - 6, PAGE + 3).toString("latin1")).toBe("headtail\0");
    expect(all.subarray(PAGE + 2, 3 * PAGE).every((byte) => byte === 0)).toBe(true);
    file.truncate(PAGE - 3);
    file.truncate(PAGE + 10);
    expect(
      contents(disk, "/d/a")
        .subarray(PAGE - 6)
        .toString("latin1"),
    ).toBe(`hea${"\0".repeat(13)}`);
    expect(file.readAt(new Uint8Array(5), 2 * PAGE)).toBe(0);
  });

  it("keeps the contract of files: modes, lists, folders", () => {
    const disk = diskWith("/d");
    expect(() => disk.open("/d/a", "read")).toThrow(/ENOENT/);
    expect(() => disk.open("/none/a", "create")).toThrow(/ENOENT/);
    disk.open("/d/a", "exclusive").writeAt(bytes("1"), 0);
    expect(() => disk.open("/d/a", "exclusive")).toThrow(/EEXIST/);
    disk.makeDirectory("/d/e/f");
    disk.open("/d/e/f/b", "create");
    expect([disk.list("/d"), disk.list("/none")]).toEqual([["a", "e"], []]);
    expect(disk.stat("/d/e")?.directory).toBe(true);
    disk.rename("/d/e", "/d/g");
    disk.rename("/d/a", "/d/g/f/b");
    expect(text(disk, "/d/g/f/b")).toBe("1");
    disk.removeTree("/d/g");
    disk.unlink("/d/none");
    expect(disk.list("/d")).toEqual([]);
  });

  it("loses bytes that were not synced, and names whose folder was not", () => {
    const disk = diskWith("/d");
    const a = disk.open("/d/a", "create");
    a.writeAt(bytes("kept"), 0);
    a.sync();
    disk.syncDirectory("/d");
    a.writeAt(bytes("lost"), 4);
    disk.open("/d/b", "create").sync();
    disk.crash();
    expect(disk.list("/d")).toEqual(["a"]);
    expect(text(disk, "/d/a")).toBe("kept");
    expect(() => a.size()).toThrow(/EIO/);
  });

  it("brings back a removed file whose folder was not synced", () => {
    const disk = diskWith("/d");
    const a = disk.open("/d/a", "create");
    a.sync();
    disk.syncDirectory("/d");
    disk.unlink("/d/a");
    disk.crash();
    expect(disk.list("/d")).toEqual(["a"]);
  });

  it("keeps everything when only the process dies, until the power goes too", () => {
    const disk = diskWith("/d");
    const a = disk.open("/d/a", "create");
    a.writeAt(bytes("all"), 0);
    disk.crash(PROCESS_KILLED);
    expect(text(disk, "/d/a")).toBe("all");
    expect(() => a.size()).toThrow(/EIO/);
    disk.crash();
    expect(disk.list("/d")).toEqual([]);
  });

  it("a sync covers what was written before it was asked for, and nothing of it when the power goes first", async () => {
    const disk = diskWith("/d");
    const a = disk.open("/d/a", "create");
    disk.syncDirectory("/d");
    a.writeAt(bytes("one"), 0);
    const first = a.syncAsync();
    a.writeAt(bytes("two"), 0);
    await first;
    const image = disk.copy();
    image.crash();
    expect(text(image, "/d/a")).toBe("one");
    const second = a.syncAsync();
    disk.crash();
    await expect(second).rejects.toMatchObject({ code: "io" });
    expect(text(disk, "/d/a")).toBe("one");
  });

  it("leaves any mixture of old and new sectors, and no other byte, in all lengths between", () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const disk = diskWith("/d");
      const a = disk.open("/d/a", "create");
      a.writeAt(new Uint8Array(PAGE).fill(1), 0);
      a.sync();
      disk.syncDirectory("/d");
      a.writeAt(new Uint8Array(2 * PAGE).fill(2), 0);
      disk.crash({ bytes: "some", names: "none", chance: chanceOf(seed) });
      const left = contents(disk, "/d/a");
      expect(left.length).toBeGreaterThanOrEqual(PAGE);
      expect(left.length).toBeLessThanOrEqual(2 * PAGE);
      expect(left.subarray(0, PAGE).every((byte) => byte === 1 || byte === 2)).toBe(true);
      expect(left.subarray(PAGE).every((byte) => byte === 0 || byte === 2)).toBe(true);
      seen.add(`${left.length > PAGE} ${new Set(left.subarray(0, PAGE)).size} ${left[0]} ${left.at(-1)}`);
    }
    expect(seen.size).toBeGreaterThan(8);
  });

  it("may leave a page as any of the writes since the last sync left it, none before that sync", async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 300; seed++) {
      const disk = diskWith("/d");
      const a = disk.open("/d/a", "create");
      disk.syncDirectory("/d");
      a.writeAt(bytes("0000"), 0);
      await a.syncAsync();
      a.writeAt(bytes("1111"), 0);
      const syncing = a.syncAsync();
      a.writeAt(bytes("2222"), 0);
      a.writeAt(bytes("3333"), 0);
      if (seed % 2 === 0) await syncing;
      const left = disk.copy();
      left.crash({ bytes: "some", names: "none", chance: chanceOf(seed) });
      seen.add(`${seed % 2} ${text(left, "/d/a")}`);
      await syncing;
    }
    const [synced, unsynced] = ["0", "1"].map((which) => [...seen].filter((one) => one.startsWith(which)).sort());
    expect(synced).toEqual(["0 1111", "0 2222", "0 3333"]);
    expect(unsynced).toEqual(["1 0000", "1 1111", "1 2222", "1 3333"]);
  });

  it("keeps names changed up to a moment, or any of them, renames whole", () => {
    const ends = { prefix: new Set<string>(), some: new Set<string>() };
    for (let seed = 0; seed < 100; seed++) {
      for (const names of ["prefix", "some"] as const) {
        const disk = diskWith("/d");
        disk.open("/d/new", "create").sync();
        disk.rename("/d/new", "/d/a");
        disk.open("/d/b", "create").sync();
        disk.crash({ bytes: "none", names, chance: chanceOf(seed) });
        ends[names].add(disk.list("/d").join());
      }
    }
    expect([...ends.prefix].sort()).toEqual(["", "a", "a,b", "new"]);
    expect([...ends.some].sort()).toEqual(["", "a", "a,b", "b", "b,new", "new"]);
  });

  it("copies lead lives of their own", () => {
    const disk = diskWith("/d");
    const a = disk.open("/d/a", "create");
    a.writeAt(bytes("shared"), 0);
    const copy = disk.copy();
    a.writeAt(bytes("S"), 0);
    copy.open("/d/a", "update").writeAt(bytes("D"), 5);
    copy.flipBit("/d/a", 0, 0);
    expect([text(disk, "/d/a"), text(copy, "/d/a")]).toEqual(["Shared", "rhareD"]);
    expect(copy.paths()).toEqual(["/d/a"]);
  });

  it("after a failed sync a later one that succeeds does not bring back what was lost", () => {
    const ends = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const disk = diskWith("/d");
      const files = new FaultyFiles(disk, { chance: chanceOf(seed) });
      const a = files.open("/d/a", "create");
      files.syncDirectory("/d");
      a.writeAt(bytes("data"), 0);
      files.plan = () => ({ kind: "error", errno: "EIO", written: 0 });
      expect(() => a.sync()).toThrow(/EIO/);
      files.plan = () => undefined;
      const seenBefore = text(disk, "/d/a");
      a.sync();
      disk.crash();
      ends.add(`${seenBefore}>${text(disk, "/d/a")}`.replaceAll("\0", "0"));
    }
    expect([...ends].sort()).toEqual(["0000>0000", "data>0000", "data>data"]);
  });
});

describe("replacing a small file", () => {
  it("leaves the old or the new contents whole, wherever the power is cut and whatever survives", () => {
    let steps = Number.POSITIVE_INFINITY;
    const ends = new Set<string>();
    for (let at = 1; at <= steps; at++) {
      for (let seed = 0; seed < 20; seed++) {
        const disk = diskWith("/d");
        replaceFile(disk, "/d/a", bytes("old"));
        const files = new FaultyFiles(disk);
        files.plan = ({ number, bytes }) => (number === at ? { kind: "off", written: bytes >> 1 } : undefined);
        let done = false;
        try {
          replaceFile(files, "/d/a", bytes("the new one"));
          done = true;
          steps = files.operations;
        } catch {}
        disk.crash(randomPowerCut(chanceOf(seed)));
        const found = new TextDecoder().decode(readSmallFile(disk, "/d/a"));
        expect(done ? ["the new one"] : ["old", "the new one"], `cut at ${at}, seed ${seed}`).toContain(found);
        ends.add(found);
      }
    }
    expect(ends.size).toBe(2);
  });

  it("shows the old or the new contents when the power goes at any turn of the event loop", async () => {
    const ends = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const disk = diskWith("/d");
      replaceFile(disk, "/d/a", bytes("old"));
      const replacing = replaceFileAsync(disk, "/d/a", bytes("new")).catch(() => {});
      for (let turn = 0; turn < seed % 6; turn++) await new Promise(setImmediate);
      const left = disk.copy();
      await replacing;
      left.crash(randomPowerCut(chanceOf(seed)));
      ends.add(new TextDecoder().decode(readSmallFile(left, "/d/a")));
    }
    expect([...ends].sort()).toEqual(["new", "old"]);
  });
});
