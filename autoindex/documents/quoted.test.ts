import { expect, it } from "vitest";
import { quoted } from "./quoted.js";

const TEXTS = ["", "Store.read", "operator <=>", 'a"b', "a\\b", "a\nb", "größe", "\ud800", "a\u2028b", "\u007f", "~x"];

it.each(TEXTS)("%j is quoted as JSON.stringify does it", (text) => {
  expect(quoted(text)).toBe(JSON.stringify(text));
});

it("every character of one byte is", () => {
  for (let code = 0; code < 256; code++) {
    const text = String.fromCharCode(code);
    expect(quoted(text)).toBe(JSON.stringify(text));
  }
});
