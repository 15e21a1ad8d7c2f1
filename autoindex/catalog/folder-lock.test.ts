import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { FolderLock, type LockRequest, readFolder } from "./folder-lock.js";
import { folderState } from "./holder.js";
import { ensureCodeIndices } from "./indices.js";
import type { FolderEntry } from "./manifest.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});
beforeEach(async () => {
  await ensureCodeIndices(client);
});

const take = (more: Partial<LockRequest> = {}) =>
  FolderLock.acquire({ client, root: "/r", repo: "r", patienceMs: 0, ...more });

/** Rewrites the holder as the catalog has it, as if another had written it. */
function changeHolder(change: object): void {
  const entry = node.documents(INDEX.catalog).get(catalogId("folder", "/r", "")) as unknown as FolderEntry;
  Object.assign(entry.holder!, change);
}

describe("a folder is held by one run at a time", () => {
  it("of two that want it at once one waits until the other lets go", async () => {
    const told: string[] = [];
    const wait = {
      patienceMs: 10_000,
      onWait: (who: string) => told.push(who),
      timing: { beatMs: 1000, silentMs: 60_000, pollMs: 1 },
    };
    let held = 0;
    const work = async () => {
      const lock = await take(wait);
      expect(++held).toBe(1);
      await lock.write({ state: "unfinished" });
      held--;
      await lock.release({ state: "finished" });
    };
    await Promise.all([work(), work(), work()]);
    expect(told[0]).toContain(`process ${process.pid} on `);
    expect(await readFolder(client, "/r")).toMatchObject({ state: "finished", holder: null });
  });

  it("one without patience is told who is at it, where and since when", async () => {
    const lock = await take();
    expect(folderState((await readFolder(client, "/r"))!)).toBe("running");
    await expect(take()).rejects.toMatchObject({
      problem: "busy",
      message: expect.stringMatching(/^\/r is being indexed by process \d+ on .+ since \d{4}-\d\d-\d\dT/),
    });
    await lock.release();
    await (await take()).release();
  });

  it("a run whose process is gone from this machine is replaced at once", async () => {
    await take();
    changeHolder({ run: "of another process", pid: spawnSync("true").pid });
    await (await take()).release();
  });

  it("a run of this process that failed without letting go is replaced at once", async () => {
    const lock = await take();
    node.before = ({ method }) => {
      return method === "PUT" ? "break" : "serve";
    };
    await lock.abandon();
    node.before = () => "serve";
    const left = (await readFolder(client, "/r"))!;
    expect(left.holder).not.toBeNull();
    expect(folderState(left)).toBe("cut_off");
    await (await take()).release();
  });

  it("a run on another machine is replaced when it has fallen silent, and can no longer write", async () => {
    const first = await take();
    changeHolder({ machine: "another" });
    await expect(take()).rejects.toMatchObject({ problem: "busy" });
    const second = await take({ timing: { beatMs: 1000, silentMs: 0, pollMs: 1 } });
    await expect(first.write({ state: "finished" })).rejects.toMatchObject({ problem: "busy" });
    expect(() => first.check()).toThrow(/taken over/);
    await second.release({ state: "finished" });
    expect(await readFolder(client, "/r")).toMatchObject({ state: "finished", holder: null });
  });

  it("an answer that got lost does not lose the folder", async () => {
    const lock = await take();
    const { written, sequence } = node.indices.get(INDEX.catalog)!;
    const id = catalogId("folder", "/r", "");
    // The node has done the write, only its answer was lost.
    sequence.set(id, 1000);
    written.set(id, { ...written.get(id) });
    await lock.release({ state: "finished" });
    expect(await readFolder(client, "/r")).toMatchObject({ state: "finished", holder: null });
  });
});
