import { expect, it } from "vitest";
import { HeldFiles } from "./held-files.js";

it("a file that somebody holds is removed when the last of them lets go, and not before", () => {
  const removed: string[] = [];
  const held = new HeldFiles((file) => removed.push(file));
  const first = held.hold(["a", "b"]);
  const second = held.hold(["a"]);
  held.remove("a");
  held.remove("c");
  expect(removed).toEqual(["c"]);
  first();
  first();
  expect(removed).toEqual(["c"]);
  second();
  expect(removed).toEqual(["c", "a"]);
  held.remove("b");
  expect(removed).toEqual(["c", "a", "b"]);
});
