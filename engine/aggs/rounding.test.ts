import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { DateHistogramAggregation } from "./aggregation.js";
import { dateRounding, type Rounding } from "./rounding.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function rounding(interval: DateHistogramAggregation["interval"], timeZone: string, offsetMillis = 0): Rounding {
  return dateRounding({
    kind: "date_histogram",
    field: "time",
    interval,
    timeZone,
    offsetMillis,
    minDocCount: 0,
    keyed: false,
  } as DateHistogramAggregation);
}

function fixed(millis: number, timeZone: string, offset = 0): Rounding {
  return rounding({ kind: "fixed", millis }, timeZone, offset);
}

/** Clock changes by an hour, by half an hour, of a whole day, twice within a month, by odd seconds; and none. */
const ZONES = [
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Casablanca",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Africa/Monrovia",
  "UTC",
  "+05:30",
];
const LENGTHS = [HOUR / 4, HOUR / 2, HOUR, 1.5 * HOUR, 3 * HOUR, 5 * HOUR, 7 * HOUR, 12 * HOUR, 23 * HOUR]
  .concat([25 * HOUR, 1000 * HOUR])
  .concat([1, 3, 7, 8, 9, 11, 30, 90, 365, 400, 1000].map((days) => days * DAY));
/** New York, Lord Howe, Apia and Casablanca change their clocks near these. */
const CHANGES = [1583650800000, 1604210400000, 1349537400000, 1325239200000, 1586656800000, 1712455200000];

const zones = fc.constantFrom(...ZONES);
const lengths = fc.constantFrom(...LENGTHS);
const offsets = fc.constantFrom(0, 6 * HOUR, -DAY, 30 * DAY, 1234);
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2040, 0) }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
    .map(([change, by]) => change + by),
);
/** An instant at a change of the clock, to the quarter of an hour: edges meet transitions there. */
const quarters = instants.map((millis) => Math.floor(millis / (HOUR / 4)) * (HOUR / 4));
const cases = fc.tuple(lengths, zones, offsets, fc.oneof(instants, quarters));
const RUNS = { numRuns: 3000 };

describe("intervals of a fixed length in a time zone", () => {
  it("hold the instant: round(v) <= v < next(round(v)), and a start rounds to itself", () => {
    fc.assert(
      fc.property(cases, ([length, zone, offset, millis]) => {
        const { round, next } = fixed(length, zone, offset);
        const start = round(millis);
        expect(start).toBeLessThanOrEqual(millis);
        expect(next(start)).toBeGreaterThan(millis);
        expect(round(start)).toBe(start);
      }),
      RUNS,
    );
  });

  it("follow each other without a gap: next is the smallest later start", () => {
    fc.assert(
      fc.property(cases, fc.double({ min: 0, max: 1, noNaN: true }), ([length, zone, offset, millis], share) => {
        const { round, next } = fixed(length, zone, offset);
        const start = round(millis);
        const end = next(start);
        expect(end).toBeGreaterThan(start);
        expect(round(end)).toBe(end);
        expect(round(end - 1)).toBe(start);
        expect(round(start + Math.floor((end - 1 - start) * share))).toBe(start);
      }),
      RUNS,
    );
  });

  it("never run backwards", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 4 * HOUR }), ([length, zone, offset, millis], later) => {
        const { round } = fixed(length, zone, offset);
        expect(round(millis + later)).toBeGreaterThanOrEqual(round(millis));
      }),
      RUNS,
    );
  });

  it("are found at once however long they are", () => {
    const { round, next } = fixed(1e8 * DAY, "America/New_York");
    const begun = performance.now();
    expect(round(Date.UTC(2024, 0))).toBe(5 * HOUR);
    expect(next(5 * HOUR)).toBeGreaterThan(Date.UTC(2024, 0));
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe("starts that OpenSearch gives", () => {
  test.each([
    [1000 * DAY, "America/New_York", 0, "2022-01-01", 1555214400000],
    [1000 * DAY, "America/New_York", 0, "2023-08-29", 1641618000000],
    [23 * HOUR, "America/New_York", 0, "2020-03-08T12:00:00Z", 1583650800000],
    [5 * HOUR, "Australia/Lord_Howe", 0, "2022-10-01T16:00:00Z", 1664638200000],
    [HOUR, "Australia/Lord_Howe", 6 * HOUR, "2012-10-06T21:40:00Z", 1349559000000],
  ])("fixed interval of %i ms in %s, offset %i: %s", (length, zone, offset, time, start) => {
    expect(fixed(length, zone, offset).round(Date.parse(time))).toBe(start);
  });

  it("has the interval after one from summer into winter time", () => {
    expect(fixed(1000 * DAY, "America/New_York").next(1555214400000)).toBe(1641618000000);
  });

  it("leaves the rest of a calendar hour whose start was skipped with the hour before", () => {
    const { round, next } = rounding({ kind: "calendar", unit: "hour" }, "Australia/Lord_Howe");
    const transition = 1664638200000;
    expect(round(transition + 60_000)).toBe(transition - HOUR);
    expect(next(transition - HOUR)).toBe(transition + HOUR / 2);
  });
});
