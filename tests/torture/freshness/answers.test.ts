import { describe, expect, it } from "vitest";
import { parseGrep, parseTool, staleness } from "./answers.js";
import type { WorkingTree } from "./working-tree.js";

const BLOB = "0123456789abcdef0123456789abcdef01234567";
const text = "def f(a):\n    return 1\n";
/** A tree whose file held one text up to 10 and another from 9 on: at the change both may be seen. */
const tree = {
  versions: (_path: string, from: number, until: number) =>
    [
      { text, blob: BLOB, from: 0, until: 10 },
      { text: text.replace("1", "2"), blob: "f".repeat(40), from: 9, until: 100 },
    ].filter((version) => version.from <= until && version.until >= from),
} as unknown as WorkingTree;
const answer = `hits 1-1 of 1 for f\na b/x.py:1-2#f@${BLOB.slice(0, 12)}~${"1".repeat(12)} function (moved +1 lines)\n1: def f(a):\n2:     return 1\n`;

describe("what was shown is judged by what the file held meanwhile", () => {
  it.each([
    [1, 5, "fresh"],
    [8, 50, "fresh"],
    [11, 50, "stale"],
  ])("asked from %i to %i: %s", (from, until, verdict) => {
    const [shown] = parseTool(answer);
    expect(shown).toMatchObject({ path: "a b/x.py", lines: [{ line: 1 }, { line: 2, text: "    return 1" }] });
    expect(staleness(tree, shown, { from, until }) === undefined).toBe(verdict === "fresh");
  });

  it("a line of the command line likewise, its note apart; what is unverified is a fault", () => {
    const [plain, moved] = parseGrep("x.py:2:    return 2\nx.py:2:    return 1  (moved +1 lines)\n");
    expect([staleness(tree, plain, { from: 50, until: 60 }), moved.note]).toEqual([undefined, "(moved +1 lines)"]);
    expect(staleness(tree, moved, { from: 50, until: 60 })).toContain("return 1");
    expect(staleness(tree, { ...plain, note: "(unverified)" }, { from: 50, until: 60 })).toContain("unverified");
  });
});
