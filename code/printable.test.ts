import { expect, test } from "vitest";
import { printable } from "./printable.js";

test.each([
  ["src/a.ts", "src/a.ts"],
  ["two\nlines\r.ts", "two\\nlines\\r.ts"],
  ["\u001b[31mred", "\\x1b[31mred"],
  ["\u0000\u007f\u009b\u2028", "\\x00\\x7f\\x9b\\u2028"],
  ["größe 設定", "größe 設定"],
])("%j is printed as %s", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("what is to be kept is kept", () => {
  expect(printable("\ta\u001b", "\t")).toBe("\ta\\x1b");
});
