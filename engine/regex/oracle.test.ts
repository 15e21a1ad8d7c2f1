import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { OrderedSearch } from "./ordered-search.js";
import { parsePattern } from "./parse.js";
import { compileProgram } from "./program.js";
import { randomPattern, randomText } from "./testing/random-pattern.js";

const CASES = 10_000;
/** Time enough for a machine that does other things beside. */
const SLOW_MS = 120_000;
const SEED = Number(process.env.REGEX_SEED ?? Date.now() % 2 ** 31);

function firstRange(pattern: string, text: string): readonly [number, number] | null {
  const node = parsePattern(pattern, {
    caseInsensitive: false,
    classes: "ascii",
    anchors: "text",
    lineFeeds: "allowed",
  });
  const bytes = Buffer.from(text);
  return new OrderedSearch(compileProgram(node, pattern)).find({ bytes, begin: 0, end: bytes.length }, 0);
}

function oracleRange(pattern: string, text: string): readonly [number, number] | null {
  const matcher = RE2JS.compile(pattern).matcher(text);
  if (!matcher.find()) return null;
  const bytesTo = (units: number) => Buffer.byteLength(text.slice(0, units));
  return [bytesTo(matcher.start()), bytesTo(matcher.end())];
}

describe("matches are RE2's", () => {
  it(
    `${CASES} random patterns and texts, seed ${SEED}`,
    () => {
      const random = randomPattern(SEED);
      const wrong: unknown[] = [];
      let matched = 0;
      for (let i = 0; i < CASES; i++) {
        const { source } = random();
        const text = randomText(random.random);
        const expected = oracleRange(source, text);
        const range = firstRange(source, text);
        if (expected !== null) matched++;
        if (String(range) !== String(expected)) wrong.push({ source, text, range, expected });
      }
      expect(wrong).toEqual([]);
      // A test of patterns that never match would say little.
      expect(matched).toBeGreaterThan(CASES / 5);
    },
    SLOW_MS,
  );
});
