import { describe, expect, test } from "vitest";
import { interpolated, medianAbsoluteDeviation, quantized } from "./quantiles.js";

// Values and percentiles of OpenSearch's own suite: search.aggregation/180_percentiles_tdigest_metric, 190_percentiles_hdr_metric.
const VALUES = Float64Array.of(1, 51, 101, 151);

describe("between two values", () => {
  test.each([
    [0, 1],
    [0.05, 1],
    [0.25, 26],
    [0.5, 76],
    [0.75, 126],
    [0.99, 151],
    [1, 151],
  ])("a share of %d is interpolated to %d", (share, value) => {
    expect(interpolated(VALUES, share)).toBe(value);
  });
});

describe("a histogram of three digits", () => {
  test.each([
    [VALUES, 0.25, 1],
    [VALUES, 0.5, 51.0302734375],
    [VALUES, 0.75, 101.0615234375],
    [VALUES, 0.95, 151.1240234375],
    [Float64Array.of(51, 101, 126, 151), 0.25, 51],
    [Float64Array.of(51, 101, 126, 151), 0.5, 101.03125],
    [Float64Array.of(51, 101, 126, 151), 0.75, 126.03125],
    [Float64Array.of(0, 0, 5), 0.5, 0],
  ])("%o has %d at %d", (values, share, value) => {
    expect(quantized(values, share, 3)).toBe(value);
  });
});

test("no values have no percentiles", () => {
  const none = new Float64Array(0);
  expect([interpolated(none, 0.5), quantized(none, 0.5, 3), medianAbsoluteDeviation(none)]).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});

test("the median absolute deviation is that of the distances", () => {
  expect(medianAbsoluteDeviation(Float64Array.of(100, 200, 300))).toBe(100);
});
