import { describe, expect, it } from "vitest";
import { correlate } from "../correlate.js";
import type { RecordValue } from "../record.js";
import { DATE_ENCODINGS, epochUnit } from "./dates.js";
import { planFields } from "./plan.js";
import { containment, DistinctSketch, parseSketch, SKETCH_SIZE } from "./sketch.js";

function planned(values: readonly unknown[], name = "f") {
  const plan = planFields(values.map((value) => ({ [name]: value }) as RecordValue));
  if ("whyNot" in plan) throw new Error(plan.whyNot);
  return plan.fields[0]!;
}

const many = (count: number, value: (at: number) => unknown) => Array.from({ length: count }, (_, at) => value(at));

describe("dates", () => {
  const cases: [text: string, format: string, iso: string][] = [
    ["2024-05-01", "strict_date_optional_time", "2024-05-01T00:00:00.000Z"],
    ["2024-05-01T10:00+02:00", "strict_date_optional_time", "2024-05-01T08:00:00.000Z"],
    ["2024-05-01 10:00:01", "yyyy-MM-dd HH:mm:ss", "2024-05-01T10:00:01.000Z"],
    ["2024-05-01 10:00:01,123", "yyyy-MM-dd HH:mm:ss,SSS", "2024-05-01T10:00:01.123Z"],
    ["2024-05-01 10:00:01.123456+00:00", "yyyy-MM-dd HH:mm:ss.SSSSSSXXX", "2024-05-01T10:00:01.123Z"],
    ["2024-05-01 10:00:01 +0200", "yyyy-MM-dd HH:mm:ss XX", "2024-05-01T08:00:01.000Z"],
    ["2024/05/01 10:00:01", "yyyy/MM/dd HH:mm:ss", "2024-05-01T10:00:01.000Z"],
    ["2024/05/01", "yyyy/MM/dd", "2024-05-01T00:00:00.000Z"],
    ["10/Oct/2000:13:55:36 -0700", "dd/MMM/yyyy:HH:mm:ss Z", "2000-10-10T20:55:36.000Z"],
    ["Tue, 01 Oct 2024 12:00:00 +0200", "EEE, dd MMM yyyy HH:mm:ss Z", "2024-10-01T10:00:00.000Z"],
    ["1 Oct 2024 12:00 GMT", "d MMM yyyy HH:mm z", "2024-10-01T12:00:00.000Z"],
    ["24.12.2023", "dd.MM.yyyy", "2023-12-24T00:00:00.000Z"],
    ["4.2.2023 10:30", "d.M.yyyy HH:mm", "2023-02-04T10:30:00.000Z"],
    ["05-Jan-2024", "dd-MMM-yyyy", "2024-01-05T00:00:00.000Z"],
    ["Sat Aug 12 04:05:06.123 2006", "EEE MMM dd HH:mm:ss.SSS yyyy", "2006-08-12T04:05:06.123Z"],
    ["24/12/2023", "dd/MM/yyyy", "2023-12-24T00:00:00.000Z"],
    ["12/24/2023 10:00", "MM/dd/yyyy HH:mm", "2023-12-24T10:00:00.000Z"],
  ];
  it.each(cases)("%s is read by %s", (text, format, iso) => {
    expect(planned([text])).toMatchObject({ type: "date", format, min: iso, max: iso });
  });

  it("of several spellings keep all their formats, and of too many none", () => {
    expect(planned(["2024-05-01", "2024-05-01 10:00:00"])).toMatchObject({
      format: "strict_date_optional_time||yyyy-MM-dd HH:mm:ss",
    });
    expect(planned(many(9, (at) => `2024-05-01 10:00:00.${"1".repeat(at + 1)}`)).format).toBeUndefined();
  });

  it("of which nothing tells whether the day or the month comes first are no dates, with a note", () => {
    expect(planned(["03/04/2024", "05/06/2024"])).toMatchObject({
      type: "keyword",
      note: expect.stringContaining("day or the month"),
    });
    expect(planned(["13/04/2024", "04/13/2024"]).type).toBe("keyword");
    expect(planned(["13/04/2024", "31/04/2024"]).type).toBe("keyword");
  });

  const numbers: [name: string, values: unknown[], type: string, format?: string][] = [
    ["created_at", [1_714_550_400, 1_714_550_500], "date", "epoch_second"],
    ["ts", [1_714_550_400_123], "date", "epoch_millis"],
    ["updatedAt", [1_714_550_400_123], "date", "epoch_millis"],
    ["n", many(30, (at) => 1_714_550_400_000 + at * 1000), "date", "epoch_millis"],
    ["n", many(30, (at) => 1_714_550_400 + at), "date", "epoch_second"],
    ["n", many(30, (at) => 1_714_550_400 + ((at * 7) % 30)), "long"],
    ["isbn", many(30, (at) => 9_781_234_567_890 + at), "long"],
    ["time", [12, 14], "long"],
    ["created_at", [1_714_550_400.5], "double"],
  ];
  it.each(numbers)("whole numbers called %s that look like %j are %s", (name, values, type, format) => {
    const field = planned(values, name);
    expect([field.type, field.format]).toEqual([type, format]);
  });

  it("have at least five encodings beside numbers", () => {
    expect(DATE_ENCODINGS.length).toBeGreaterThanOrEqual(5);
    expect(epochUnit({ name: "x", min: 0, max: 1, distinct: 2, isSorted: true })).toBeUndefined();
  });
});

describe("types and entities", () => {
  const cases: [values: unknown[], expected: object][] = [
    [many(3, (at) => `a${at}@b.example`), { type: "keyword", entity: "email" }],
    [many(3, (at) => `https://b.example/${at}`), { type: "keyword", entity: "url" }],
    [many(3, (at) => `10.0.0.${at}`), { type: "ip", entity: "ip" }],
    [["10.0.0.1", "::1", "fe80::1"], { type: "ip" }],
    [["10.0.0.1", "10.0.0.2", "10.0.0.300"], { type: "keyword" }],
    [many(3, (at) => `123e4567-e89b-12d3-a456-42661417400${at}`), { entity: "uuid" }],
    [many(3, (at) => `1.2.${at}`), { entity: "version" }],
    [many(3, (at) => `${at}`.repeat(40)), { entity: "hash" }],
    [["$1.50", "$20", "$3,000.00"], { entity: "currency" }],
    [["+49 30 1234567", "+1 555 0100 200", "+44 20 7946 0000"], { entity: "phone" }],
    [["yes", "no"], { type: "keyword" }],
    [many(100, (at) => (at % 2 ? "New York" : "San Francisco Bay")), { type: "keyword" }],
    [many(40, (at) => `Person number ${at}`), { type: "text" }],
    [
      many(20, (at) => `this is a longer sentence about the thing with the number ${at}, which people read`),
      { type: "text", semantic: true },
    ],
    [[1, 2.5], { type: "double", min: 1, max: 2.5 }],
    [[1, "x"], { type: "keyword" }],
    [[[1, 2], 3], { type: "long", present: 3 }],
    [[true, null], { type: "boolean", null_share: 0.5 }],
  ];
  it.each(cases)("%j are %j", (values, expected) => {
    expect(planned(values)).toMatchObject(expected);
  });

  it("places are told by name and range", () => {
    expect(planned([50.1, 51], "lat")).toMatchObject({ entity: "latitude" });
    expect(planned([50.1, 510], "lat").entity).toBeUndefined();
    expect(planned([150.1], "geo_lng")).toMatchObject({ entity: "longitude" });
  });

  it("objects deeper than the bound are kept without being searched", () => {
    let deep: unknown = 1;
    for (let at = 0; at < 20; at++) deep = { x: deep };
    const plan = planFields([{ a: deep, b: 1 }]);
    expect(JSON.stringify(plan)).toContain('"enabled":false');
    expect(plan).toMatchObject({ fields: [{ name: "b" }] });
  });
});

describe("the sketch of a field's values", () => {
  const sketchOf = (values: Iterable<string>) => {
    const sketch = new DistinctSketch();
    for (const value of values) sketch.add(value);
    return sketch;
  };
  function* numbered(from: number, to: number): Generator<string> {
    for (let at = from; at < to; at++) yield `k${at}`;
  }

  it("counts different values: exactly when few, within a fifth when many", () => {
    expect(sketchOf([...numbered(0, 900), ...numbered(0, 900)]).estimate()).toBe(900);
    const estimate = sketchOf(numbered(0, 200_000)).estimate();
    expect(Math.abs(estimate / 200_000 - 1)).toBeLessThan(0.2);
  });

  it("is the same in any order, and comes back from its text", () => {
    const values = [...numbered(0, 5000)];
    expect(sketchOf(values).print()).toBe(sketchOf(values.reverse()).print());
    expect(parseSketch(sketchOf(values).print())).toEqual(sketchOf(values).smallest());
    expect(sketchOf(values).smallest()).toHaveLength(SKETCH_SIZE);
    expect(parseSketch("")).toEqual([]);
  });

  it("tells what share of one the other has", () => {
    const small = sketchOf(numbered(0, 2000)).smallest();
    const large = sketchOf(numbered(0, 4000)).smallest();
    expect(containment(small, large).share).toBe(1);
    expect(Math.abs(containment(large, small).share - 0.5)).toBeLessThan(0.15);
    expect(containment(small, sketchOf(numbered(9000, 9500)).smallest()).share).toBe(0);
    expect(containment([], small)).toEqual({ share: 0, seen: 0 });
  });
});

describe("fields that belong together", () => {
  const dataset = (name: string, records: RecordValue[]) => {
    const plan = planFields(records);
    if ("whyNot" in plan) throw new Error(plan.whyNot);
    return { dataset: name, about: name, schema: plan.fields };
  };
  const customers = dataset(
    "customers",
    many(100, (at) => ({ id: at + 1, mail: `p${at}@x.example` })) as RecordValue[],
  );
  const orders = dataset(
    "orders",
    many(300, (at) => ({
      id: at + 1,
      customer_id: 1 + (at % 80),
      mail: `p${at % 50}@x.example`,
      qty: at % 90,
    })) as RecordValue[],
  );

  it("hold the same values, from the side whose are all found to the other", () => {
    expect(correlate([customers, orders])).toEqual([
      {
        from: { dataset: "orders", field: "customer_id" },
        to: { dataset: "customers", field: "id" },
        share: 1,
        reverse_share: 0.8,
      },
      {
        from: { dataset: "orders", field: "mail" },
        to: { dataset: "customers", field: "mail" },
        share: 1,
        reverse_share: 0.5,
      },
    ]);
  });

  it("are no counters that overlap by chance, nor fields of one data set", () => {
    const found = correlate([
      customers,
      orders,
      dataset("other", many(100, (at) => ({ id: at + 1, n: at })) as RecordValue[]),
    ]);
    expect(found.filter(({ from, to }) => from.dataset === "other" || to.dataset === "other")).toEqual([]);
  });

  it("are found among thousands of fields in a second", () => {
    const wide = many(200, (set) =>
      dataset(
        `d${set}`,
        many(50, (at) =>
          Object.fromEntries(many(10, (f) => [`k${f}`, `v${set % 20}-${f}-${at}`]) as [string, string][]),
        ) as RecordValue[],
      ),
    );
    const started = process.cpuUsage();
    expect(correlate(wide as ReturnType<typeof dataset>[])).toHaveLength(100);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

it("numbers that JSON does not have leave a field its type, and are told", () => {
  const note = "2 numbers that JSON does not have (infinite, NaN) became null";
  expect(planned([1.5, Number.NaN, -2, Number.NEGATIVE_INFINITY])).toMatchObject({ type: "double", present: 2, note });
});
