import { describe, expect, it } from "vitest";
import { random } from "../testing/random.js";
import { type GlobPart, glob, matchesGlob } from "./glob.js";

function parts(pattern: string): GlobPart[] {
  return [...pattern].map((c) => (c === "*" ? "run" : c === "?" ? "one" : { literal: c }));
}

function matches(pattern: string, term: string, folded = false): boolean {
  return matchesGlob(glob(parts(pattern), folded), Buffer.from(term, "utf8"));
}

describe("patterns over terms", () => {
  it("match the whole term, one character by ?, any run by *", () => {
    expect(matches("a?c*", "abcdef")).toBe(true);
    expect(matches("a?c*", "xabc")).toBe(false);
    expect(matches("*", "")).toBe(true);
    expect(matches("?", "")).toBe(false);
    expect(matches("日?語", "日本語")).toBe(true);
    expect(matches("?", "😀")).toBe(true);
    expect(matches("??", "é")).toBe(false);
    expect(matches("*?", "é")).toBe(true);
  });

  it("fold the case of ASCII letters only", () => {
    expect(matches("AbC*", "aBcd", true)).toBe(true);
    expect(matches("école", "ÉCOLE", true)).toBe(false);
    expect(matches("éCOLE", "école", true)).toBe(true);
  });

  it("know what every match begins with", () => {
    expect(Buffer.from(glob(parts("fo?o"), false).prefix).toString()).toBe("fo");
    expect(glob(parts("fo?o"), true).prefix).toHaveLength(0);
  });

  it("take a number of steps that patterns made to explode do not raise", () => {
    const pattern = `${"a*".repeat(300)}b`;
    expect(matches(pattern, "a".repeat(3000))).toBe(false);
  });

  it("agree with regular expressions", () => {
    const r = random();
    const text = (letters: readonly string[]) => Array.from({ length: r.below(7) }, () => r.pick(letters)).join("");
    for (let i = 0; i < 5000; i++) {
      const pattern = text(["a", "é", "b", "*", "?", "😀"]);
      const term = text(["a", "é", "b", "😀"]);
      const regex = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su");
      expect(matches(pattern, term), `PINAKES_SEED=${r.seed} ${pattern} ${term}`).toBe(regex.test(term));
    }
  });
});
