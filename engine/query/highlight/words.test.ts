import { describe, expect, it } from "vitest";
import { wordBoundaries } from "./words.js";

function pieces(text: string): string[] {
  const at = [...wordBoundaries(text)];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
}

describe("words", () => {
  it.each([
    ["a-Engine-x.y.z-user@example.com-more", ["a-Engine-x.y.z-user", "@", "example.com-more"]],
    ["two  words.", ["two", "  ", "words", "."]],
    ["costs $1,000.50 or 20%, a1b2", ["costs", " ", "$1,000.50", " ", "or", " ", "20%", ",", " ", "a1b2"]],
    ["don't -- stop", ["don't", " ", "-", "-", " ", "stop"]],
    ["日本語テスト", ["日本語", "テスト"]],
    ["e\u0301te\u0301", ["e\u0301te\u0301"]],
    ["a\r\nb", ["a", "\r\n", "b"]],
    ["😀x", ["😀", "x"]],
  ])("are cut as Java cuts them: %s", (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });
});
