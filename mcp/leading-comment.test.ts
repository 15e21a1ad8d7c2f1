import { describe, expect, test } from "vitest";
import { commentAbove, commentLines } from "./leading-comment.js";

const lines = ["import x", "// one", "// two", "@mark", "f() {", "}"];

describe("the comment above a declaration", () => {
  test.each([
    ["there, with what stands between", { comment: "// one\n// two", docStartLine: 2, startLine: 5 }, 5, 3],
    ["moved with it", { comment: "// one\r\n// two", docStartLine: 12, startLine: 15 }, 5, 3],
    ["another one now", { comment: "// one\n// 2", docStartLine: 2, startLine: 5 }, 5, 0],
    ["above the first line", { comment: "// one", docStartLine: 2, startLine: 8 }, 5, 0],
    ["none", { comment: "", docStartLine: 5, startLine: 5 }, 5, 0],
  ])("%s", (_, indexed, startLine, count) => {
    expect(commentAbove(lines, startLine, indexed)).toEqual(lines.slice(4 - count, 4));
  });

  test("from the index alone only where it reaches down to the code", () => {
    expect(commentLines({ comment: "// a\n// b", docStartLine: 3, startLine: 5 })).toEqual(["// a", "// b"]);
    expect(commentLines({ comment: "// a", docStartLine: 3, startLine: 5 })).toEqual([]);
  });
});
