import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadKernels } from "../kernels/load.js";
import { RESERVED_BYTES } from "../kernels/memory.js";
import { seeded } from "../kernels/testing.js";
import { compileLinePattern } from "./line-pattern.js";
import { LineRanges } from "./line-ranges.js";
import { SCANNER_BYTES } from "./line-scanner.js";
import { OrderedSearch } from "./ordered-search.js";
import { MAX_RANGES } from "./ranges-limit.js";
import { linesOf, patternOf } from "./testing/scanner.js";
import { TextMatcher } from "./text-matcher.js";

const SEED = Number(process.env.REGEX_SEED ?? Date.now() % 2 ** 31);
const SLOW_MS = 120_000;
const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
const kernels = loadKernels(memory);
const [u8, u32] = [new Uint8Array(memory.buffer), new Uint32Array(memory.buffer)];
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** Numbers of the lines that a pattern touches, with where it does. */
function found(text: Uint8Array, pattern: string): { line: number; ranges: number[] }[] {
  const compiled = compileLinePattern(patternOf(pattern, { extent: "lines" }));
  const scan = { kernels, u8: () => u8, u32: () => u32, address: RESERVED_BYTES, bytes: SCANNER_BYTES };
  const matcher = new TextMatcher(compiled, scan);
  const lines = { begins: [] as number[], ends: [] as number[] };
  matcher.lines(text, lines);
  expect(matcher.matches(text)).toBe(lines.begins.length > 0);
  const numbers = linesOf(text).map(([begin]) => begin);
  const ranges = new LineRanges(compiled);
  return lines.begins.map((begin, i) => ({
    line: numbers.indexOf(begin) + 1,
    ranges: ranges.of(text, begin, lines.ends[i]),
  }));
}

/** The same by the rule itself: each line is asked of each match of the ordered search. */
function slowly(text: Uint8Array, pattern: string): { line: number; ranges: number[] }[] {
  const search = new OrderedSearch(compileLinePattern(patternOf(pattern, { extent: "lines" })).program);
  const matches: (readonly [number, number])[] = [];
  let before = -1;
  for (let from = 0; from <= text.length; ) {
    const match = search.find({ bytes: text, begin: 0, end: text.length }, from);
    if (match === null) break;
    const [start, end] = match;
    if (start < end || start !== before || text[start - 1] === 10) matches.push(match);
    before = end;
    from = start < end ? end : end + 1;
  }
  return linesOf(text).flatMap(([begin, end], i) => {
    const feed = text.indexOf(10, begin);
    const next = feed < 0 ? text.length + 1 : feed + 1;
    const touching = matches.filter(([start, last]) =>
      start === last ? start >= begin && start < next : start < next && last > begin,
    );
    if (touching.length === 0) return [];
    const cut = (place: number) => Math.min(Math.max(place, begin), end) - begin;
    return [{ line: i + 1, ranges: touching.slice(0, MAX_RANGES).flatMap(([start, last]) => [cut(start), cut(last)]) }];
  });
}

const random = seeded(SEED);
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
const PARTS = ["\\n", "\\n", "\\s", "\\s+", "[^x]", "[^x]*", "[^a\\n]", "$", "^", "a", "b", "x", "ab", ".", "\\S", "\\b", "[ab]+?", "\\r?\\n", "(?:)"]; // biome-ignore format: a list

function randomPattern(): string {
  const sequence = () => Array.from({ length: 1 + random() * 4 }, () => one(PARTS)).join("");
  const pattern = random() < 0.3 ? `${sequence()}|${sequence()}` : sequence();
  return random() < 0.2 ? `(?:${pattern})${one(["*", "+", "?", "{2}"])}` : pattern;
}

function randomText(end: string): string {
  const text = Array.from({ length: random() * 30 }, () => one(["a", "b", "x", " ", "é", end, end, `${end}${end}`]));
  return text.join("") + (random() < 0.5 ? end : "");
}

describe("lines that matches over several lines touch", () => {
  it.each([
    ["a match that begins at a line's end", "alpha\nbeta\n", "\\nbeta", [[1, [5, 5]], [2, [0, 4]]]],
    ["line feeds alone", "a\n\n\nb\n", "\\n\\n", [[1, [1, 1]], [2, [0, 0]]]],
    ["blanks before line ends", "a  \nb\n\nc", "\\s+$", [[1, [1, 3]], [2, [1, 1]]]],
    ["the end of each line", "alpha\nbe", "$", [[1, [5, 5]], [2, [2, 2]]]],
    ["a carriage return", "a\r\nb\r\n", "\\r\\nb", [[1, [1, 1]], [2, [0, 1]]]],
    ["every line between the first and the last", "f {\n1\n2\n} g\n", "\\{[^}]*\\}", [[1, [2, 3]], [2, [0, 1]], [3, [0, 1]], [4, [0, 1]]]],
    ["two matches that share a line", "a\nb a\nb", "a\\nb", [[1, [0, 1]], [2, [0, 1, 2, 3]], [3, [0, 1]]]],
    ["behind the last line feed there is no line", "a\n", "\\z", []],
    ["a match that begins in an earlier one's line is not one of its own", "ab\nb", "a[^x]*b|b", [[1, [0, 2]], [2, [0, 1]]]],
  ])("%s", (_, text, pattern, expected) => {
    expect(found(bytesOf(text), pattern).map(({ line, ranges }) => [line, ranges])).toEqual(expected);
  }); // biome-ignore format: a line each

  it(`are those that the rule gives, with their ranges, seed ${SEED}`, { timeout: SLOW_MS }, () => {
    const wrong: unknown[] = [];
    for (let i = 0; i < 1500; i++) {
      const [pattern, text] = [randomPattern(), randomText(one(["\n", "\r\n"]))];
      const [is, should] = [found(bytesOf(text), pattern), slowly(bytesOf(text), pattern)];
      if (JSON.stringify(is) !== JSON.stringify(should)) wrong.push({ pattern, text, is, should });
      if (is.some(({ ranges }) => ranges.length === 0)) wrong.push({ pattern, text, is });
    }
    expect(wrong).toEqual([]);
  });

  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  const ripgrep = hasRipgrep ? "are ripgrep's with -U" : "are ripgrep's with -U (SKIPPED: rg is not installed)";
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-lines-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.skipIf(!hasRipgrep)(`${ripgrep}, seed ${SEED}`, { timeout: SLOW_MS }, () => {
    const texts = Array.from({ length: 30 }, () => randomText("\n"));
    for (const [i, text] of texts.entries()) writeFileSync(path.join(folder, String(i)), text);
    const wrong: unknown[] = [];
    // ripgrep 13 forgets what stands before the place where it goes on behind a match, so `^` and `\b` may hold there: random patterns
    // with them are left to the rule above, and those that end with a line asked here.
    const ends = ["^a?\\n", "^[^x]*\\n", "b$\\s*^a\\n", "^$\\n", "\\n^x*\\n", "\\bx?\\n"];
    const patterns = Array.from({ length: 150 }, randomPattern).filter((pattern) => !/\\b|(?<!\[)\^/.test(pattern));
    for (const pattern of [...ends, ...patterns]) {
      const run = spawnSync("rg", ["-anU", "--no-config", "--no-heading", "-e", pattern, "."], { cwd: folder });
      expect([0, 1]).toContain(run.status);
      const theirs = texts.map((): number[] => []);
      for (const [, name, line] of run.stdout.toString().matchAll(/^\.\/(\d+):(\d+):/gm))
        theirs[Number(name)].push(Number(line));
      for (const [n, text] of texts.entries()) {
        const ours = found(bytesOf(text), pattern).map(({ line }) => line);
        if (String(ours) !== String(theirs[n])) wrong.push({ pattern, text, ours, theirs: theirs[n] });
      }
    }
    expect(wrong).toEqual([]);
  });
});
