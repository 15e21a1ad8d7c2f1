import { describe, expect, it } from "vitest";
import { resolveName } from "./date-math.js";

/** 22 March 2024, 12:00 UTC: the example of Elasticsearch's documentation of date math in index names. */
const NOW = Date.UTC(2024, 2, 22, 12);

describe("date math in index names", () => {
  it.each([
    ["<logstash-{now/d}>", "logstash-2024.03.22"],
    ["<logstash-{now/M}>", "logstash-2024.03.01"],
    ["<logstash-{now/M{yyyy.MM}}>", "logstash-2024.03"],
    ["<logstash-{now/M-1M{yyyy.MM}}>", "logstash-2024.02"],
    ["<logstash-{now/d{yyyy.MM.dd|+12:00}}>", "logstash-2024.03.23"],
    ["<elastic\\{ON\\}-{now/M}>", "elastic{ON}-2024.03.01"],
    ["<a-{now/d}-b-{now/y{yyyy}}>", "a-2024.03.22-b-2024"],
  ])("%s is %s", (name, meant) => {
    expect(resolveName(name, NOW)).toBe(meant);
  });

  it.each([["<a-{now/d>"], ["<a-{}>"], ["<a-}>"], ["<a-{now{yyyy}>"], ["<a-{now/d{yyyy{MM}}}>"], ["<a\\>"]])(
    "%s is refused as a name",
    (name) => {
      expect(() => resolveName(name, NOW)).toThrow(`invalid dynamic name expression [${name}]`);
    },
  );
});
