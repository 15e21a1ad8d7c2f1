import { describe, expect, test } from "vitest";
import { matchingLines } from "./matching-lines.js";

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
    { line: 12, text: "  const READ_TIMEOUT = 5;", matched: 2 },
  ]);
});
