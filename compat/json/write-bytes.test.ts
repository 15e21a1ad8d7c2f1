import { expect, test } from "vitest";
import { escapedText, writeEscaped, writeWhole } from "./write-bytes.js";

const buffer = Buffer.alloc(2048);

test("whole numbers are written as JavaScript prints them", () => {
  for (const value of [0, 9, 10, 99, 100, 12_345, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 7, 2 ** 53 - 1]) {
    expect(buffer.toString("latin1", 3, writeWhole(buffer, 3, value))).toBe(String(value));
  }
});

test("every character of ASCII is escaped as JSON.stringify does", () => {
  const text = Buffer.from(Array.from({ length: 128 }, (_, code) => code));
  expect(escapedText(text, 0, 128)).toBeNull();
  const end = writeEscaped(buffer, 0, text, { begin: 0, end: 128 });
  expect(`"${buffer.toString("latin1", 0, end)}"`).toBe(JSON.stringify(text.toString("latin1")));
});

test("text beyond ASCII is decoded, what is no UTF-8 replaced", () => {
  const text = Buffer.concat([Buffer.from('x"é\t😀'), Buffer.from([0xff])]);
  expect(escapedText(text, 1, text.length)).toBe('\\"é\\t😀\ufffd');
});
