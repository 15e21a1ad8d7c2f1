import path from "node:path";
import { expect, it } from "vitest";
import { resolveRepositoryFolders } from "./repository-folders.js";

it("snapshot repositories may lie where --path-repo says, else PINAKES_PATH_REPO, else where the engine wants them", () => {
  expect(resolveRepositoryFolders("/a, b,", { PINAKES_PATH_REPO: "/c" })).toEqual(["/a", path.resolve("b")]);
  expect(resolveRepositoryFolders(undefined, { PINAKES_PATH_REPO: "/c,/d" })).toEqual(["/c", "/d"]);
  expect(resolveRepositoryFolders(undefined, {})).toBeUndefined();
});
