import { expect, test } from "vitest";
import { type FieldLines, LineCursor, LinePacker, packsOf } from "./packed-lines.js";

const TEXT = Buffer.from("fn é 😀\n\nx x\n");

interface LineHit {
  matchingLines?: Record<string, FieldLines>;
}

/** A packer with fields of two lines, of none and of one. */
function packed() {
  const packer = new LinePacker();
  const first = packer.begin();
  first.total = 3;
  packer.add(first, TEXT, { line: 3, byte: 2 ** 40, begin: 0, end: 10, cutBytes: 0 }, [0, 2]);
  packer.add(first, TEXT, { line: 4, byte: 2 ** 40 + 11, begin: 11, end: 11, cutBytes: 12 }, []);
  const none = packer.begin();
  const last = packer.begin();
  packer.add(last, TEXT, { line: 1, byte: 0, begin: 12, end: 15, cutBytes: 0 }, [0, 1, 2, 3]);
  const hits: LineHit[] = [{ matchingLines: { body: first, title: none } }, {}, { matchingLines: { body: last } }];
  return { packer, hits };
}

function linesOf(field: FieldLines) {
  const cursor = new LineCursor(field);
  const lines: object[] = [];
  while (cursor.next()) {
    const { line, byte, cutBytes, begin, end, rangesBegin, rangesEnd } = cursor;
    const text = Buffer.from(field.pack.text.subarray(begin, end)).toString();
    lines.push({ line, byte, text, cutBytes, ranges: [...field.pack.numbers.subarray(rangesBegin, rangesEnd)] });
  }
  return lines;
}

test("lines are read as they were added, field by field, also on another thread", () => {
  const { hits } = packed();
  const buffers = [...packsOf(hits)].flatMap(({ numbers, text }) => [numbers.buffer, text.buffer]);
  expect(buffers).toHaveLength(2);
  const arrived = structuredClone(hits, { transfer: buffers as ArrayBuffer[] });
  expect(packsOf(arrived).size).toBe(1);
  const [first, , last] = arrived;
  expect(linesOf(first.matchingLines!.body)).toEqual([
    { line: 3, byte: 2 ** 40, text: "fn é 😀", cutBytes: 0, ranges: [0, 2] },
    { line: 4, byte: 2 ** 40 + 11, text: "", cutBytes: 12, ranges: [] },
  ]);
  expect(linesOf(first.matchingLines!.title)).toEqual([]);
  expect(linesOf(last.matchingLines!.body)).toEqual([
    { line: 1, byte: 0, text: "x x", cutBytes: 0, ranges: [0, 1, 2, 3] },
  ]);
});

test("a pack grows with what is added", () => {
  const { packer } = packed();
  const text = Buffer.from("0123456789".repeat(1000));
  const field = packer.begin();
  for (let i = 0; i < 100; i++) {
    packer.add(field, text, { line: i, byte: i, begin: i, end: 100 * i, cutBytes: i }, [0, i]);
  }
  expect(packer.bytes).toBeGreaterThan(400_000);
  expect(linesOf(field)).toEqual(
    Array.from({ length: 100 }, (_, i) => ({
      line: i,
      byte: i,
      text: i < 1 ? "" : text.subarray(i, 100 * i).toString(),
      cutBytes: i,
      ranges: [0, i],
    })),
  );
});

test("hits without lines have no pack", () => {
  expect(packsOf([{}, {}]).size).toBe(0);
});
