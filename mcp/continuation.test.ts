import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContinuationError, DEEPEST, formatContinuation, parseContinuation } from "./continuation.js";

const none = { queries: [], limit: 10 };

describe("a continuation", () => {
  test("is a whole call", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 10 }),
        fc.nat(DEEPEST - 1),
        fc.nat(49),
        (queries, offset, limit) => {
          const next = { queries, offset, limit: limit + 1 };
          const alone = { ...next, isAlone: true };
          expect(parseContinuation(formatContinuation(next, 1e6), none)).toEqual(alone);
        },
      ),
    );
  });

  test("is short where the long one would take too much, and then needs its query", () => {
    const next = { queries: ["a long query ".repeat(20)], offset: 12, limit: 5 };
    const short = formatContinuation(next, 100);
    expect(short).toBe("@12");
    expect(parseContinuation(short, next)).toEqual(next);
    expect(() => parseContinuation(short, none)).toThrow(/must be given beside it/);
  });

  test("stays whole once it was given alone, however little room there is", () => {
    const next = { queries: ["a long query ".repeat(20)], offset: 12, limit: 5, isAlone: true };
    expect(parseContinuation(formatContinuation(next, 10), none)).toEqual(next);
  });

  test.each(["@2000", "@9999999", forged({ o: 1e9 }), forged({ o: 2000 })])("%s leads too deep", (text) => {
    expect(() => parseContinuation(text, { queries: ["q"], limit: 10 })).toThrow(/searches go to hit 2000/);
  });

  test.each([forged({ l: 51 }), forged({ q: Array(11).fill("x") }), forged({ o: 0.5 }), forged({ o: -1 })])(
    "%s is refused: it asks for what no search gives",
    (text) => {
      expect(() => parseContinuation(text, none)).toThrow(/is no continuation/);
    },
  );

  test.each(["", "12", "s1.", "s1.!!!", `s1.${Buffer.from('{"q":[],"o":0,"l":1}').toString("base64url")}`])(
    "%j is refused",
    (text) => {
      expect(() => parseContinuation(text, none)).toThrow(ContinuationError);
    },
  );
});

function forged(fields: Record<string, unknown>): string {
  return `s1.${Buffer.from(JSON.stringify({ q: ["x"], o: 0, l: 10, ...fields })).toString("base64url")}`;
}
