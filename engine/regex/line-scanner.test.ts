import { describe, expect, it } from "vitest";
import { mayMatch } from "./gram-query.js";
import { gramAt } from "./grams.js";
import { compileLinePattern } from "./line-pattern.js";
import { LEAST_SCANNER_BYTES } from "./line-scanner.js";
import { OrderedSearch } from "./ordered-search.js";
import { randomPattern, randomText } from "./testing/random-pattern.js";
import { linesOf, matchingLines, patternOf } from "./testing/scanner.js";

const SEED = Number(process.env.REGEX_SEED ?? Date.now() % 2 ** 31);
/** Many patterns are compiled: time enough for a machine that does other things beside. */
const SLOW_MS = 120_000;
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const found = (text: string, pattern: string, more = {}) =>
  matchingLines(bytesOf(text), patternOf(pattern, more)).map(([begin, end]) =>
    Buffer.from(text).subarray(begin, end).toString(),
  );

/** Line by line, with the search that re2js vouches for. */
function slowly(text: Uint8Array, options: ReturnType<typeof patternOf>): [number, number][] {
  const search = new OrderedSearch(compileLinePattern(options).program);
  return linesOf(text).filter(([begin, end]) => search.find({ bytes: text, begin, end }, begin) !== null);
}

/** Patterns without \n, which a line cannot have. */
function randomCases(count: number): { options: ReturnType<typeof patternOf>; text: Uint8Array }[] {
  const random = randomPattern(SEED);
  return Array.from({ length: count }, () => {
    const { source } = random();
    const lines = Array.from({ length: 1 + random.random() * 8 }, () => randomText(random.random));
    const ends = ["\n", "\r\n", "\n\n", "\r\r\n"];
    const text = lines.map((line) => line + ends[Math.floor(random.random() * ends.length)]).join("");
    const bytes = bytesOf(random.random() < 0.5 ? text : text.trimEnd());
    if (random.random() < 0.1 && bytes.length > 0) bytes[Math.floor(random.random() * bytes.length)] = 0xc3;
    const wholeWord = random.random() < 0.2;
    return { options: patternOf(source, { wholeWord, caseInsensitive: random.random() < 0.2 }), text: bytes };
  });
}

describe("lines that a pattern matches", () => {
  it.each([
    ["begins and ends of lines", "ab\r\nab c\n\nab", "^ab$", {}, ["ab", "ab"]],
    ["empty lines", "a\n\n\r\nb\n", "^$", {}, ["", ""]],
    ["nothing behind the last line feed", "a\n", "", {}, ["a"]],
    ["a carriage return that ends no line", "a\rb\r\nc\r", "\\r", {}, ["a\rb", "c\r"]],
    ["a class does not cross lines", "a\nb", "a\\s*b|a[^x]b", {}, []],
    [
      "case by Unicode",
      "\u212aey\nTASK\nta\u017fk\nK",
      "k|task",
      { caseInsensitive: true },
      ["\u212aey", "TASK", "taſk", "K"],
    ],
    ["words by Unicode", "élan\nan lan\nlan é", "\\blan\\b", {}, ["an lan", "lan é"]],
    [
      "whole words",
      "foobar\nfoo bar\n-foo-\nfoo_\nfooé",
      "foo|foobar",
      { wholeWord: true },
      ["foobar", "foo bar", "-foo-"],
    ],
    ["a whole word that is none", "a -- b\na--b", "--", { wholeWord: true }, ["a -- b"]],
    ["text as it stands", "a.c\nabc", "a.c", { syntax: "literal" }, ["a.c"]],
    [
      "text in any case",
      "Straße\nSTRAẞE\nstrasse",
      "straße",
      { syntax: "literal", caseInsensitive: true },
      ["Straße", "STRAẞE"],
    ],
    ["bytes of zero", "a\0b\nab", "a\\x00b", {}, ["a\0b"]],
    ["\\d and \\w are Unicode's, unless switched off", "٣\n3", "\\d", {}, ["٣", "3"]],
    ["... here they are", "٣\n3", "(?-u)\\d", {}, ["3"]],
  ])("%s", (_, text, pattern, more, expected) => {
    expect(found(text, pattern, more)).toEqual(expected);
  });

  it("bytes that are no UTF-8 are matched by no class, and hide nothing", () => {
    const text = Uint8Array.from([0x61, 0xff, 0x62, 10, 0x61, 0xe9, 10, 0x62, 0x61]);
    expect(matchingLines(text, patternOf("a.b"))).toEqual([]);
    expect(matchingLines(text, patternOf("b"))).toEqual([
      [0, 3],
      [7, 9],
    ]);
    expect(matchingLines(text, patternOf("\\bba\\b"))).toEqual([[7, 9]]);
  });

  it(
    `are those that a slow search finds, seed ${SEED}`,
    () => {
      const wrong = randomCases(400).filter(({ options, text }) => {
        const expected = JSON.stringify(slowly(text, options));
        return JSON.stringify(matchingLines(text, options)) !== expected;
      });
      expect(wrong).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    `are the same by the kernel's twin, and where the table is dropped again and again, seed ${SEED}`,
    () => {
      const wrong = randomCases(150).filter(({ options, text }) => {
        const expected = JSON.stringify(slowly(text, options));
        const twin = JSON.stringify(matchingLines(text, options, { which: "twin" }));
        return (
          twin !== expected || JSON.stringify(matchingLines(text, options, { bytes: LEAST_SCANNER_BYTES })) !== expected
        );
      });
      expect(wrong).toEqual([]);
    },
    SLOW_MS,
  );

  it("states that do not fit in the table are made anew", () => {
    // The automaton of this pattern has 2^12 states: one for each way to place the last twelve letters.
    const random = randomPattern(7).random;
    const text = bytesOf(Array.from({ length: 20_000 }, () => (random() < 0.5 ? "a" : "b")).join("") + "\n".repeat(2));
    const options = patternOf("a[ab]{12}c");
    expect(matchingLines(text, options, { bytes: LEAST_SCANNER_BYTES })).toEqual([]);
  });

  it("a line of millions of bytes is one line", () => {
    const text = bytesOf(`${"x".repeat(2_000_000)}needle${"y".repeat(100_000)}\nneedle`);
    expect(matchingLines(text, patternOf("needle"))).toEqual([
      [0, 2_100_006],
      [2_100_007, 2_100_013],
    ]);
    expect(matchingLines(text, patternOf("^[xy]+n.*y$"))).toEqual([[0, 2_100_006]]);
  });

  it("a pattern that other engines take for ever over is read in one go", () => {
    const text = bytesOf(`${"a".repeat(50_000)}\n`);
    expect(matchingLines(text, patternOf("(a*)*b|(a|aa)+$"))).toEqual([[0, 50_000]]);
    expect(matchingLines(text, patternOf("(x+x+)+y"))).toEqual([]);
  });
});

describe("grams that a match needs", () => {
  it(
    `never leave out a line that matches, seed ${SEED}`,
    () => {
      let asked = 0;
      const lost = randomCases(600).filter(({ options, text }) => {
        const { grams } = compileLinePattern(options);
        if (grams.kind !== "all") asked++;
        return slowly(text, options).some(([begin, end]) => {
          const line = text.subarray(begin, end);
          const has = new Set(Array.from(line, (_, at) => gramAt(line, at)));
          return !mayMatch(grams, (gram) => has.has(gram));
        });
      });
      expect(lost).toEqual([]);
      expect(asked).toBeGreaterThan(60);
    },
    SLOW_MS,
  );
});
