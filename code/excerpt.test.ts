import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerpt } from "./excerpt.js";

describe("an excerpt of a long line", () => {
  const line = `${"a".repeat(500)}NEEDLE${"z".repeat(500)}`;

  test("shows the place looked for, with the bytes left out on either side", () => {
    const shown = excerpt({ text: line, at: 500, maxBytes: 80 });
    const parts = /^\(\+(\d+) bytes\) \.{3} (.*) \.{3} \(\+(\d+) bytes\)$/.exec(shown);
    expect(parts?.[2]).toContain("NEEDLE");
    expect(Number(parts?.[1]) + Number(parts?.[3]) + (parts?.[2].length ?? 0)).toBe(line.length);
  });

  test("counts what lies beside a piece of a line", () => {
    expect(excerpt({ text: "piece", at: 0, maxBytes: 80, before: 7, after: 9 })).toBe(
      "(+7 bytes) ... piece ... (+9 bytes)",
    );
  });

  test("has no note on a side where nothing is left out, and leaves a short line alone", () => {
    expect(excerpt({ text: line, at: 0, maxBytes: 60 })).toMatch(/^a+ \.{3} \(\+\d+ bytes\)$/);
    expect(excerpt({ text: line, at: 1005, maxBytes: 60 })).toMatch(/^\(\+\d+ bytes\) \.{3} z+$/);
    expect(excerpt({ text: "short", at: 3, maxBytes: 60 })).toBe("short");
  });

  test("keeps to its bytes, of whole characters, and loses none in counting", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(300), fc.nat(200), (text, at, maxBytes) => {
        const shown = excerpt({ text, at: Math.min(at, text.length), maxBytes });
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(maxBytes);
        const parts = /^(?:\(\+(\d+) bytes\) \.{3} )?([\s\S]*?)(?: \.{3} \(\+(\d+) bytes\))?$/.exec(shown);
        if (parts?.[1] === undefined && parts?.[3] === undefined) return;
        const counted = Number(parts[1] ?? 0) + Number(parts[3] ?? 0) + Buffer.byteLength(parts[2]);
        expect(counted).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
