import { expect, it } from "vitest";
import { compileLinePattern } from "./line-pattern.js";
import { LineRanges } from "./line-ranges.js";
import { OrderedSearch } from "./ordered-search.js";
import { randomPattern, randomText } from "./testing/random-pattern.js";

const CASES = 2000;
const SEED = Number(process.env.REGEX_SEED ?? Date.now() % 2 ** 31);

function patternOf(pattern: string) {
  return compileLinePattern({ pattern, syntax: "regex", caseInsensitive: false, wholeWord: false, extent: "line" });
}

/** What the ordered search alone finds in a line. */
function searched(pattern: string, line: Uint8Array): number[] {
  const search = new OrderedSearch(patternOf(pattern).program);
  return [...search.findAll({ bytes: line, begin: 0, end: line.length })].flat();
}

it(`ranges are those of the ordered search, ${CASES} random patterns and lines, seed ${SEED}`, () => {
  const random = randomPattern(SEED);
  const wrong: unknown[] = [];
  let matches = 0;
  for (let i = 0; i < CASES; i++) {
    const { source } = random();
    const line = randomText(random.random).replace(/[\r\n]/g, " ");
    // Between two others, so that offsets count and what is beside the line does not.
    const before = Buffer.from("beside\n");
    const bytes = Buffer.from(line);
    const text = Buffer.concat([before, bytes, before]);
    const ranges = new LineRanges(patternOf(source)).of(text, before.length, before.length + bytes.length);
    const expected = searched(source, bytes);
    matches += expected.length / 2;
    if (String(ranges) !== String(expected)) wrong.push({ source, line, ranges, expected });
  }
  expect(wrong).toEqual([]);
  expect(matches).toBeGreaterThan(CASES / 5);
});

it.each([
  ["an attempt at every byte reads to the end in vain", "a*b", `${"a".repeat(5000)}c ab`],
  ["there are more states than are kept", "[ab]*a[ab]{12}c", `${"abbabaab".repeat(60)}c abababababababc`],
  ["the shorter way is preferred", "ab|abc|a+?", "abc aaa"],
  ["the longer way is preferred", "(a|ab)(c|bcd)*x?", "abcdx abx acx"],
  ["characters have many bytes", "[äöü]+|é.", "xäöüé😀"],
])("ranges are the same when %s", (_, pattern, line) => {
  const bytes = Buffer.from(line);
  expect(new LineRanges(patternOf(pattern)).of(bytes, 0, bytes.length)).toEqual(searched(pattern, bytes));
});
