import { describe, expect, it } from "vitest";
import { lineDiff } from "./line-diff.js";

describe("a diff by lines", () => {
  it("is empty for equal texts, and all lines of a new one", () => {
    expect(lineDiff("a\nb\n", "a\nb\n")).toEqual([]);
    expect(lineDiff("", "a\nb\n")).toEqual(["+a", "+b"]);
  });

  it("shows what differs with three lines around it", () => {
    const lines = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    const after = lines.flatMap((line) => (line === "5" ? ["five", "more"] : [line]));
    expect(lineDiff(lines.join("\n"), after.join("\n"))).toEqual([
      ...[" 2", " 3", " 4"],
      ...["-5", "+five", "+more"],
      ...[" 6", " 7", " 8"],
    ]);
  });

  it("keeps the lines between two changes", () => {
    expect(lineDiff("a\nx\nb\n", "A\nx\nB\n")).toEqual(["-a", "+A", " x", "-b", "+B"]);
  });
});
