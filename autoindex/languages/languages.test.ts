import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languageNames } from "../../code/index.js";
import { grammarFile } from "../grammar/load.js";
import { LANGUAGE_FIXTURES } from "../testing/language-fixtures.js";
import { declared, outlineOf, referred } from "../testing/outline.js";
import { detectLanguage, LANGUAGES } from "./index.js";

const WITH_GRAMMAR = LANGUAGES.filter(({ grammar }) => grammar !== undefined);

describe("the language table", () => {
  it("is sorted and has each name once", () => {
    const names = LANGUAGES.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it.each(["extensions", "fileNames", "shebangs"] as const)("claims each of its %s once", (key) => {
    const all = LANGUAGES.flatMap((language) => language[key]);
    expect(all.filter((value, index) => all.indexOf(value) !== index)).toEqual([]);
  });

  it("has a grammar file on disk and a fixture for each grammar", () => {
    expect(WITH_GRAMMAR.filter(({ grammar }) => !existsSync(grammarFile(grammar!)))).toEqual([]);
    expect(Object.keys(LANGUAGE_FIXTURES).sort()).toEqual(WITH_GRAMMAR.map(({ name }) => name));
  });

  it("uses names that a query's short forms lead to", () => {
    for (const short of ["js", "ts", "py", "c++", "c#", "sh", "golang", "rb", "rs", "kt"]) {
      expect(
        LANGUAGES.some(({ name }) => languageNames(short).includes(name)),
        short,
      ).toBe(true);
    }
  });
});

describe.each(WITH_GRAMMAR.map(({ name }) => name))("%s", (name) => {
  const fixture = LANGUAGE_FIXTURES[name]!;

  it("is told by the file's name and parses without errors", async () => {
    expect(detectLanguage(fixture.path, fixture.text).name).toBe(name);
    expect((await outlineOf(fixture.path, fixture.text)).parsed).toBe("grammar");
  });

  it("finds the declarations that a reader finds", async () => {
    expect(await declared(fixture.path, fixture.text)).toEqual(fixture.declares);
  });

  it("finds references with their surroundings", async () => {
    expect(await referred(fixture.path, fixture.text)).toEqual(expect.arrayContaining(fixture.refers));
  });
});

describe("telling languages apart", () => {
  const cases: [path: string, text: string, language: string][] = [
    ["a.h", "int f(void);", "c"],
    ["a.h", "namespace x {\nint f();\n}", "cpp"],
    ["bin/tool", "#!/usr/bin/env python3\n", "python"],
    ["bin/tool", "#!/bin/sh -e\n", "bash"],
    ["bin/tool", "#!/usr/bin/env -S node --flag\n", "javascript"],
    ["sub/Dockerfile", "", "dockerfile"],
    ["Dockerfile.dev", "", "dockerfile"],
    ["a.TS", "", "typescript"],
    ["README", "", "markdown"],
    ["notes", "", "text"],
  ];
  it.each(cases)("%s beginning %j is %s", (path, text, language) => {
    expect(detectLanguage(path, text).name).toBe(language);
  });
});
