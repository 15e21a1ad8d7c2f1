import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folder.js";
import { oddNameNote, resolveRoot } from "./identity.js";

describe("a folder whose own name is no UTF-8", () => {
  const home = () => {
    const root = folderWith({});
    mkdirSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]));
    return root;
  };

  it("is refused with the reason, by its name, through a link and above it", () => {
    const root = home();
    // As the command line gives it.
    const odd = path.join(root, "caf\uFFFD");
    expect(oddNameNote(odd)).toMatch(/no UTF-8/);
    expect(() => resolveRoot(odd)).toThrow(/its path has a name that is no UTF-8/);
    symlinkSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]), path.join(root, "link"));
    expect(() => resolveRoot(path.join(root, "link"))).toThrow(/its path has a name that is no UTF-8/);
    mkdirSync(path.join(root, "link", "plain"));
    expect(oddNameNote(path.join(root, "link", "plain"))).toMatch(/no UTF-8/);
  });

  it("is none when it is really called so, or when the name of something in it is", () => {
    const root = folderWith({ "caf\uFFFD/a.txt": "" });
    expect(resolveRoot(path.join(root, "caf\uFFFD"))).toBe(path.join(root, "caf\uFFFD"));
    expect(resolveRoot(home())).toBeTruthy();
    expect(oddNameNote(path.join(root, "gone"))).toBe("");
  });
});
