import { expect, test } from "vitest";
import { checkAutoCreate, checkAutoCreateSetting } from "./auto-create.js";

test.each([
  [undefined, undefined],
  ["true", undefined],
  ["false", "no such index [logs-a] and [action.auto_create_index] is [false]"],
  ["logs-*", undefined],
  ["+logs-*,-*", undefined],
  [
    "-logs-*,+*",
    "no such index [logs-a] and [action.auto_create_index] contains [-logs-*] which forbids automatic creation of the index",
  ],
  ["other*", "no such index [logs-a] and [action.auto_create_index] ([other*]) doesn't match"],
])("the setting %s on a write to a new name", (setting, refused) => {
  const check = () => checkAutoCreate("logs-a", setting);
  if (refused === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(refused);
});

test("a pattern that is no pattern is refused", () => {
  expect(() => checkAutoCreateSetting("action.auto_create_index", "a,-")).toThrow(
    "Can't parse [a,-] for setting [action.auto_create_index] must be either [true, false, or a comma separated list of index patterns]",
  );
  expect(() => checkAutoCreateSetting("action.auto_create_index", "+a*,-b*")).not.toThrow();
});
