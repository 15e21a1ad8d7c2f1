import { expect, test } from "vitest";
import { momentFault } from "./moment.js";

test.each([
  "2020-13-45",
  "2026-02-29",
  "1969-12-31",
  "2100-01-01",
  "2026-01-01 25:00",
  "2026-01-01T10:61",
  "0000-00-00",
])("%s is no moment in any repository", (value) =>
  expect(momentFault(value)).toMatch(/it is no date from 1970 to 2099$/),
);

test("what begins with a minus is none", () => {
  expect(momentFault("--all")).toBe("there is no such commit, branch or tag, and it is no date");
});

test.each([
  "2024-02-29",
  "2026-1-1 23:59:60",
  "2026-01-01T10:00",
  "v1.2",
  "3d",
  "2020-13",
  "2020-13-45-hotfix",
  "HEAD~3",
])("%s may be one: git is asked", (value) => expect(momentFault(value)).toBeUndefined());
