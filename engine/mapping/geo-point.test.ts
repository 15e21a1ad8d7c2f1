import { expect, test } from "vitest";
import { arcDistance, decodePoint, encodePoint, readPoint } from "./geo-point.js";

test.each([
  [{ lat: 4.91235, lon: 52.374081 }],
  ["4.91235,52.374081"],
  [[52.374081, 4.91235]],
  ["POINT (52.374081 4.91235)"],
  [{ type: "Point", coordinates: [52.374081, 4.91235] }],
  [{ lat: "4.91235", lon: "52.374081" }],
])("%o is a point", (value) => {
  expect(readPoint(value)).toEqual({ lat: 4.91235, lon: 52.374081 });
});

test("a geohash is the lower left corner of its cell", () => {
  // Geohash.toPoint of Lucene: u4pruydqqvj lies at 57.64911, 10.40744.
  const { lat, lon } = readPoint("u4pruydqqvj");
  expect(lat).toBeCloseTo(57.64911, 5);
  expect(lon).toBeCloseTo(10.40744, 5);
  expect(readPoint("s0")).toEqual({ lat: 0, lon: 0 });
});

test.each([
  [{ lat: 91, lon: 0 }, "illegal latitude value [91]"],
  [{ lat: 0, lon: -181 }, "illegal longitude value [-181]"],
])("%o is not on the earth", (point, reason) => {
  expect(() => encodePoint(point)).toThrow(reason);
});

test.each([
  [{ lat: 1 }, "field [lon] missing"],
  [{ lat: 1, lon: 1, x: 1 }, "but found [x]"],
  [[1], "a point of two coordinates"],
  ["1,2,3,4", "expected 2 or 3 coordinates"],
  ["aaa", "unsupported symbol [a]"],
  [{ type: "LineString", coordinates: [] }, "can only be 'Point'"],
  ["x,1", "latitude must be a number"],
])("%o is no point", (value, reason) => {
  expect(() => readPoint(value)).toThrow(reason);
});

test("a point comes back within a step of its encoding, the ends of the earth too", () => {
  expect(encodePoint({ lat: 0, lon: 90 })).toBe(0x40000000n);
  for (const point of [
    { lat: 90, lon: 180 },
    { lat: -90, lon: -180 },
    { lat: 48.858, lon: 2.294 },
    { lat: -33.857, lon: 151.215 },
  ]) {
    const kept = decodePoint(encodePoint(point));
    expect(Math.abs(kept.lat - point.lat)).toBeLessThan(180 / 2 ** 32 + 1e-12);
    expect(Math.abs(kept.lon - point.lon)).toBeLessThan(360 / 2 ** 32 + 1e-12);
  }
});

test("distances are those of great circles", () => {
  const quarter = arcDistance({ lat: 0, lon: 0 }, { lat: 90, lon: 0 });
  expect(quarter).toBeCloseTo((Math.PI / 2) * 6_371_008.7714, 3);
  expect(arcDistance({ lat: 0, lon: 179 }, { lat: 0, lon: -179 })).toBeCloseTo(222_390, -2);
});
