import { expect, it, vi } from "vitest";
import { compileLinePattern } from "./line-pattern.js";
import { MatchFinder } from "./match-finder.js";
import { OrderedSearch } from "./ordered-search.js";
import { randomPattern, randomText } from "./testing/random-pattern.js";
import { patternOf } from "./testing/scanner.js";

const CASES = 1500;
const SEED = Number(process.env.REGEX_SEED ?? Date.now() % 2 ** 31);
const SLOW_MS = 120_000;

const programOf = (pattern: string, more = {}) =>
  compileLinePattern(patternOf(pattern, { extent: "lines", ...more })).program;

/** Whole texts of lines, some with a byte that is no UTF-8. */
function randomBytes(random: () => number): Uint8Array {
  const lines = Array.from({ length: 1 + random() * 6 }, () => randomText(random));
  const bytes = new Uint8Array(Buffer.from(lines.map((line) => line + (random() < 0.3 ? "\r\n" : "\n")).join("")));
  if (random() < 0.2 && bytes.length > 0) bytes[Math.floor(random() * bytes.length)] = 0xc3;
  return random() < 0.5 ? bytes : bytes.subarray(0, Math.max(0, bytes.length - 1));
}

it(`matches are those of the ordered search, from every place on, ${CASES} random patterns and texts, seed ${SEED}`, () => {
  const random = randomPattern(SEED);
  const wrong: unknown[] = [];
  let matches = 0;
  for (let i = 0; i < CASES; i++) {
    const { source } = random();
    const bytes = randomBytes(random.random);
    const program = programOf(source, {
      wholeWord: random.random() < 0.2,
      caseInsensitive: random.random() < 0.2,
    });
    const text = { bytes, begin: 0, end: bytes.length };
    const finder = new MatchFinder(program);
    const ordered = new OrderedSearch(program);
    for (let from = 0; from <= bytes.length; from++) {
      const expected = ordered.find(text, from);
      if (expected !== null) matches++;
      const found = finder.find(text, from);
      if (String(found) !== String(expected)) wrong.push({ source, text: String(bytes), from, found, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(matches).toBeGreaterThan(CASES);
}, 120_000);

it("matches are the same when there are more states than are kept", () => {
  const { random } = randomPattern(11);
  const bytes = Buffer.from(`${Array.from({ length: 60_000 }, () => (random() < 0.5 ? "a" : "b")).join("")}\nc`);
  const program = programOf("b[ab]{14}a\\n|a[ab]{13}b(?:[ab]{3})?\\nc");
  const text = { bytes, begin: 0, end: bytes.length };
  expect(new MatchFinder(program).find(text, 0)).toEqual(new OrderedSearch(program).find(text, 0));
});

it("a long repeat over lines is linear in the text", { timeout: SLOW_MS }, () => {
  // The ordered search follows three hundred ways side by side here: it would take a minute.
  const line = `${"lorem ipsum dolor sit amet ".repeat(3)}\n`;
  const bytes = Buffer.from(`${line.repeat(4)}x`.repeat(12_000));
  const finder = new MatchFinder(programOf("[^x]{300}"));
  const ordered = vi.spyOn(finder.ordered, "find");
  const found = [...finder.findAll({ bytes, begin: 0, end: bytes.length })];
  expect(found.length).toBe(12_000);
  expect(found[1]).toEqual([4 * line.length + 1, 4 * line.length + 301]);
  expect(ordered).not.toHaveBeenCalled();
  // Each byte of a match is read forwards and backwards, those between the matches forwards once.
  expect(finder.bytesRead).toBeLessThan(2 * bytes.length);
});
