import { expect, test } from "vitest";
import type { ReferenceDocument } from "../documents.js";
import { referenceReader } from "./read-symbols.js";
import type { ReferencesWanted } from "./requests.js";

const DOCUMENT: ReferenceDocument = {
  ...{ repo: "app", path: "a.py", language: "python", class: "source", blob: "0".repeat(40), branches: ["main"] },
  enclosing: "load",
  name: ["load", "open", "os", "s"],
  kind: ["call", "import"],
  start_byte: 3,
  edges: ["import 1:3 os", "call 2:10,4:30 open", "call? 3:20 os", "call 5:40 load", "import 6:50 open"],
};

const VERSION = { repo: "app", path: "a.py", language: "python", class: "source", blob: "0".repeat(40) };

function read(wanted: Pick<ReferencesWanted, "names" | "kinds">): string[] {
  return referenceReader(wanted)(DOCUMENT).map(({ kind, name, lines }) => `${kind} ${name} ${lines.join()}`);
}

test("a document is read with its places, in the order of its edges", () => {
  expect(referenceReader({ names: ["open"], kinds: ["call"] })(DOCUMENT)).toEqual([
    { ...VERSION, kind: "call", name: "open", enclosing: "load", lines: [2, 4], startBytes: [10, 30] },
  ]);
  expect(read({})).toEqual(["import os 1", "call open 2,4", "call os 3", "call load 5", "import open 6"]);
});

test("what a document refers to beside what is wanted is left out: its names and kinds do not pair up", () => {
  expect(read({ names: ["os"] })).toEqual(["import os 1", "call os 3"]);
  expect(read({ names: ["os", "load"], kinds: ["call", "instantiate"] })).toEqual(["call os 3", "call load 5"]);
  expect(read({ names: ["load"], kinds: ["import"] })).toEqual([]);
  expect(read({ names: ["s"] })).toEqual([]);
});

test("a document of an earlier version says nothing", () => {
  const { edges: _, ...older } = DOCUMENT;
  expect(referenceReader({})(older)).toEqual([]);
});
