import { expect, test } from "vitest";
import { UsageError, wholeNumber } from "./command.js";

const read = (name: string, value: string) =>
  wholeNumber({ args: [], options: { [name]: value } }, name, { min: 1, max: 9 });

test("a whole number within its bounds is read", () => {
  expect(read("limit", "7")).toBe(7);
  expect(wholeNumber({ args: [], options: {} }, "limit", { min: 1, max: 9 })).toBeUndefined();
});

test.each([
  ["limit", "x", '--limit takes a whole number from 1 to 9, not "x"'],
  ["afterContext", "-1", '--after-context takes a whole number from 1 to 9, not "-1"'],
  ["beforeContext", "10", '--before-context takes a whole number from 1 to 9, not "10"'],
  ["context", "1.5", '--context takes a whole number from 1 to 9, not "1.5"'],
])("--%s %s is refused by the flag as it is typed", (name, value, message) => {
  expect(() => read(name, value)).toThrow(new UsageError(message));
});
