import { describe, expect, it } from "vitest";
import { declared } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";
import { resolveConditionals } from "./c-conditionals.js";

const lines = (...all: string[]) => `${all.join("\n")}\n`;
const resolved = (...all: string[]) =>
  resolveConditionals(lines(...all), "cutting")
    .split("\n")
    .map((line) => line.trimEnd());

describe("conditionals of the preprocessor", () => {
  it("stay where they stand around whole declarations and statements", () => {
    const whole = lines(
      "#ifdef A",
      "int a;",
      "#else",
      "int b;",
      "#endif",
      "void f(void) {",
      "#if B",
      "  g();",
      "#endif",
      "}",
    );
    expect(resolveConditionals(whole, "cutting")).toBe(whole);
  });

  it("that cut through a list lose their directives, and every branch but the first", () => {
    expect(resolved("int t[] = {", "  1,", "#ifdef A", "  2,", "#else", "  3,", "#endif", "};")).toEqual([
      "int t[] = {",
      "  1,",
      "",
      "  2,",
      "",
      "",
      "",
      "};",
      "",
    ]);
  });

  it("that hold an opening brace alone are resolved, and what is switched off is not the branch that stays", () => {
    expect(resolved("#if 0", "if (a) {", "#else", "if (b) {", "#endif", "  f();", "}")).toEqual([
      "",
      "",
      "",
      "if (b) {",
      "",
      "  f();",
      "}",
      "",
    ]);
  });

  it("keep every offset, also with continued directives and comments", () => {
    const text = lines("f(a,", "#if A && \\", "    B", "  b, /* x */", "#endif // end", "  c);");
    const after = resolveConditionals(text, "cutting");
    expect(after).toHaveLength(text.length);
    for (const word of ["a,", "b,", "c)"]) expect(after.indexOf(word)).toBe(text.indexOf(word));
  });

  it("do not hide functions", async () => {
    const text = lines(
      "static int f(int a,",
      "#ifdef A",
      "  int b,",
      "#endif",
      "  int c)",
      "{",
      "  return a;",
      "}",
      "int g(void) { return 1; }",
    );
    expect(await declared("a.c", text)).toEqual(["function f 1-8", "function g 9-9"]);
  });

  it("cost no more than the length of the text", async () => {
    const texts = [
      "#if A\n".repeat(50_000),
      "#if A\n1,\n#endif\n".repeat(20_000),
      `#if A \\\n${"x\\\n".repeat(50_000)}`,
      "/*".repeat(100_000),
    ];
    for (const text of texts) {
      const spent = await processorMs(() => resolveConditionals(text, "all"));
      expect(spent, text.slice(0, 12)).toBeLessThan(3000);
    }
  });
});
