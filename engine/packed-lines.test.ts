import { expect, test } from "vitest";
import { packLines, unpackLines } from "./packed-lines.js";
import type { Hit } from "./search.js";

const hit = (id: string, matchingLines?: Hit["matchingLines"]): Hit => ({
  index: "files",
  id,
  score: 1,
  seqNo: 0,
  primaryTerm: 1,
  version: 1,
  ...(matchingLines && { matchingLines }),
});

const hits = (): Hit[] => [
  hit("a", {
    body: {
      total: 3,
      lines: [
        { line: 3, byte: 2 ** 40, text: "fn é 😀", ranges: [[0, 2]], cutBytes: 0 },
        { line: 4, byte: 2 ** 40 + 9, text: "", ranges: [], cutBytes: 12 },
      ],
    },
    title: { total: 0, lines: [] },
  }),
  hit("b"),
  hit("c", {
    body: {
      total: 1,
      lines: [
        {
          line: 1,
          byte: 0,
          text: "x x",
          ranges: [
            [0, 1],
            [2, 3],
          ],
          cutBytes: 0,
        },
      ],
    },
  }),
];

test("lines come out of their parcel as they went in, field by field", () => {
  const travelling = hits();
  const packed = packLines(travelling);
  expect(
    travelling.flatMap((one) => Object.values(one.matchingLines ?? {})).every(({ lines }) => lines.length === 0),
  ).toBe(true);
  const arrived = structuredClone({ travelling, packed });
  unpackLines(arrived.travelling, arrived.packed!);
  expect(arrived.travelling).toEqual(hits());
});

test("hits without lines make no parcel", () => {
  expect(packLines([hit("a"), hit("b")])).toBeNull();
});
