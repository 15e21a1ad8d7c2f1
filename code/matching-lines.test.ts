import { describe, expect, test } from "vitest";
import { lineOfName, matchingLines, rangesOf } from "./matching-lines.js";

const code = [
  "function readTimeoutHandler(socket) {",
  "  // handler for the timeout",
  "  const READ_TIMEOUT = 5;\r",
  "  socket.readtimeout = timeouts;",
  "  return utf8;",
  "}",
].join("\n");

function lines(wanted: string[], count = 10): number[] {
  return matchingLines({ code, startLine: 10, wanted, count }).map(({ line }) => line);
}

describe("a word stands on a line", () => {
  test.each([
    ["timeout", [10, 11, 12]],
    ["Timeout", [10, 11, 12]],
    ["readTimeout", [10, 12, 13]],
    ["timeout handler", [10]],
    ["read_timeout", [10, 12]],
    ["time", []],
    ["utf 8", [14]],
    ["&&", []],
  ])("%j on %j", (wanted, expected) => {
    expect(lines([wanted])).toEqual(expected);
  });
});

test("when there are too many, those with most of the words stay, in the file's order", () => {
  expect(lines(["timeout", "handler", "const"], 2)).toEqual([10, 11]);
  expect(matchingLines({ code, startLine: 10, wanted: ["timeout", "const"], count: 1 })).toEqual([
    { line: 12, text: "  const READ_TIMEOUT = 5;", matched: 2, column: 2 },
  ]);
});

test("of lines with as many words, the preferred one stays", () => {
  expect(matchingLines({ code, startLine: 10, wanted: ["timeout"], count: 1, preferred: 12 })[0]).toMatchObject({
    line: 12,
    column: 13,
  });
});

describe("the line that carries a name", () => {
  test.each([
    [["@total.setter", "def total(self):", "  return self.total"], "Card.total", 1],
    [["@property", "@total", "x"], "total", 1],
    [["#[test]", "fn adds() {"], "adds", 1],
    [["totals"], "total", undefined],
    [["x"], "", undefined],
  ])("%j %s", (lines, name, expected) => {
    expect(lineOfName(lines, name)).toBe(expected);
  });
});

test("places of wanted texts on a line, whatever their case, in bytes", () => {
  expect(rangesOf("é readTimeout, TIMEOUT", ["timeout", "readtime"])).toEqual([
    [3, 14],
    [16, 23],
  ]);
  expect(rangesOf("nothing", ["", "x"])).toEqual([]);
});
