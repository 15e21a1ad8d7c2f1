import { describe, expect, it } from "vitest";
import type { FileEntry } from "../catalog/manifest.js";
import { ManifestTree } from "./manifest-tree.js";

const entry = (path: string) => ({ path }) as FileEntry;
const tree = (...paths: string[]) => new ManifestTree(paths.map(entry));
const under = (of: ManifestTree, path: string) => [...of.under(path).keys()].sort();

describe("the manifest as a tree", () => {
  it.each([
    ["", ["a.py", "a/b.py", "a/c/d.py", "a/out/", "ab.py"]],
    ["a", ["a/b.py", "a/c/d.py", "a/out/"]],
    ["a/c", ["a/c/d.py"]],
    ["a/out", ["a/out/"]],
    ["a.py", ["a.py"]],
    ["none", []],
  ])("finds what lies under %j", (path, found) => {
    expect(under(tree("a.py", "a/b.py", "a/c/d.py", "a/out/", "ab.py"), path)).toEqual(found);
  });

  it("forgets folders that hold nothing any more, and takes them again", () => {
    const manifest = tree("a/b/c.py", "a/d.py");
    manifest.set("a/b/c.py", undefined);
    expect(under(manifest, "a")).toEqual(["a/d.py"]);
    manifest.set("a/d.py", undefined);
    expect([under(manifest, ""), manifest.size]).toEqual([[], 0]);
    manifest.set("a/b/c.py", entry("a/b/c.py"));
    expect(under(manifest, "a/b")).toEqual(["a/b/c.py"]);
  });

  it("keeps what lies in a folder that was left out as a whole before", () => {
    const manifest = tree("out/");
    manifest.set("out/a.py", entry("out/a.py"));
    manifest.set("out/", undefined);
    expect(under(manifest, "out")).toEqual(["out/a.py"]);
    manifest.set("out/a.py", undefined);
    expect(manifest.size).toBe(0);
  });
});
