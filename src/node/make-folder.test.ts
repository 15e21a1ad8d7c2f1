import { existsSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { FolderError, makeFolder } from "./make-folder.js";

const scratch = () => mkdtempSync(path.join(tmpdir(), "pinakes-make-"));

describe("a folder", () => {
  it("is made with those above it, and for its owner alone, and left as it is when it is there", () => {
    const folder = path.join(scratch(), "a/b/c");
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("below a file is refused by name", () => {
    const file = path.join(scratch(), "file");
    writeFileSync(file, "");
    expect(() => makeFolder(path.join(file, "a/b"))).toThrow(FolderError);
    expect(() => makeFolder(file)).toThrow(`${file} cannot be made: it is there and is no folder`);
  });

  it("behind a link that leads nowhere is refused by name", () => {
    const link = path.join(scratch(), "link");
    symlinkSync("/no/such/place", link);
    expect(() => makeFolder(path.join(link, "a"))).toThrow(FolderError);
  });

  it.skipIf(!existsSync("/proc/self"))("that the system cannot make is refused at once, with its reason", () => {
    expect(() => makeFolder("/proc/pinakes/data")).toThrow(/\/proc\/pinakes\/data cannot be made: .*ENOENT/);
  });
});
