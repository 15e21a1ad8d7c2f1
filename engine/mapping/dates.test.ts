import { describe, expect, test } from "vitest";
import { civilFromDays, daysFromCivil } from "./calendar.js";
import { dateFormat } from "./date-format.js";
import { addUnits, type CalendarUnit, resolveDateMath, roundDown } from "./date-math.js";
import { parseIsoBytes } from "./iso-date.js";
import { timeZone, UTC } from "./time-zone.js";

const DEFAULT = "strict_date_optional_time||epoch_millis";

describe("calendar", () => {
  test("days and dates agree with Date over 4,000 years", () => {
    for (let days = -730_000; days < 730_000; days += 337) {
      const { year, month, day } = civilFromDays(days);
      const date = new Date(days * 86_400_000);
      expect([year, month, day]).toEqual([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
      expect(daysFromCivil(year, month, day)).toBe(days);
    }
  });
});

describe("date formats", () => {
  test.each([
    [DEFAULT, "2020", "2020-01-01T00:00:00.000Z"],
    [DEFAULT, "2020-02", "2020-02-01T00:00:00.000Z"],
    [DEFAULT, "2020-02-29T", "2020-02-29T00:00:00.000Z"],
    [DEFAULT, "2020-01-01T10", "2020-01-01T10:00:00.000Z"],
    [DEFAULT, "2020-01-01T10:11:12.123456789Z", "2020-01-01T10:11:12.123Z"],
    [DEFAULT, "2020-01-01T10:11:12,5+0130", "2020-01-01T08:41:12.500Z"],
    [DEFAULT, "2020-07-01T10:00:00Europe/Paris", "2020-07-01T08:00:00.000Z"],
    [DEFAULT, "1700000001553", "2023-11-14T22:13:21.553Z"],
    [DEFAULT, "-1", "1969-12-31T23:59:59.999Z"],
    ["epoch_second", "12.5", "1970-01-01T00:00:12.500Z"],
    ["basic_date", "20200102", "2020-01-02T00:00:00.000Z"],
    ["date_optional_time", "2020-1-2T3:4", "2020-01-02T03:04:00.000Z"],
    ["week_date", "2020-W5-2", "2020-01-28T00:00:00.000Z"],
    ["strict_ordinal_date", "2020-366", "2020-12-31T00:00:00.000Z"],
    ["yyyy/MM/dd HH:mm:ss||yyyy/MM/dd", "2020/01/02", "2020-01-02T00:00:00.000Z"],
    ["yyyyMMddHHmmssSSS", "20200102030405678", "2020-01-02T03:04:05.678Z"],
    ["dd/MMM/yyyy:HH:mm:ss Z", "10/Oct/2000:13:55:36 -0700", "2000-10-10T20:55:36.000Z"],
    ["EEE, d MMM yyyy h:mm a", "Tue, 3 Mar 2020 4:05 PM", "2020-03-03T16:05:00.000Z"],
    ["uuuu-MM-dd'T'HH:mm[:ss][X]", "2020-01-02T03:04+01", "2020-01-02T02:04:00.000Z"],
    ["yy", "21", "2021-01-01T00:00:00.000Z"],
  ])("%s reads %s", (format, text, iso) => {
    expect(new Date(dateFormat(format).parse(text, "down", UTC)).toISOString()).toBe(iso);
  });

  test.each([
    "2020-13-01",
    "2020-1-1",
    "2020-02-30",
    "2020-01-01T24:00:00Z",
    "2020-01-01T24:01",
    "+2020-01-01",
    "abc",
    "2020-01-01 10:00",
  ])("the default format refuses %j", (text) => {
    expect(() => dateFormat(DEFAULT).parse(text, "down", UTC)).toThrow(
      `failed to parse date field [${text}] with format [${DEFAULT}]`,
    );
  });

  test.each([
    ["date_optional_time", ["20260102", "+12345-01-01", "-20260102", "002026"], ["99999", "12345-01-01", "26"]],
    ["strict_date_optional_time", ["20260102", "99999", "202"], ["-20260102", "+12345-01-01", "2026"]],
    ["date", ["20260102", "123456-01-01", "+1234-01-01"], ["12345-01-01", "1-1-1"]],
    ["year", ["+1234"], ["20260102"]],
    ["year_month_day", ["+1234-01-01"], ["123456-01-01", "-1234-01-01"]],
  ])("%s takes %o for no date: its years have as many digits as Elasticsearch's", (format, wrong, right) => {
    const read = (text: string) => dateFormat(format).tryParse(text, "down", UTC);
    expect(wrong.filter((text) => read(text) !== null)).toEqual([]);
    expect(right.filter((text) => read(text) === null)).toEqual([]);
  });

  test("an empty text is no date, and says so", () => {
    expect(() => dateFormat(DEFAULT).parse("", "down", UTC)).toThrow("cannot parse empty date");
  });

  test.each([
    [DEFAULT, "2023-11-14T22:13:21.553Z"],
    ["yyyy/MM/dd||epoch_millis", "2023/11/14"],
    ["epoch_second", "1700000001.553"],
    ["EEEE, d MMMM uuuu hh:mm a", "Tuesday, 14 November 2023 10:13 PM"],
    ["YYYY-'W'ww-e", "2023-W46-2"],
    ["uuuu-MM-dd'T'HH:mm:ssXXX", "2023-11-14T22:13:21Z"],
    ["''yyyy''", "'2023'"],
  ])("%s prints %s", (format, text) => {
    expect(dateFormat(format).print(1_700_000_001_553)).toBe(text);
  });

  test("prints on a zone's wall clock", () => {
    expect(dateFormat(DEFAULT).print(0, timeZone("+05:30"))).toBe("1970-01-01T05:30:00.000+05:30");
  });

  test("an unknown letter is refused by name", () => {
    expect(() => dateFormat("yyyy-ff")).toThrow("Invalid format: [yyyy-ff]: Unknown pattern letter: f");
  });

  test("the fast path over bytes agrees with the format wherever it gives an answer", () => {
    const format = dateFormat("strict_date_optional_time");
    const bits = (n: number, i: number) => (n >> i) & 1;
    for (let n = 0; n < 512; n++) {
      const time = `T0${bits(n, 0)}:3${bits(n, 1)}${bits(n, 2) ? `:0${bits(n, 3)}${bits(n, 4) ? ".25" : ""}` : ""}`;
      const zone = bits(n, 5) ? (bits(n, 6) ? "Z" : "-01:30") : "";
      const text = `20${bits(n, 7)}0-0${1 + bits(n, 8)}-29${n % 3 === 0 ? "" : time + zone}`;
      const fast = parseIsoBytes(Buffer.from(text), 0, text.length);
      expect(Number.isNaN(fast) ? null : fast, text).toBe(format.tryParse(text, "down", UTC));
    }
  });
});

describe("time zones", () => {
  test("local times in a gap move forward, in an overlap the earlier offset wins", () => {
    const zone = timeZone("America/New_York");
    const utc = (local: number) => new Date(zone.toUtc(local)).toISOString();
    expect(utc(Date.UTC(2024, 2, 10, 2, 30))).toBe("2024-03-10T07:30:00.000Z");
    expect(utc(Date.UTC(2024, 10, 3, 1, 30))).toBe("2024-11-03T05:30:00.000Z");
    expect(zone.offsetAt(Date.UTC(2024, 10, 3, 5, 59, 59))).toBe(-4 * 3_600_000);
    expect(zone.offsetAt(Date.UTC(2024, 10, 3, 6))).toBe(-5 * 3_600_000);
  });

  test.each(["+01:00", "+0100", "UTC+1", "+1"])("%s is an hour east", (id) => {
    expect(timeZone(id).fixedOffset).toBe(3_600_000);
  });

  test("an unknown zone is refused by name", () => {
    expect(() => timeZone("Mars/Base")).toThrow("Unknown time-zone ID: Mars/Base");
  });
});

describe("date math", () => {
  const resolve = (text: string, rounding: "down" | "up", zone = "UTC") =>
    new Date(
      resolveDateMath(text, {
        format: dateFormat(DEFAULT),
        zone: timeZone(zone),
        now: Date.UTC(2024, 2, 31, 12),
        rounding,
      }),
    ).toISOString();

  test.each([
    ["now", "down", "2024-03-31T12:00:00.000Z"],
    ["now/d", "down", "2024-03-31T00:00:00.000Z"],
    ["now/d", "up", "2024-03-31T23:59:59.999Z"],
    ["now-1M", "down", "2024-02-29T12:00:00.000Z"],
    ["now-1M/M", "up", "2024-02-29T23:59:59.999Z"],
    ["now/w", "down", "2024-03-25T00:00:00.000Z"],
    ["now+2h-30m", "down", "2024-03-31T13:30:00.000Z"],
    ["2020-01-31||+1M/d", "up", "2020-02-29T23:59:59.999Z"],
    ["2020-01", "up", "2020-01-01T23:59:59.999Z"],
    ["2020-01-01T10", "up", "2020-01-01T10:59:59.999Z"],
  ] as const)("%s rounded %s is %s", (text, rounding, iso) => {
    expect(resolve(text, rounding)).toBe(iso);
  });

  test("days round on the zone's wall clock, also when one has 23 hours", () => {
    expect(resolve("now/d", "down", "Europe/Paris")).toBe("2024-03-30T23:00:00.000Z");
    expect(resolve("now/d", "up", "Europe/Paris")).toBe("2024-03-31T21:59:59.999Z");
  });

  test.each([
    ["now/2d", "rounding `/` can only be used on single unit types [/2d]"],
    ["now+1x", "unit [x] not supported for date math [+1x]"],
    ["now*1d", "operator not supported for date math [*1d]"],
    ["now+1", "truncated date math [+1]"],
  ])("%s is refused: %s", (text, message) => {
    expect(() => resolve(text, "down")).toThrow(message);
  });

  test("units round down to their start", () => {
    const at = Date.UTC(2024, 7, 15, 13, 14, 15, 16);
    const starts = (["minute", "hour", "day", "week", "month", "quarter", "year"] satisfies CalendarUnit[]).map(
      (unit) => new Date(roundDown(at, unit, UTC)).toISOString().slice(0, 16),
    );
    expect(starts).toEqual([
      "2024-08-15T13:14",
      "2024-08-15T13:00",
      "2024-08-15T00:00",
      "2024-08-12T00:00",
      "2024-08-01T00:00",
      "2024-07-01T00:00",
      "2024-01-01T00:00",
    ]);
    expect(new Date(addUnits(at, 2, "quarter", UTC)).toISOString()).toBe("2025-02-15T13:14:15.016Z");
  });
});
