import fc from "fast-check";
import { expect, it } from "vitest";
import { EscapedText } from "./escaped-text.js";

const plain = "abc ".repeat(200);
const TEXTS = {
  empty: "",
  plain,
  lines: `a\t"b"\\n\n`.repeat(100),
  controls: "\0\u0001\b\f\r\u001f\u007f\u2028",
  letters: "größe 漢字\n".repeat(60),
  pairs: "a\ud83d\ude00b\n".repeat(100),
  halves: "\ud83d\n\ude00\ude00\ud83d\ud83d\ude00x",
};

it.each(Object.entries(TEXTS))("any part of a text is quoted as JSON.stringify does it: %s", (_, text) => {
  const escaped = new EscapedText(text);
  expect(escaped.whole).toBe(JSON.stringify(text));
  for (let start = 0; start <= text.length; start += 7) {
    for (let end = start; end <= text.length; end += 3) {
      expect(escaped.slice(start, end)).toBe(JSON.stringify(text.slice(start, end)));
    }
  }
});

it("random texts are too", () => {
  const unit = fc.constantFrom("a", "\n", '"', "\\", "ü", "\ud800", "\udc00", "\u0001", "x".repeat(255));
  fc.assert(
    fc.property(fc.array(unit), fc.nat(), fc.nat(), (units, a, b) => {
      const text = units.join("");
      const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
      expect(new EscapedText(text).slice(start, end)).toBe(JSON.stringify(text.slice(start, end)));
    }),
    { seed: 5 },
  );
});
