import { describe, expect, test } from "vitest";
import type { CodeHit } from "../code/index.js";
import type { Located } from "./located.js";
import { renderHit } from "./render-hit.js";

const hit: CodeHit = {
  id: "1",
  score: 1,
  repo: "r",
  path: "a.ts",
  language: "typescript",
  class: "source",
  blob: "0123456789ab",
  kind: "function",
  name: "f",
  qualifiedName: "A.f",
  signature: "f(x)",
  docstring: "",
  code: "",
  startLine: 3,
  endLine: 5,
  startByte: 20,
  endByte: 50,
  comment: "",
  docStartLine: 3,
  span: "0123456789ab",
  locator: "a.ts:3-5#A.f@0123456789ab~0123456789ab",
};
const locator = hit.locator;

function at(lines: string[], state: "exact" | "changed" = "exact", qualifiedName = "A.f"): Located {
  const place = { ...hit, comment: [], qualifiedName, lines };
  return state === "exact" ? { state, place, verified: true } : { state, place, found: "by its name", verified: true };
}

function render(located: Located, more: { hit?: Partial<CodeHit>; wanted?: string[]; seen?: Set<string> } = {}) {
  const shown = { hit: { ...hit, ...more.hit }, located, wanted: more.wanted ?? ["tree"], note: "" };
  const { keys, ...texts } = renderHit(shown, more.seen);
  return texts;
}

describe("a hit", () => {
  test("at its four levels", () => {
    expect(render(at(["f(x) {", "  return tree;", "}"]))).toEqual({
      location: `${locator}\n`,
      signature: `${locator} function\n  f(x)\n`,
      lines: `${locator} function\n  f(x)\n4:   return tree;\n`,
      body: `${locator} function\n3: f(x) {\n4:   return tree;\n5: }\n`,
    });
  });

  test("whose first line matches is not given its signature twice", () => {
    expect(render(at(["f(tree) {", "}"])).lines).toBe(`${locator} function\n3: f(tree) {\n`);
  });

  test("that is a window is shown by its matching lines, and called by its path once", () => {
    const window = { kind: "window", signature: "", qualifiedName: "a.ts" } as const;
    const rendered = render(at(["/**", " * tree", " */"], "exact", "a.ts"), { hit: window });
    expect(rendered.signature).toBe("a.ts:3-5#@0123456789ab~0123456789ab window\n4:  * tree\n");
    expect(rendered.lines).toBe(rendered.signature);
  });

  test("that has changed shows nothing of what it was", () => {
    expect(render(at(["", "  f(x, y) {", "}"], "changed")).signature).toBe(
      `${locator} function (changed, found by its name)\n  f(x, y) {\n`,
    );
  });

  test("that is long has no body, and a long line is cut", () => {
    expect(render(at(Array.from({ length: 61 }, () => "x"))).body).toBeUndefined();
    expect(render(at([`tree ${"x".repeat(500)}`])).lines).toMatch(/\n3: tree x+ \.\.\. \(\+\d+ bytes\)\n$/);
  });

  test("is shown with its comment where the words stand there", () => {
    const located = at(["f(x) {", "}"]);
    if (located.state === "gone") throw new Error("it is there");
    located.place.comment = ["/**", " * A tree. */"];
    expect(render(located)).toMatchObject({
      lines: `${locator} function\n  f(x)\n2:  * A tree. */\n`,
      body: `${locator} function\n1: /**\n2:  * A tree. */\n3: f(x) {\n4: }\n`,
    });
    expect(render(located, { wanted: ["f"] }).body).toBe(`${locator} function\n3: f(x) {\n4: }\n`);
  });

  test("on a long line is shown around the match, with the bytes on either side", () => {
    const line = `${"a;".repeat(400)}tree()${"z;".repeat(400)}`;
    const shown = /3: \(\+(\d+) bytes\) \.\.\. (.*) \.\.\. \(\+(\d+) bytes\)\n/;
    const { lines, body } = render(at([line]));
    for (const text of [lines, body ?? ""]) {
      const [, before, piece, after] = shown.exec(text) ?? [];
      expect(piece).toContain("tree()");
      expect(Number(before) + piece.length + Number(after)).toBe(line.length);
    }
    const located = at(["tree()"]);
    if (located.state === "gone") throw new Error("it is there");
    Object.assign(located.place, { before: 900, after: 70 });
    expect(render(located).lines).toContain("3: (+900 bytes) ... tree() ... (+70 bytes)\n");
  });

  test("leaves out the lines that are shown already", () => {
    const lines = at(["f(x) {", "  return tree;", "  tree();", "}"]);
    expect(render(lines, { seen: new Set(["r\0a.ts\u00004"]) }).lines).toBe(
      `${locator} function\n  f(x)\n5:   tree();\n`,
    );
  });

  test("that is gone has its old locator and why", () => {
    const gone: Located = { state: "gone", reason: "no such file", verified: true };
    expect(render(gone)).toEqual({
      location: `${locator} (gone: no such file)\n`,
      signature: `${locator} (gone: no such file)\n`,
      lines: `${locator} (gone: no such file)\n`,
    });
  });
});
