import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWorkingFile } from "./working-file.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pinakes-file-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a file as it is now", () => {
  test("has its blob and lines; bytes that are no UTF-8 have no lines", async () => {
    writeFileSync(join(root, "a"), "one\ntwo\n");
    writeFileSync(join(root, "b"), "o\0n\0e\0");
    expect(await readWorkingFile(root, "a")).toMatchObject({ state: "present", lines: ["one", "two"] });
    expect(await readWorkingFile(root, "b")).toMatchObject({ state: "present", lines: undefined });
  });

  test("a file that vanishes while it is looked at is gone, not an error", async () => {
    for (let n = 0; n < 200; n++) {
      writeFileSync(join(root, "a"), "one\n");
      const looking = readWorkingFile(root, "a");
      for (let turn = 0; turn < n % 12; turn++) await new Promise((resolve) => setImmediate(resolve));
      renameSync(join(root, "a"), join(root, "b"));
      expect(["present", "absent"]).toContain((await looking).state);
    }
  });

  test("a link out of the folder is not followed, a folder is no file", async () => {
    symlinkSync(tmpdir(), join(root, "out"));
    expect(await readWorkingFile(root, "out")).toMatchObject({ state: "out of sight" });
    expect(await readWorkingFile(root, "none")).toMatchObject({ state: "absent" });
  });
});
