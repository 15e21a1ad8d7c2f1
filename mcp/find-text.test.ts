import { describe, expect, test } from "vitest";
import { findName, findSpan, findText } from "./find-text.js";
import { spanHash } from "./working-file.js";

const lines = ["f() {", "  x", "}", "", "  f() {", "  x", "}", "const g = 1;"];

describe("a text is found", () => {
  test.each([
    ["f() {\n  x\n}", 1, [1, 3]],
    ["f() {\n  x\n}", 9, [5, 7]],
    ["x", 2, [2, 2]],
    ["}\n", 1, [3, 3]],
    ["y", 1, undefined],
    [" ", 1, undefined],
  ])("%j near %d", (text, near, range) => {
    const found = findText(lines, text, near);
    expect(found && [found.startLine, found.endLine]).toEqual(range);
  });
});

describe("a span is found by its hash", () => {
  test.each([
    ["f() {\n  x\n}", { startLine: 7, endLine: 9 }, [5, 7]],
    ["f() {\n  x\n}", { startLine: 2, endLine: 4 }, [1, 3]],
    ["const g = 1", { startLine: 1, endLine: 1 }, [8, 8]],
    ["const h = 1", { startLine: 1, endLine: 1 }, undefined],
    ["f() {\n  x\n}", { startLine: 1, endLine: 30 }, undefined],
  ])("%j, once at %j", (text, was, range) => {
    const found = findSpan(lines, spanHash(text).slice(0, 12), was);
    expect(found && [found.startLine, found.endLine]).toEqual(range);
  });
});

describe("a name is found", () => {
  const code = ["import { start } from 'x';", "start();", "export function start(a) {", "}", "class start2 {}"];
  test.each([
    ["Server.start", "export function start()", [3, 4]],
    ["start", "", [1, 2]],
    ["start2", "class start2", [5, 5]],
    ["stop", "", undefined],
    ["", "", undefined],
  ])("%s, declared as %j", (name, signature, range) => {
    const found = findName(code, name, { startLine: 10, endLine: 11, signature });
    expect(found && [found.startLine, found.endLine]).toEqual(range);
  });
});
