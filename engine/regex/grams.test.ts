import { describe, expect, it } from "vitest";
import { ALL_TEXTS, allOf, anyOf, gramsOfBytes, mayMatch, NO_TEXTS, printGramQuery } from "./gram-query.js";
import { GRAM_COUNT, GRAM_LETTER, GRAM_LETTERS, gramAt, NO_GRAM, printGram } from "./grams.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const print = (text: string) => printGramQuery(gramsOfBytes(bytes(text)));

describe("the alphabet of grams", () => {
  it("has 128 letters, and every byte one of them", () => {
    expect(GRAM_LETTER.length).toBe(256);
    expect(Math.max(...GRAM_LETTER)).toBeLessThan(GRAM_LETTERS);
    expect(GRAM_COUNT).toBe(2 ** 21);
  });

  it("folds upper case of ASCII and nothing else of it", () => {
    expect(printGram(gramAt(bytes("FoO"), 0))).toBe("foo");
    const printable = Array.from({ length: 95 }, (_, i) => i + 32).filter((byte) => byte < 65 || byte > 90);
    expect(printable.filter((byte) => GRAM_LETTER[byte] !== byte)).toEqual([]);
  });

  it("gives bytes above 0x7f letters that no printable byte has", () => {
    const ascii = new Set(GRAM_LETTER.subarray(0, 128));
    expect([...GRAM_LETTER.subarray(128)].filter((letter) => ascii.has(letter))).toEqual([]);
    expect(new Set(GRAM_LETTER.subarray(0x80, 0xc0)).size).toBe(32);
    expect(new Set(GRAM_LETTER.subarray(0xc0)).size).toBe(23);
  });

  it("has no gram over a line feed or the end", () => {
    const text = bytes("ab\ncde");
    expect(Array.from(text, (_, at) => gramAt(text, at))).toEqual([
      NO_GRAM,
      NO_GRAM,
      NO_GRAM,
      gramAt(bytes("cde"), 0),
      NO_GRAM,
      NO_GRAM,
    ]);
  });
});

describe("what is asked of the grams", () => {
  it("wants every gram of a text once, and nothing of a short one", () => {
    expect(print("Foo(foo")).toBe('("(fo" "foo" "o(f" "oo(")');
    expect(print("ab")).toBe("all");
    expect(print("ab\ncd")).toBe("all");
  });

  it("joins by and, or, with what says nothing and what cannot be", () => {
    const [foo, bar] = [gramsOfBytes(bytes("foo")), gramsOfBytes(bytes("bar"))];
    expect(printGramQuery(allOf([foo, anyOf([bar, foo])]))).toBe('("foo" ("bar"|"foo"))');
    expect(printGramQuery(anyOf([foo, ALL_TEXTS]))).toBe("all");
    expect(printGramQuery(allOf([foo, ALL_TEXTS]))).toBe('"foo"');
    expect(printGramQuery(allOf([foo, NO_TEXTS]))).toBe("none");
    expect(printGramQuery(anyOf([NO_TEXTS]))).toBe("none");
    expect(printGramQuery(allOf([allOf([foo, bar]), foo]))).toBe('("bar" "foo")');
  });

  it("is answered by the grams of a text", () => {
    const text = bytes("a FOO and a baz");
    const grams = new Set(Array.from(text, (_, at) => gramAt(text, at)));
    const has = (gram: number) => grams.has(gram);
    const [foo, bar, baz] = ["foo", "bar", "baz"].map((word) => gramsOfBytes(bytes(word)));
    expect(mayMatch(allOf([foo, baz]), has)).toBe(true);
    expect(mayMatch(allOf([foo, bar]), has)).toBe(false);
    expect(mayMatch(anyOf([foo, bar]), has)).toBe(true);
  });
});
