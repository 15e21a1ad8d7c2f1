import { describe, expect, it } from "vitest";
import { loadGrammar } from "../grammar/load.js";
import { type Grammar, languageNamed } from "../languages/index.js";
import { outlineCode } from "./code.js";
import { Positions } from "./positions.js";
import { PARSE_LIMITS, QUERY_LIMITS, WorkBudget } from "./work-budget.js";

const FUNCTIONS = 8000;
const LONG = Array.from(
  { length: FUNCTIONS },
  (_, i) => `export function f${i}(a: number) {\n  return a + ${i};\n}\n`,
).join("");

async function typescript() {
  return loadGrammar(
    languageNamed("typescript") as NonNullable<ReturnType<typeof languageNamed>> & { grammar: Grammar },
  );
}

describe("the work on one text", () => {
  it("is counted in steps: as many on a busy machine as on an idle one", () => {
    const budget = new WorkBudget(10 * 1024, { steps: 5, stepsPerKilobyte: 1, cpuMs: 1e9, cpuMsPerKilobyte: 0 });
    const answers = Array.from({ length: 16 }, budget.step);
    expect(answers.lastIndexOf(false)).toBe(14);
    expect(budget.over).toBe("steps");
  });

  it("is bounded by processor time as well, and says so", () => {
    const budget = new WorkBudget(0, { steps: 10, stepsPerKilobyte: 0, cpuMs: -1, cpuMsPerKilobyte: 0 });
    expect(budget.step()).toBe(true);
    expect(budget.over).toBe("time");
  });

  it("has room for a long ordinary text, all of whose functions are found", async () => {
    const outline = outlineCode(await typescript(), new Positions(LONG));
    expect(outline.declarations).toHaveLength(FUNCTIONS);
    expect(outline).not.toHaveProperty("gaveUp");
  });

  it.each([
    ["steps", "steps", { ...PARSE_LIMITS, steps: 1, stepsPerKilobyte: 0 }],
    ["time", "time", { ...PARSE_LIMITS, cpuMs: 0, cpuMsPerKilobyte: 0 }],
  ] as const)("that has too many %s for the parser gives nothing, and says why", async (_, gaveUp, parse) => {
    const loaded = await typescript();
    const outline = outlineCode(loaded, new Positions(LONG), { parse, query: QUERY_LIMITS });
    expect(outline).toEqual({ declarations: [], references: [], parsed: "partial", gaveUp });
    // The parser does not go on with it at the next text.
    expect(outlineCode(loaded, new Positions("function g() {}\n")).declarations.map(({ name }) => name)).toEqual(["g"]);
  });

  it("that is too dear for the queries gives nothing, and says why", async () => {
    const query = { ...QUERY_LIMITS, steps: 1, stepsPerKilobyte: 0 };
    const outline = outlineCode(await typescript(), new Positions(LONG), { parse: PARSE_LIMITS, query });
    expect(outline).toEqual({ declarations: [], references: [], parsed: "partial", gaveUp: "steps" });
  });
});
