import { expect, test } from "vitest";
import { byteName, pathBytes, replacedPath } from "./byte-path.js";

const bytes = (...pieces: (string | number)[]) =>
  Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : Buffer.from([piece]))));

test.each<[Buffer, string]>([
  [bytes("caf", 0xe9, ".py"), "caf\\xE9.py"],
  [bytes(0xff, "ä", 0xc3, "€😀", 0x80), "\\xFFä\\xC3€😀\\x80"],
  // Overlong, a surrogate, and a sequence that is cut off are no UTF-8.
  [bytes(0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xe2, 0x82), "\\xC0\\xAF\\xED\\xA0\\x80\\xE2\\x82"],
])("a name of any bytes becomes a text and the bytes again: %#", (name, text) => {
  expect(byteName(name)).toBe(text);
  expect(Buffer.from(pathBytes(text)!)).toEqual(name);
});

test("other names are as they are", () => {
  expect(byteName(bytes("plain ä \\x41.py"))).toBe("plain ä \\x41.py");
  expect(pathBytes("plain/ä\\x41\\xe9.py")).toBeUndefined();
});

test("what others show of such a name leads to it", () => {
  expect(replacedPath("a/caf\\xE9.py")).toBe("a/caf\uFFFD.py");
  expect(replacedPath("a/b.py")).toBe("a/b.py");
});
