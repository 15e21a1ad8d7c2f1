import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTokens } from "../code/index.js";
import { byteLength, cutText, FRAME_TOKENS, Page } from "./page.js";

describe("a page", () => {
  test("takes a piece whole or not at all, and goes on", () => {
    const page = new Page(FRAME_TOKENS + 2);
    expect([page.add("abcd"), page.add("efg"), page.add("hi")]).toEqual([true, false, true]);
    expect(page.text()).toBe("abcdhi");
  });

  test("keeps room back", () => {
    const page = new Page(FRAME_TOKENS + 2);
    page.reserve(4);
    expect(page.add("abc")).toBe(false);
    page.reserve(-4);
    expect(page.add("abc")).toBe(true);
  });

  test("never passes its budget, whatever is added", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.array(fc.string({ unit: "binary" })), (budget, pieces) => {
        const page = new Page(budget);
        for (const piece of pieces) {
          page.add(piece);
          page.addCut(piece);
        }
        expect(countTokens(page.text())).toBeLessThanOrEqual(Math.max(0, budget - FRAME_TOKENS));
      }),
    );
  });
});

describe("a cut text", () => {
  test.each([
    ["short", 10, "short"],
    ["a long line of code that does not fit", 25, "a long li ... (+28 bytes)"],
    ["äöüäöüäöüäöüäöüäöü", 20, "äö ... (+32 bytes)"],
    ["no room", 3, "no "],
    ["x", 0, ""],
  ])("%j in %d bytes", (text, bytes, cut) => {
    expect(cutText(text, bytes)).toBe(cut);
  });

  test("stays within its bytes, of whole characters, and counts what it left out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(200), (text, bytes) => {
        const cut = cutText(text, bytes);
        expect(byteLength(cut)).toBeLessThanOrEqual(bytes);
        const note = / \.\.\. \(\+(\d+) bytes\)$/.exec(cut);
        if (note === null) expect(text.startsWith(cut)).toBe(true);
        else expect(byteLength(cut.slice(0, note.index)) + Number(note[1])).toBe(byteLength(text));
      }),
    );
  });
});
