import { describe, expect, it } from "vitest";
import { parseIp, printIp } from "../mapping/ip.js";
import { chance } from "../store/testing.js";
import { ByteOutput } from "./byte-output.js";
import { printLastAddress } from "./print-address.js";
import { DATE_STYLES, dateStyleOf, printDate } from "./print-date.js";
import { printDouble, printLong, printPointedDouble } from "./print-number.js";

function printed(print: (output: ByteOutput) => void): string {
  const output = new ByteOutput(1);
  output.byte(0x21);
  print(output);
  return Buffer.from(output.bytes.subarray(1, output.at)).toString();
}

describe("what columns print back never changes", () => {
  it("whole numbers in decimal", () => {
    const random = chance();
    const values = [
      0,
      1,
      -1,
      9,
      10,
      2 ** 31 - 1,
      -(2 ** 31) + 1,
      -(2 ** 31),
      2 ** 31,
      2 ** 53 - 1,
      -(2 ** 53) + 1,
      1e9,
      1e15,
    ];
    for (let i = 0; i < 3000; i++) values.push(Math.floor((random(2 ** 31) - 2 ** 30) * 2 ** random(23)));
    for (const value of values) expect(printed((output) => printLong(value, output))).toBe(String(value + 0));
    for (const value of [2n ** 63n - 1n, -(2n ** 63n), 5n]) {
      expect(printed((output) => printLong(value, output))).toBe(String(value));
    }
  });

  it("fractions in ECMAScript's shortest form, and with a point", () => {
    for (const [value, plain, pointed] of [
      [0.1, "0.1", "0.1"],
      [1, "1", "1.0"],
      [-12, "-12", "-12.0"],
      [1e21, "1e+21", "1e+21.0"],
      [1.5e-7, "1.5e-7", "1.5e-7"],
      [123456789012, "123456789012", "123456789012.0"],
      [Math.fround(0.1), "0.10000000149011612", "0.10000000149011612"],
    ] as const) {
      expect(printed((output) => printDouble(value, output))).toBe(plain);
      expect(printed((output) => printPointedDouble(value, output))).toBe(pointed);
    }
  });

  it("dates in all styles, years of four digits only", () => {
    const random = chance();
    const moments = [0, -1, 951_782_400_000, 253_402_300_799_999, -62_167_219_200_000];
    for (let i = 0; i < 500; i++) moments.push(random(2 ** 31) * 117_000 - random(2 ** 31) * 28_000 + random(1000));
    for (const millis of moments) {
      const iso = new Date(millis).toISOString();
      for (const [style, text] of [
        [0, iso.slice(0, 10)],
        [1 + 8, `${iso.slice(0, 19)}Z`],
        [2 + 8, iso],
        [2 + 16, `${iso.slice(0, 23)}+00:00`],
        [1 + 4, iso.slice(0, 19).replace("T", " ")],
      ] as const) {
        expect(printed((output) => printDate(millis, style, output))).toBe(text);
        expect(dateStyleOf(new TextEncoder().encode(text), 0, text.length)).toBe(style);
      }
    }
    for (const millis of [-62_167_219_200_001, 253_402_300_800_000]) {
      expect(printed((output) => printDate(millis, 10, output))).toBe("");
    }
  });

  it("no style is found for what is not written like a date", () => {
    for (const text of ["", "2024", "2024-02-29T10:20", "2024-02-29T10:20:30+1", "2024-02-29T10:20:30.1234567"]) {
      expect(dateStyleOf(new TextEncoder().encode(text), 0, text.length)).toBeLessThan(DATE_STYLES);
    }
    expect(dateStyleOf(new TextEncoder().encode("2024-02-29T10:20"), 0, 16)).toBe(-1);
  });

  it("addresses as RFC 5952 says", () => {
    const random = chance();
    const texts = [
      "::",
      "::1",
      "1::",
      "1:0:0:2::",
      "::ffff:1.2.3.4",
      "0.0.0.0",
      "255.255.255.255",
      "2001:db8::1:0:0:1",
      "fe80::1",
    ];
    for (let i = 0; i < 300; i++) {
      texts.push(Array.from({ length: 8 }, () => (random(2) ? 0 : random(65_536)).toString(16)).join(":"));
    }
    for (const text of texts) {
      const bytes = parseIp(text)!;
      const found = printed((output) => {
        output.append(bytes, 0, 16);
        printLastAddress(output);
      });
      expect(found, text).toBe(printIp(bytes));
    }
  });
});
