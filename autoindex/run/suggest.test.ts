import { expect, test } from "vitest";
import { readQuery } from "../../code/index.js";
import { asQuery } from "./suggest.js";

test.each([
  ["readTimeout", "readTimeout"],
  ["Getting started", "Getting started"],
  ["-dash.sh", '"-dash.sh"'],
  ["--", '"--"'],
  ["note: all", "note: all"],
  ["lang:go", '"lang:go"'],
  ["mailto:x", '"mailto:x"'],
  ["a or b", '"a or b"'],
  ["/etc/", '"/etc/"'],
  ['say "hi"', '"say \\"hi\\""'],
])("a name %j is searched for as %j", (name, query) => {
  expect(asQuery(name)).toBe(query);
  expect(name.startsWith("--") || readQuery(query).terms.length > 0).toBe(true);
});
