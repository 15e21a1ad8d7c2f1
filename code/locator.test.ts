import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatLocator, isLocator, type Locator, LocatorError, parseLocator } from "./locator.js";

const blob = "0123456789ab";
const span = "cdef01234567";

function locator(path: string, qualifiedName: string): Locator {
  return { path, startLine: 10, endLine: 24, qualifiedName, blob, span };
}

describe("a locator as it is written", () => {
  test.each([
    ["src/server.ts", "Server.start", "src/server.ts:10-24#Server.start@0123456789ab~cdef01234567"],
    ["my notes/a b.md", "", "my notes/a b.md:10-24#@0123456789ab~cdef01234567"],
    ["c#/x@2~y:3.cs", "A.B", "c#/x@2~y:3.cs:10-24#A.B@0123456789ab~cdef01234567"],
    ["a.rb", "Queue#pop", "a.rb:10-24#Queue#pop@0123456789ab~cdef01234567"],
    ["a:1-2#b", "C.#d", "a:1-2%23b:10-24#C.#d@0123456789ab~cdef01234567"],
    ["100%.txt", "x", "100%25.txt:10-24#x@0123456789ab~cdef01234567"],
    ["a\nb", "x", "a%0Ab:10-24#x@0123456789ab~cdef01234567"],
  ])("%j and %j", (path, name, text) => {
    expect(formatLocator(locator(path, name))).toBe(text);
    expect(parseLocator(text)).toEqual(locator(path, name));
  });

  test("whole hashes are cut to twelve digits", () => {
    const text = formatLocator({ ...locator("a", "b"), blob: blob.repeat(3), span: span.repeat(3) });
    expect(parseLocator(text)).toEqual(locator("a", "b"));
  });

  test("what cannot be in a locator is refused when it is written", () => {
    expect(() => formatLocator({ ...locator("a", "b"), blob: "xyz" })).toThrow(/hex hashes/);
    expect(() => formatLocator({ ...locator("a", "b"), startLine: 1.5 })).toThrow(/whole line numbers/);
    expect(() => formatLocator(locator("", "b"))).toThrow(/needs a path/);
  });
});

describe("a locator as it is read", () => {
  test("other texts are refused with the syntax", () => {
    for (const text of ["", "src/a.ts", "src/a.ts:10", "a:1-2#x@123~456", "a:1-2@0123456789ab~0123456789ab"]) {
      expect(() => parseLocator(text)).toThrow(LocatorError);
      expect(() => parseLocator(text)).toThrow(/path:start-end#name@blob~span/);
      expect(isLocator(text)).toBe(false);
    }
  });

  test("a bare percent sign in a path typed by hand means itself", () => {
    expect(parseLocator(`50%/x%zz%ff:1-2#n@${blob}~${span}`).path).toBe("50%/x%zz%ff");
  });
});

test("any path and any name come back as they were", () => {
  const piece = fc.constantFrom(
    ":1-2#",
    "@0123456789ab~0123456789ab",
    "#",
    "%",
    "%41",
    "~",
    " ",
    "\n",
    "\u2028",
    "ü",
    "🗂",
  );
  const text = fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, text, fc.nat(), fc.nat(), (path, name, startLine, endLine) => {
      fc.pre(path.join("") !== "");
      const given = { ...locator(path.join(""), name.join("")), startLine, endLine };
      expect(parseLocator(formatLocator(given))).toEqual(given);
      expect(isLocator(formatLocator(given))).toBe(true);
    }),
  );
});
