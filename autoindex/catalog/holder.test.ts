import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { endHolder, folderState, isWatched, newHolder } from "./holder.js";
import type { FolderEntry } from "./manifest.js";

const folder = (more: Partial<FolderEntry>): FolderEntry => ({
  ...{ entry: "folder", root: "/r", repo: "r", files: 1, declarations: 1, records: 0, skipped: {} },
  ...{ finished_at: "2020-01-01T00:00:00.000Z", state: "finished" },
  ...more,
});

describe("the state of a folder", () => {
  it("does not call a folder watched whose watcher was killed", () => {
    const living = newHolder("watch");
    const holder = { ...living, run: "killed", pid: spawnSync("true").pid };
    endHolder(living);
    expect(folderState(folder({ holder }))).toBe("whole");
    expect(folderState(folder({ holder, state: "unfinished" }))).toBe("cut_off");
    expect(isWatched(folder({ holder }))).toBe(false);
  });

  it("calls it running while the process lives, or may live on another machine", () => {
    const holder = newHolder("watch");
    expect(folderState(folder({ holder }))).toBe("running");
    expect(folderState(folder({ holder: { ...holder, run: "r", machine: "other", pid: spawnSync("true").pid } }))).toBe(
      "running",
    );
    endHolder(holder);
  });
});
