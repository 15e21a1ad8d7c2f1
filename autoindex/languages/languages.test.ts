import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languageNames } from "../../code/index.js";
import { grammarFile } from "../grammar/load.js";
import { LANGUAGE_FIXTURES } from "../testing/fixtures/index.js";
import { declared, outlineOf, referred } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";
import { detectLanguage, EMBEDS, LANGUAGES } from "./index.js";
import { PROBES } from "./probes.js";

const WITH_GRAMMAR = LANGUAGES.filter(({ grammar }) => grammar !== undefined);
const READ = LANGUAGES.filter(({ name, grammar, outline }) => grammar || outline || name in EMBEDS);

describe("the language table", () => {
  it("is sorted and has each name once", () => {
    const names = LANGUAGES.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it.each(["extensions", "fileNames", "shebangs"] as const)("claims each of its %s once", (key) => {
    const all = LANGUAGES.flatMap((language) => language[key]);
    expect(all.filter((value, index) => all.indexOf(value) !== index)).toEqual([]);
  });

  it("has a grammar file on disk for each grammar and a fixture for each language that is read", () => {
    expect(WITH_GRAMMAR.filter(({ grammar }) => !existsSync(grammarFile(grammar!)))).toEqual([]);
    // Mercury is read by Prolog's rows.
    expect(Object.keys(LANGUAGE_FIXTURES).sort()).toEqual(
      READ.map(({ name }) => name).filter((name) => name !== "mercury"),
    );
  });

  it("has a grammar with declarations and references for 36 languages at least", () => {
    const whole = WITH_GRAMMAR.filter(({ name }) => {
      const { declares, refers } = LANGUAGE_FIXTURES[name]!;
      return declares.length > 0 && refers.length > 0;
    });
    expect(whole.length).toBeGreaterThanOrEqual(36);
  });

  it("sends probes to languages that it has", () => {
    const asked = Object.values(PROBES).flatMap((probes) => probes.map(([language]) => language));
    expect(asked.filter((name) => !LANGUAGES.some((language) => language.name === name))).toEqual([]);
  });

  it("uses names that a query's short forms lead to", () => {
    for (const short of ["js", "ts", "py", "c++", "c#", "f#", "objective-c", "sh", "golang", "rb", "rs", "kt"]) {
      expect(
        LANGUAGES.some(({ name }) => languageNames(short).includes(name)),
        short,
      ).toBe(true);
    }
  });
});

describe.each(READ.map(({ name }) => name).filter((name) => name in LANGUAGE_FIXTURES))("%s", (name) => {
  const fixture = LANGUAGE_FIXTURES[name]!;

  it("is told by the file's name and is read without errors", async () => {
    expect(detectLanguage(fixture.path, fixture.text).name).toBe(name);
    expect((await outlineOf(fixture.path, fixture.text)).parsed).toMatch(/^(?:grammar|outline|sections)$/);
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
    ["a.h", "// -*- C++ -*-\nint f();", "cpp"],
    ["a.h", "@interface A : B\n@end", "objc"],
    ["a.m", "#import <A.h>\n@implementation A", "objc"],
    ["a.m", "% Sums.\nfunction s = sum(x)\n", "matlab"],
    ["a.m", ":- module a.\n:- interface.\n", "mercury"],
    ["a.pl", "use strict;\nprint 1;\n", "perl"],
    ["a.pl", ":- use_module(library(lists)).\n", "prolog"],
    ["a.v", "module a(input b);\nendmodule\n", "verilog"],
    ["a.v", "Require Import Arith.\n", "coq"],
    ["a.v", "module main\n\nfn main() {\n}\n", "vlang"],
    ["a.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS></TS>', "xml"],
    ["a.ts", "export const a = 1;", "typescript"],
    ["a.cls", "\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesClass{a}", "latex"],
    ["a.cls", 'VERSION 1.0 CLASS\nAttribute VB_Name = "a"\n', "visual-basic"],
    ["a.cls", "public with sharing class A {\n}", "apex"],
    ["a.inc", "<?php echo 1;", "php"],
    ["a.inc", ".macro save\n.endm\n", "assembly"],
    ["a.inc", "procedure Run(X: Integer);\n", "pascal"],
    ["a.inc", "#define A 1\n", "c"],
    ["a.r", "REBOL [Title: 1]", "rebol"],
    ["a.R", "f <- function(x) x", "r"],
    ["a.d", "main.o: main.c main.h\n", "make"],
    ["a.d", "module a;\nimport std.stdio;\n", "d"],
    ["a.fs", "#version 330\nvoid main() {}\n", "glsl"],
    ["a.fs", "module A\nlet x = 1\n", "fsharp"],
    ["a.pro", "QT += core\nSOURCES += main.cpp\n", "make"],
    ["a.pro", "likes(ann, bob).\n", "prolog"],
    ["a.t", "use Test::More;\n", "perl"],
    ["a.sql", "select 1;", "sql"],
    ["a.cfg", '<?xml version="1.0"?><a/>', "xml"],
    ["a.conf", "[a]\nb = 1\n", "ini"],
    ["tool", "# vim: set ft=python:\nx = 1\n", "python"],
    ["tool", "x = 1\n# vim: ft=ruby\n", "ruby"],
    ["tool", ";; -*- mode: emacs-lisp; lexical-binding: t -*-\n", "elisp"],
    ["page", "<!DOCTYPE html>\n<html>", "html"],
    ["data", '{"a": 1}', "json"],
    ["go.mod", "module a\n", "gomod"],
    ["Makefile.am", "all:\n", "make"],
    ["BUILD", "cc_library()\n", "python"],
  ];
  it.each(cases)("%s beginning %j is %s", (path, text, language) => {
    expect(detectLanguage(path, text).name).toBe(language);
  });
});

describe("names that every object has", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"])("%s is no language", (name) => {
    expect(detectLanguage(`a.${name}`, "x").name).toBe("text");
    expect(detectLanguage(name, "x").name).toBe("text");
    expect(detectLanguage("a.zzz", `# vim: ft=${name}\n`).name).toBe("text");
    expect(detectLanguage("a.zzz", `# -*- mode: ${name} -*-\n`).name).toBe("text");
  });
});

describe("probing a text", () => {
  it("costs no more than its length, whatever it holds", async () => {
    const texts = [
      "a".repeat(200_000),
      " ".repeat(200_000),
      "\n".repeat(200_000),
      "a: ".repeat(70_000),
      "public ".repeat(30_000),
    ];
    for (const extension of Object.keys(PROBES)) {
      for (const text of texts) {
        expect(await processorMs(() => detectLanguage(`a.${extension}`, text)), extension).toBeLessThan(1500);
      }
    }
  });
});
