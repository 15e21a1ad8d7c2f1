import { afterEach, beforeEach, expect, test } from "vitest";
import { INDEX } from "../code/index.js";
import { loadFolders } from "./catalog.js";
import { Session } from "./testing/session.js";

let session: Session;
beforeEach(async () => {
  session = await Session.start();
});
afterEach(() => session.stop());

const entry = { entry: "folder", root: "/x", repo: "x", files: 1, declarations: 1, records: 0, skipped: {} };

test("a folder that an idle watcher holds is whole, though searches see it in the midst of its last change", async () => {
  session.node.put(INDEX.catalog, "folder.x", { ...entry, state: "unfinished" });
  session.node.realTime.set("folder.x", { ...entry, state: "finished" } as never);
  expect(await loadFolders(session.client)).toMatchObject([{ repo: "x", state: "finished" }]);
});

test("a folder of which a run was cut off is told of as such", async () => {
  session.node.put(INDEX.catalog, "folder.x", { ...entry, state: "unfinished" });
  expect(await loadFolders(session.client)).toMatchObject([{ repo: "x", state: "unfinished" }]);
});
