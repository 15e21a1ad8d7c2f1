import { expect, test } from "vitest";
import { DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import { millisOf, nanosBelow, printNanos } from "./date-nanos.js";
import { UTC } from "./time-zone.js";

test.each([
  ["2018-10-29T12:12:12.123456789Z", "down", 456_789n],
  ["2018-10-29T12:12:12.1234Z", "down", 400_000n],
  ["2018-10-29T12:12:12.123Z", "up", 0n],
  ["2018-10-29T12:12:12Z", "down", 0n],
] as const)("%s says, rounded %s, %d nanoseconds below the millisecond", (text, rounding, nanos) => {
  expect(nanosBelow(text, 1_540_815_132_123n, rounding)).toBe(nanos);
});

test("a day rounded up ends with its last nanosecond", () => {
  expect(nanosBelow("2018-10-29", 1_540_857_599_999n, "up")).toBe(999_999n);
  expect(nanosBelow("2018-10-29T12:12:12.1234||/d", 1_540_857_599_999n, "up")).toBe(999_999n);
});

test("milliseconds are rounded down, before 1970 too", () => {
  expect([millisOf(1_999_999n), millisOf(-1n), millisOf(-1_000_000n)]).toEqual([1n, -1n, -1n]);
});

test.each([
  [1_540_815_132_123_456_789n, "2018-10-29T12:12:12.123456789Z"],
  [1_540_815_132_123_400_000n, "2018-10-29T12:12:12.1234Z"],
  [1_540_815_132_123_000_000n, "2018-10-29T12:12:12.123Z"],
])("%d is printed %s", (nanos, text) => {
  expect(printNanos(dateFormat(DEFAULT_DATE_FORMAT), nanos, UTC)).toBe(text);
});
