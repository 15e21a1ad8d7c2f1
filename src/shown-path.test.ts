import { expect, it } from "vitest";
import { shownPath } from "./shown-path.js";

it.each([
  ["/home/a/project", "src/x.ts"],
  ["/home/a/project/src", "x.ts"],
  ["/home/a", "project/src/x.ts"],
  ["/", "home/a/project/src/x.ts"],
  ["/home/a/project/lib", "/home/a/project/src/x.ts"],
  ["/home/a/proj", "/home/a/project/src/x.ts"],
])("a file is named from %s as %s", (cwd, shown) => {
  const file = { repo: "r", path: "src/x.ts", onDisk: "/home/a/project/src/x.ts" };
  expect(shownPath(file, cwd)).toBe(shown);
});

it("a name that only begins with two dots lies below", () => {
  expect(shownPath({ repo: "r", path: "..x", onDisk: "/a/..x" }, "/a")).toBe("..x");
});

it("a file of another machine is named by its repository, and control characters are escaped", () => {
  expect(shownPath({ repo: "r", path: "a\nb.ts", onDisk: undefined }, "/")).toBe("r/a\\nb.ts");
});
