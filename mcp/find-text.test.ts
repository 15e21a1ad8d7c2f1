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

describe("a text is found whole only", () => {
  const python = ["def f(a): return a + 1", "def g(a): return a  # as it is", "def f(a): return a"];
  test.each([
    ["def f(a): return a", [3, 3]],
    ["f(a): return a", [3, 3]],
    ["ef f(a): return a", undefined],
    ["def g(a): return a", [2, 2]],
  ])("%j", (text, range) => {
    const found = findText(python, text, 1);
    expect(found && [found.startLine, found.endLine]).toEqual(range);
  });

  test("a block ends itself, whatever follows on its line", () => {
    expect(findText(["a();function f(){return 1}b();"], "function f(){return 1}", 1)).toBeDefined();
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

describe("a route is found by its path", () => {
  const code = ["id, users", 'app.post("/users/:id", f)', 'app.get("/users/:id", f)', "id"];
  test.each([
    ["setup.GET /users/:id", 'app.get("/users/:id", f)', 3],
    ["GET /users/:id", "", 2],
    ["GET /users/:name", 'app.get("/users/:name", f)', undefined],
  ])("%s, written as %j", (name, signature, line) => {
    expect(findName(code, name, { startLine: 9, endLine: 9, signature })?.startLine).toBe(line);
  });
});
