import { expect, test } from "vitest";
import { fromPrintable, printable } from "./printable.js";

test.each([
  ["src/a.ts", "src/a.ts"],
  ["two\nlines\r.ts", "two\\nlines\\r.ts"],
  ["\u001b[31mred", "\\x1b[31mred"],
  ["\u0000\u007f\u009b\u2028", "\\x00\\x7f\\x9b\\u2028"],
  ["größe 設定", "größe 設定"],
  ["photo\u202egpj.exe", "photo\\u202egpj.exe"],
  ["\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069", "\\u202a\\u202b\\u202c\\u202d\\u2066\\u2067\\u2068\\u2069"],
  ["pay\u200bpal pay\u200dpal \u2060\ufeff\u200e\u061c", "pay\\u200bpal pay\\u200dpal \\u2060\\ufeff\\u200e\\u061c"],
  // Joiners where writing needs them.
  ["می\u200cخواهم क्\u200dष 👩\u200d💻 👩🏽\u200d💻", "می\u200cخواهم क्\u200dष 👩\u200d💻 👩🏽\u200d💻"],
])("%j is printed as %s", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("what is to be kept is kept", () => {
  expect(printable("\ta\u001b", "\t")).toBe("\ta\\x1b");
});

test("what is shown leads back to the text", () => {
  const text = "a\nb\r\tc\u001b\u007f\u009f\u2028\u202e\u2069\u200b\u200d\ufeff\u061c\u180e.py";
  expect(fromPrintable(printable(text))).toBe(text);
  // Bytes that are no UTF-8 are written in capitals, and are no characters.
  expect(fromPrintable("caf\\xE9.py")).toBe("caf\\xE9.py");
});
