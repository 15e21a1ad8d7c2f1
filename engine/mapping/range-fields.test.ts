import { describe, expect, test } from "vitest";
import { systemClock } from "../clock.js";
import { createFieldTable } from "./field-table.js";
import type { FieldType } from "./mapping.js";
import { encodeRange, printRange, rangeTerm } from "./range-fields.js";
import type { RangeValues } from "./values.js";

const field = (type: FieldType) => createFieldTable({ properties: { f: { type } } }).fields.get("f")!;
const term = (type: FieldType, range: RangeValues) => rangeTerm(encodeRange(field(type), range, systemClock));
const hex = (type: FieldType, range: RangeValues) => Buffer.from(term(type, range)).toString("hex");

test("a range is its two ends, as the comment at the head says", () => {
  expect(hex("integer_range", { gte: 1, lt: 3 })).toBe("80000000000000018000000000000002");
});

test.each([
  ["integer_range", {}, { gte: "-2147483648", lte: "2147483647" }],
  ["long_range", { gt: "9007199254740993" }, { gte: "9007199254740994", lte: "9223372036854775807" }],
  ["double_range", { gte: -1.5, lte: 2 }, { gte: "-1.5", lte: "2.0" }],
  ["float_range", { gte: 0.1 }, { gte: "0.10000000149011612", lte: "Infinity" }],
  ["ip_range", { gt: "10.0.0.1", lte: "10.0.0.9" }, { gte: "10.0.0.2", lte: "10.0.0.9" }],
  [
    "date_range",
    { gte: "2020-01-01", lte: "2020-01-01" },
    { gte: "2020-01-01T00:00:00.000Z", lte: "2020-01-01T23:59:59.999Z" },
  ],
] as const)("%s %o is %o", (type, range, shown) => {
  expect(printRange(field(type), term(type, range))).toEqual(shown);
});

describe("terms are ordered as their lower ends are", () => {
  test.each([
    ["double_range", [-1e300, -1, -0.5, 0, 0.5, 1, 1e300]],
    ["long_range", [-5, -1, 0, 1, 5]],
  ] as const)("%s", (type, ends) => {
    const terms = ends.map((gte) => term(type, { gte }));
    expect([...terms].sort(Buffer.compare)).toEqual(terms);
  });
});

test.each([
  ["integer_range", { gte: 2, lte: 1 }, "min value (2) is greater than max value (1)"],
  ["integer_range", { gt: 1, lt: 2 }, "min value (2) is greater than max value (1)"],
  ["ip_range", { gte: "nowhere" }, "'nowhere' is not an IP string literal."],
] as const)("%s %o is refused", (type, range, reason) => {
  expect(() => term(type, range)).toThrow(reason);
});
