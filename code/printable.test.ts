import { expect, test } from "vitest";
import { fromPrintable, printable } from "./printable.js";

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

test("what is shown leads back to the text", () => {
  const text = "a\nb\r\tc\u001b\u007f\u009f\u2028.py";
  expect(fromPrintable(printable(text))).toBe(text);
  // Bytes that are no UTF-8 are written in capitals, and are no characters.
  expect(fromPrintable("caf\\xE9.py")).toBe("caf\\xE9.py");
});
