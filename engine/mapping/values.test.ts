import { describe, expect, test } from "vitest";
import type { Clock } from "../clock.js";
import { createFieldTable } from "./field-table.js";
import { parseIp, printIp } from "./ip.js";
import type { Mapping } from "./mapping.js";
import { formatDecimal, printDouble } from "./number-format.js";
import { parseFraction, parseWhole, parseWholeNumber, roundHalf } from "./numbers.js";
import { columnValue, exactBounds, formatValue, numericValue, rangeBounds, termBytes } from "./values.js";

const clock: Clock = { now: () => Date.UTC(2024, 0, 1), random: () => 0 };
const mapping: Mapping = {
  properties: {
    l: { type: "long" },
    b: { type: "byte" },
    d: { type: "double" },
    f: { type: "float" },
    h: { type: "half_float" },
    t: { type: "date" },
    sec: { type: "date", format: "epoch_second" },
    ip: { type: "ip" },
    k: { type: "keyword" },
    bo: { type: "boolean" },
  },
};
const { fields } = createFieldTable(mapping);
const field = (name: string) => fields.get(name)!;
const day = (text: string) => BigInt(Date.parse(text));

describe("ranges", () => {
  test.each([
    ["l", { gte: 5.5 }, 6n, 2n ** 63n - 1n],
    ["l", { gt: 5.5, lte: "7.1" }, 6n, 7n],
    ["l", { gt: 5, lt: 7 }, 6n, 6n],
    ["l", { gt: -5.5, lt: -0.5 }, -5n, -1n],
    ["l", { gte: "9007199254740993.0", lte: "9007199254740993" }, 9007199254740993n, 9007199254740993n],
    ["t", { gte: "2020-01-01", lte: "2020-01-01" }, day("2020-01-01"), day("2020-01-01T23:59:59.999Z")],
    ["t", { gt: "2020-01-01", lt: "2020-01-03" }, day("2020-01-02"), day("2020-01-02T23:59:59.999Z")],
    ["t", { gte: "now-1d/d", lt: "now/d" }, day("2023-12-31"), day("2023-12-31T23:59:59.999Z")],
    ["t", { gte: "01/2020", lt: "02/2020", format: "MM/yyyy" }, day("2020-01-01"), day("2020-01-31T23:59:59.999Z")],
    [
      "t",
      { gte: "2020-01-01", lt: "2020-01-02", timeZone: "+01:00" },
      day("2019-12-31T23:00Z"),
      day("2020-01-01T22:59:59.999Z"),
    ],
    ["sec", { gt: "10", lte: "20" }, 11_000n, 20_999n],
  ] as const)("%s %o", (name, range, low, high) => {
    expect(rangeBounds(field(name), range, clock)).toEqual({ kind: "long", low, high });
  });

  test("bounds of fractions are rounded to the type, excluded ones move by the smallest step", () => {
    expect(rangeBounds(field("f"), { gte: 0.1 }, clock)).toMatchObject({ low: Math.fround(0.1) });
    expect(rangeBounds(field("d"), { gt: 1, lt: 2 }, clock)).toEqual({
      kind: "double",
      low: 1 + Number.EPSILON,
      high: 2 - Number.EPSILON,
    });
    expect(rangeBounds(field("d"), { gt: 0, lt: 0 }, clock)).toMatchObject({ low: 5e-324, high: -5e-324 });
  });

  test("bounds of terms are half open in byte order", () => {
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
    const range = rangeBounds(field("k"), { gt: "a", lte: "b" }, clock);
    expect(range).toEqual({ kind: "term", from: bytes("a\0"), to: bytes("b\0") });
    expect(rangeBounds(field("k"), {}, clock)).toEqual({ kind: "term", from: bytes(""), to: null });
  });

  test("what is no value of the type is refused", () => {
    expect(() => rangeBounds(field("l"), { gte: "x" }, clock)).toThrow('For input string: "x"');
    expect(() => rangeBounds(field("ip"), { gte: "1.2" }, clock)).toThrow("'1.2' is not an IP string literal.");
  });
});

describe("single values", () => {
  test("a date names everything it leaves open", () => {
    expect(exactBounds(field("t"), "2020-01-01", clock)).toEqual({
      kind: "long",
      low: day("2020-01-01"),
      high: day("2020-01-01T23:59:59.999Z"),
    });
  });

  test("numbers that no document can hold are null", () => {
    expect(numericValue(field("l"), 5.5, clock)).toBeNull();
    expect(numericValue(field("b"), 300, clock)).toBeNull();
    expect(numericValue(field("l"), "5.0", clock)).toBe(5n);
    expect(exactBounds(field("l"), 1e30, clock)).toMatchObject({ low: 1n, high: 0n });
  });

  test("a network is the range of its addresses", () => {
    const bounds = exactBounds(field("ip"), "10.0.0.0/30", clock);
    expect(bounds).toMatchObject({ kind: "term", from: parseIp("10.0.0.0") });
    expect(bounds.kind === "term" && printIp(bounds.to!.subarray(0, 16))).toBe("10.0.0.3");
  });

  test("booleans are terms", () => {
    expect(termBytes(field("bo"), true)).toEqual(Uint8Array.of(0x54));
    expect(termBytes(field("bo"), "false")).toEqual(Uint8Array.of(0x46));
    for (const text of ["yes", "", "1"]) {
      const words = `Can't parse boolean value [${text}], expected [true] or [false]`;
      expect(() => termBytes(field("bo"), text)).toThrow(words);
      expect(() => rangeBounds(field("bo"), { gte: text }, clock)).toThrow(words);
    }
  });
});

describe("printing", () => {
  test("column values as they stand in JSON", () => {
    expect(columnValue(field("l"), 5n)).toBe(5);
    expect(columnValue(field("l"), 9007199254740993n)).toBe(9007199254740993n);
    expect(columnValue(field("bo"), 1n)).toBe(true);
    expect(columnValue(field("bo"), 0)).toBe(false);
    expect(columnValue(field("ip"), parseIp("::1")!)).toBe("::1");
    expect(columnValue(field("k"), Buffer.from("ä"))).toBe("ä");
  });

  test("formatted values", () => {
    expect(formatValue(field("t"), 0n)).toBe("1970-01-01T00:00:00.000Z");
    expect(formatValue(field("t"), 0n, "yyyy", "Europe/Paris")).toBe("1970");
    expect(formatValue(field("d"), 5)).toBe("5.0");
    expect(formatValue(field("l"), 1234n, "#,##0.00")).toBe("1,234.00");
  });

  test.each([
    [1_234_567.125, "#,##0.00", "1,234,567.12"],
    [0.125, "0.00", "0.12"],
    [0.375, "0.00", "0.38"],
    [-5, "$0.0", "-$5.0"],
    [0.5, "#%", "50%"],
    [5, "000", "005"],
    [0, "#", "0"],
    [12.5, "0.0 'units'", "12.5 units"],
  ])("%d as %s is %s", (value, pattern, text) => {
    expect(formatDecimal(value, pattern)).toBe(text);
  });

  test.each([
    [1, "1.0"],
    [0, "0.0"],
    [1e7, "1.0E7"],
    [1.5e-4, "1.5E-4"],
    [123_456.789, "123456.789"],
  ])("%d prints as Java does: %s", (value, text) => {
    expect(printDouble(value)).toBe(text);
  });
});

describe("numbers", () => {
  test.each([
    ["1e3", 1000n],
    ["-0.0", 0n],
    ["9223372036854775807", 9223372036854775807n],
    ["9223372036854775807.9", 9223372036854775807n],
    ["123e-2", 1n],
    [".5", 0n],
    ["0e999999999", 0n],
    ["१२", 12n],
    ["１", 1n],
  ])("%s is %d", (text, value) => {
    expect(parseWhole(text, "long", true)).toBe(value);
  });

  test.each([" 5", "5 ", "\t5", "1d", "NaN", "0x10", ".", "५x", ""])("a long %j is no number", (text) => {
    expect(() => parseWhole(text, "long", true)).toThrow(text === "" ? "empty String" : `For input string: "${text}"`);
  });

  test.each([
    ["integer", " 5 ", 5n],
    ["integer", "1d", 1n],
    ["short", "2.5F", 2n],
    ["integer", "0x1.8p3", 12n],
    ["integer", "-0x1p0", -1n],
    ["integer", "NaN", 0n],
    ["integer", "2147483647.0", 2147483647n],
    ["byte", "127.5", 127n],
  ] as const)("%s reads %j as Java's parseDouble does", (type, text, value) => {
    expect(parseWhole(text, type, true)).toBe(value);
  });

  test.each([
    ["integer", "2147483647.5", "Value [2147483647.5] is out of range for an integer"],
    ["integer", "-2147483648.9", "Value [-2147483648.9] is out of range for an integer"],
    ["short", "32767.5", "Value [32767.5] is out of range for a short"],
    ["integer", "-Infinity", "Value [-Infinity] is out of range for an integer"],
    ["integer", "१", 'For input string: "१"'],
    ["integer", " abc ", 'For input string: "abc"'],
    ["integer", "\u00a05", 'For input string: "\u00a05"'],
    ["byte", " ", "empty String"],
  ] as const)("%s refuses %j", (type, text, message) => {
    expect(() => parseWhole(text, type, true)).toThrow(message);
  });

  test.each([
    ["integer", "2147483647.5", "Numeric value (2147483647.5) out of range of int (-2147483648 - 2147483647)"],
    ["integer", "-2147483648.9", "Numeric value (-2147483648.9) out of range of int (-2147483648 - 2147483647)"],
    ["byte", "1e10", "Numeric value (1e10) out of range of int (-2147483648 - 2147483647)"],
    ["short", "32768", "Numeric value (32768) out of range of Java short"],
    ["byte", "128", "Value [128] is out of range for a byte"],
    ["long", "1e19", "Numeric value (1e19) out of range of long (-9223372036854775808 - 9223372036854775807)"],
  ] as const)("%s refuses the JSON number %s", (type, text, message) => {
    expect(() => parseWholeNumber(text, type, true)).toThrow(message);
  });

  test("JSON numbers are cut at the point, after their range is checked", () => {
    expect(parseWholeNumber("-2147483648.0", "integer", true)).toBe(-2147483648n);
    expect(parseWholeNumber("32767.5", "short", true)).toBe(32767n);
    expect(parseWholeNumber("9223372036854775807.5", "long", true)).toBe(9223372036854775807n);
    expect(parseWholeNumber("9223372036854775807", "long", true)).toBe(9223372036854775807n);
    expect(() => parseWholeNumber("1.9", "byte", false)).toThrow(
      "1.9 cannot be converted to Integer without data loss",
    );
  });

  test.each([
    ["0x1p3", 8],
    ["0x1.8p1d", 3],
    ["+.5e1f", 5],
    ["5.", 5],
    [" 1D ", 1],
  ])("a fraction reads %j as %d", (text, value) => {
    expect(parseFraction(text, "half_float")).toBe(value);
  });

  test.each([
    ["double", "NaN", "[double] supports only finite values, but got [NaN]"],
    ["float", "3.5e38", "[float] supports only finite values, but got [Infinity]"],
    ["half_float", "70000", "[half_float] supports only finite values, but got [70000.0]"],
    ["float", "0x1", 'For input string: "0x1"'],
  ] as const)("%s refuses %s", (type, text, message) => {
    expect(() => parseFraction(text, type)).toThrow(message);
  });

  test("a query's text is read as a document's", () => {
    expect(() => numericValue(field("l"), " 5", clock)).toThrow('For input string: " 5"');
    expect(numericValue(field("b"), " 5d", clock)).toBe(5n);
    expect(rangeBounds(field("b"), { gte: "-0x1.8p0", lt: "1.5f" }, clock)).toMatchObject({ low: -1n, high: 1n });
  });

  test("a number of a billion digits is refused without making it", () => {
    expect(() => parseWhole("1e999999999", "long", true)).toThrow("Value [1e999999999] is out of range for a long");
  });

  test("half floats round to nearest, ties to even", () => {
    expect([0.1, 2049, 2051, 65_519, 65_520, 2 ** -25, 1.5 * 2 ** -24].map(roundHalf)).toEqual([
      0.0999755859375,
      2048,
      2052,
      65_504,
      Number.POSITIVE_INFINITY,
      0,
      2 ** -23,
    ]);
  });
});

describe("addresses", () => {
  test.each(["1.2.3.4", "::", "::1", "2001:db8::1", "1:0:0:2::", "fe80::1:2:3:4", "1:2:3:4:5:6:7:8"])("%s", (text) => {
    expect(printIp(parseIp(text)!)).toBe(text);
  });

  test("the zone of an address is left out", () => {
    expect(parseIp("fe80::1%eth0")).toEqual(parseIp("fe80::1"));
  });

  test("an IPv4 address written as IPv6 is the same address", () => {
    expect(parseIp("::ffff:1.2.3.4")).toEqual(parseIp("1.2.3.4"));
  });

  test.each([
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "1:2",
    ":::",
    "1::2::3",
    "g::",
    "1:2:3:4:5:6:7:8:9",
    "",
    "fe80::1%",
    "1.2.3.4%1",
  ])("%j is no address", (text) => {
    expect(parseIp(text)).toBeNull();
  });
});
