import { describe, expect, it } from "vitest";
import { inAnyScript } from "./any-script.js";

describe("a pattern in any script", () => {
  const cases: [pattern: RegExp, text: string, found: string | undefined][] = [
    [/^sub\s+(\w+)/, "sub größe {", "größe"],
    [/([\w-]+):/, "$größe-x: 1", "größe-x"],
    [/\b([a-z]\w*)\(/, "länge(", "länge"],
    [/\b(e)\(/, "größe(", undefined],
    [/^([a-z]\w*)/, "Ärger", undefined],
    [/^([A-Z]\w*)/, "Ärger", "Ärger"],
    [/^([A-Za-z_]\w*)/, "大きさ = 1", "大きさ"],
    [/^([A-Z]\w*)/i, "ärger", "ärger"],
    [/qw\W(\w+)/, "qw(größe)", "größe"],
    [/(["'`<])\w/, '"ö"', '"'],
    [/^([\w!+\-*/<>=]+)\(/, "plus+größe!(", "plus+größe!"],
    [/\$(\w+)\$/, "$größe$", "größe"],
    [/(a-z)/, "a-z ö", "a-z"],
  ];
  it.each(cases)("%s finds in %j %j", (pattern, text, found) => {
    expect(inAnyScript(pattern).exec(text)?.[1]).toBe(found);
  });
});
