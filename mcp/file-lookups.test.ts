import { afterEach, beforeEach, expect, test } from "vitest";
import { FileLookups } from "./file-lookups.js";
import { SymbolIndex } from "./symbol-index.js";
import { Session } from "./testing/session.js";
import { Workspace } from "./workspace.js";

let session: Session;
beforeEach(async () => {
  session = await Session.start();
});
afterEach(() => session.stop());

test("what is asked in one turn is one request for each repository, and each question has its own answer", async () => {
  const folder = session.folder("app");
  for (const path of ["a.py", "lib/a.py", "lib/b.py", "c.py"]) folder.add(path, "x = 1\n");
  folder.finish();
  const other = session.folder("other");
  other.add("a.py", "y = 1\n");
  other.finish();
  const lookups = new FileLookups(new SymbolIndex(await Workspace.open({ client: session.client })));
  const find = async (repo: string, paths: string[], names: string[]) =>
    (await lookups.find({ repo, paths, names })).map((file) => `${file.repo}/${file.path}`);
  const before = session.node.requests.length;
  const answers = await Promise.all([
    find("app", ["c.py"], []),
    find("app", [], ["a.py"]),
    find("other", ["a.py", "c.py"], []),
    find("app", ["lib/b.py", "none.py"], ["c.py"]),
    find("app", ["none.py"], ["none.py"]),
  ]);
  expect(answers).toEqual([
    ["app/c.py"],
    ["app/a.py", "app/lib/a.py"],
    ["other/a.py"],
    ["app/c.py", "app/lib/b.py"],
    [],
  ]);
  expect(session.node.requests.length - before).toBe(2);
  expect(await find("app", ["a.py"], [])).toEqual(["app/a.py"]);
});
