import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { linesOf, matchingLines, patternOf } from "./testing/scanner.js";

const found = spawnSync("rg", ["--version"], { encoding: "utf8" });
const version = /^ripgrep (\d+\.\d+)/.exec(found.stdout ?? "")?.[1];
const folder = mkdtempSync(path.join(tmpdir(), "pinakes-ripgrep-"));
afterAll(() => rmSync(folder, { recursive: true }));

const text = (characters: string) => new Uint8Array(Buffer.from(characters));

const TEXTS: Record<string, Uint8Array> = {
  "line ends": text("ab\r\nab\r\n\r\n\nab\r\n ab ab\nab"),
  "no line feed at the end": text("foo\nbar"),
  "a line feed at the end": text("foo\n\n"),
  "zero bytes": text("a\0b\n\0\nab\n"),
  words: text("foo foobar barfoo _foo foo_ éfoo fooé\nfoo-bar\n日foo\nfoo\u00a0bar\n"),
  case: text("K k \u212a\nS s \u017f\nÉ é\nΣ σ ς\nß ẞ ss\n"),
  numbers: text("x = 123456789;\n12345678\n٣٤٥\n0x1F\n1_000\n"),
  code: text(
    'fn poll_next(self: Pin<&mut Self>) {\n\treturn -EINVAL;\n}\n#define A_MAX_B 1\n  if (x) // TODO: fix\n"a\\"b"\n',
  ),
  "a long line": text(`${"lorem ipsum ".repeat(30_000)}needle\nshort needle\n`),
  "no UTF-8": Uint8Array.from([...text("a\n"), 0x61, 0xff, 0x62, 10, 0xc3, 10, 0x61, 0xe2, 0x84, 10, 0x61, 0x80, 0x62]),
};

const PATTERNS = [
  "ab", "^ab$", "^$", "", "a|b", "\\bfoo\\b", "\\Bfoo", "foo\\B", "\\w+foo", "\\s", "\\S+\\s+\\S+", "^\\s*$", "[^a]$", "[0-9]{9}", "\\d{3}",
  "(?i)k", "(?i)s$", "(?i)é", "(?i)σ", "(?i)ß", "(?i)todo|fixme", "fn\\s+poll_[a-z_]+\\(", "return -EINVAL;", "[A-Z]+_MAX_[A-Z]+", "\\x00", "b.?$",
  "needle$", "^(lorem ipsum )+needle", "\\p{Greek}", "\\pL+\\pN", "(?-u)\\w{4}", "\"[^\"\\\\]*(?:\\\\.[^\"\\\\]*)*\"", "x?ab{1,2}\\b", "\\t", "//.*\\bTODO\\b", "o{2}",
]; // biome-ignore format: a list

/** Line numbers by ripgrep for each file; `$` before a carriage return as ours, text whatever it holds. */
function ripgrep(pattern: string, options: string[]): Record<string, number[]> {
  const run = spawnSync("rg", ["-a", "--crlf", "--no-config", "-n", ...options, "-e", pattern, "."], { cwd: folder });
  if (run.status !== 0 && run.status !== 1) throw new Error(`rg ${pattern}: ${run.stderr}`);
  const lines: Record<string, number[]> = Object.fromEntries(Object.keys(TEXTS).map((name) => [name, []]));
  for (const match of run.stdout.toString("latin1").matchAll(/^\.\/([^:]+):(\d+):/gm))
    lines[match[1]].push(Number(match[2]));
  return lines;
}

function ours(bytes: Uint8Array, pattern: string, more: object): number[] {
  const begins = linesOf(bytes).map(([begin]) => begin);
  return matchingLines(bytes, patternOf(pattern, more)).map(([begin]) => begins.indexOf(begin) + 1);
}

describe.skipIf(version === undefined)(`lines are ripgrep's (${version ?? "SKIPPED: rg is not installed"})`, () => {
  it.each(PATTERNS.map((pattern) => [pattern]))("%s", (pattern) => {
    for (const [name, bytes] of Object.entries(TEXTS)) writeFileSync(path.join(folder, name), bytes);
    const rows: { options: string[]; more: object }[] = [
      { options: [], more: {} },
      { options: ["-i"], more: { caseInsensitive: true } },
      { options: ["-w"], more: { wholeWord: true } },
    ];
    for (const { options, more } of rows) {
      const theirs = ripgrep(pattern, options);
      // Whole words: ripgrep 13 has its own mind about carriage returns, which it takes for a part of the line, and about bytes that are no UTF-8.
      const names = Object.keys(TEXTS).filter((name) => !options.includes("-w") || !/line ends|UTF-8/.test(name));
      const row = { pattern, options };
      const lines = names.map((name) => ({ ...row, name, lines: ours(TEXTS[name], pattern, more) }));
      expect(lines).toEqual(names.map((name) => ({ ...row, name, lines: theirs[name] })));
    }
  });
});

it("says so when it could not be compared with ripgrep", () => {
  if (version === undefined) console.warn("SKIPPED: comparison with ripgrep, which is not installed");
  else expect(execFileSync("rg", ["--version"]).length).toBeGreaterThan(0);
});
