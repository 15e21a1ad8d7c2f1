import { expect, test } from "vitest";
import { packHits, unpackHits } from "./packed-hits.js";
import { type FieldLines, LinePacker } from "./packed-lines.js";
import type { Hit } from "./search.js";

const hit = (id: string, more: Partial<Hit> = {}): Hit => ({
  index: "files",
  id,
  score: 1,
  seqNo: 7,
  primaryTerm: 1,
  version: 2 ** 53 - 1,
  ...more,
});

function field(packer: LinePacker, total: number): FieldLines {
  const begun = packer.begin();
  begun.total = total;
  packer.add(begun, Buffer.from("x"), { line: 1, byte: 0, begin: 0, end: 1, cutBytes: 0 }, [0, 1]);
  return begun;
}

test("hits come out as they went in, over all indices and fields", () => {
  const one = new LinePacker();
  const other = new LinePacker();
  const hits = [
    hit("a/😀.c", { matchingLines: { body: field(one, 3), title: field(other, 1) } }),
    hit("", { index: "others", score: null, matchingLines: {} }),
    hit("c", { score: 0.25 }),
    hit("e", { score: null, sort: [70_000] }),
    hit("f", { sort: [-0.5], matchingLines: {} }),
    hit("d", { matchingLines: { title: field(other, 9) } }),
  ];
  const packed = packHits(hits);
  expect(packed?.packs).toEqual([one.pack, other.pack]);
  expect(unpackHits(structuredClone(packed!))).toEqual(hits);
});

test("a source has its place before what comes behind it", () => {
  const packed = packHits([
    hit("a", { source: Buffer.from("{}"), sort: [1], matchingLines: {} }),
    hit("b", { sort: [2] }),
  ])!;
  const hits = unpackHits(packed, Int32Array.of(2, -1));
  expect(hits.map((one) => Object.keys(one).slice(6))).toEqual([["source", "sort", "matchingLines"], ["sort"]]);
});

test("whether a source is cut is known on the other side", () => {
  const packed = packHits([
    hit("a", { source: Buffer.from("{}"), sourceIsCut: true }),
    hit("b", { source: Buffer.from("{}") }),
  ])!;
  expect(unpackHits(packed, Int32Array.of(2, 2)).map((one) => one.sourceIsCut)).toEqual([true, undefined]);
});

test("a source travels apart", () => {
  expect(unpackHits(packHits([hit("a", { source: Buffer.from("{}") })])!)).toEqual([hit("a")]);
});

test.each<Partial<Hit>>([
  { routing: "r" },
  { sort: [1, 2] },
  { sort: ["a"] },
  { sort: [null] },
  { sort: [5n] },
  { ignored: ["f"] },
  { matchedQueries: ["q"] },
])("hits with more to show are not packed: %o", (more) => {
  expect(packHits([hit("a"), hit("b", more)])).toBeNull();
});

test("no hits are no hits", () => {
  expect(unpackHits(packHits([])!)).toEqual([]);
});
