import { expect, test } from "vitest";
import { readTextDefinitions, toTextDefinitionSearch } from "./text-definitions.js";

/** A hit with lines that the pattern may have found. */
function hit(...texts: string[]): unknown {
  const lines = texts.map((text, at) => ({ line: at + 1, byte: 0, text, ranges: [[0, 1]] }));
  const _source = { repo: "r", path: "a.c", language: "c", class: "source", blob: "b".repeat(40) };
  return { _id: "1", _source, matching_lines: { "body.lines": { total: lines.length, lines } } };
}

const declares = (text: string) => readTextDefinitions("open_it", [hit(text)]).length === 1;

test.each([
  "int open_it(void) { return 0; }",
  "static struct foo *open_it(int a,",
  "  public List<String> open_it(String a) {",
  "def open_it(x",
  "  def self.open_it",
  "export function open_it() {",
  "pub fn open_it(a: u8) {",
  "class open_it:",
  "#define open_it(x) x",
  "const open_it = (x) => x;",
])("%s declares", (line) => {
  expect(declares(line)).toBe(true);
});

test.each([
  "return open_it(1);",
  "  open_it(1);",
  "x = open_it(1);",
  "if (a && open_it(1)) {",
  "await open_it(1)",
  "int open_it2(void) {",
  "foo->open_it(1)",
  "else open_it(1);",
])("%s does not", (line) => {
  expect(declares(line)).toBe(false);
});

test("plain names are asked for, of files that were read in part, of one repository perhaps", () => {
  expect(JSON.stringify(toTextDefinitionSearch("open_it", "app"))).toContain(
    '{"terms":{"parsed":["partial","windows"]}},{"term":{"repo":"app"}}',
  );
  for (const name of ["Server.start", "a b", "", "x", "a.*"]) expect(toTextDefinitionSearch(name)).toBeUndefined();
});

test("a handful of lines is enough", () => {
  const many = Array.from({ length: 30 }, () => "int open_it(void) {");
  expect(readTextDefinitions("open_it", [hit(...many)])).toHaveLength(5);
});
