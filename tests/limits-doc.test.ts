/** docs/limits.md says what the sources say. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const page = readFileSync(path.join(root, "docs/limits.md"), "utf8");

/** `[NAME](../file.ts)` in the last cell of a row, the number in its second one. */
const ROWS = page.split("\n").flatMap((line) => {
  const found = /^\|([^|]+)\| *([\d,]+(?: [KM]B)?) *\|[^|]*\| *\[(\w+)\]\(\.\.\/([^)]+)\) *\|$/.exec(line);
  if (found === null) return [];
  const [, what = "", limit = "", name = "", file = ""] = found;
  return [{ what: what.trim(), limit, name, file }];
});

const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 * 1024 };

function numberOf(limit: string): number {
  const [digits = "", unit = ""] = limit.split(" ");
  return Number(digits.replaceAll(",", "")) * (UNITS[unit] ?? 1);
}

/** The value of a constant: a number, a product, a shift, or digits in quotes. */
function constantIn(file: string, name: string): number {
  const text = readFileSync(path.join(root, file), "utf8");
  const written = new RegExp(`^(?:export )?const ${name} = "?([\\d_ *<]+)"?;`, "m").exec(text)?.[1];
  if (written === undefined) throw new Error(`${file} has no number ${name}`);
  const factors = written.replaceAll("_", "").split("*");
  return factors.map((factor) => factor.split("<<").map(Number)).reduce((all, [n = 0, by = 0]) => all * n * 2 ** by, 1);
}

describe("the page of limits", () => {
  it("has a readable row for every limit", () => {
    const limits = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (what|-)/.test(line));
    expect(ROWS).toHaveLength(limits.length);
    expect(ROWS.length).toBeGreaterThan(40);
  });

  it.each(ROWS)("says of $what what $file says: $name", ({ limit, name, file }) => {
    expect(numberOf(limit)).toBe(constantIn(file, name));
  });
});
