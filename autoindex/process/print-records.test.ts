import { describe, expect, it } from "vitest";
import { BOUNDS } from "../records/bounds.js";
import { outlineOfRecords, printRecords } from "./print-records.js";

const dataset = (part: string, records: { [field: string]: unknown }[], sources?: string[]) => ({
  part,
  records,
  notes: [],
  fields: [],
  properties: {},
  ...(sources && { sources }),
});
const source = { repo: "r", path: "a.db", key: "key" };
const textOf = (parts: { bytes: Uint8Array }[]) => parts.map(({ bytes }) => Buffer.from(bytes).toString()).join("");

describe("printing records", () => {
  it("keeps the text of a record where printing its value would lose digits", () => {
    const lines = ['{"a": 12345678901234567890}'];
    const [printed] = printRecords(source, {
      reader: "json lines",
      note: "",
      datasets: [dataset("", [{ a: 1e19 }], lines)],
    });
    expect(textOf(printed!.parts).trim().split("\n")[1]).toBe(lines[0]);
  });

  it("gives the records of different tables different ids", () => {
    const printed = printRecords(source, {
      reader: "sqlite",
      note: "",
      datasets: [dataset("t", [{ a: 1 }]), dataset("u", [{ a: 1 }])],
    });
    const ids = printed.map(({ parts }) => /"_id":"([^"]+)"/.exec(textOf(parts))![1]);
    expect(new Set(ids).size).toBe(2);
  });

  it("stops at the bound of what a file prints to, and says so", () => {
    const big = { text: "x".repeat(BOUNDS.printedChars / 8) };
    const [first, second] = printRecords(source, {
      reader: "table",
      note: "",
      datasets: [dataset("t", Array(9).fill(big)), dataset("u", [big])],
    });
    expect(first).toMatchObject({ records: 7, notes: [expect.stringContaining("2 records were left out")] });
    expect(second).toMatchObject({ records: 0 });
  }, 60_000);

  it("outlines what has no text by its tables", () => {
    const datasets = [dataset("t", [{ a: 1 }]), dataset("", [{ a: 1 }])];
    expect(outlineOfRecords({ reader: "sqlite", note: "", datasets })).toBe(
      "sqlite t (1 records)\nsqlite (1 records)\n",
    );
  });
});
