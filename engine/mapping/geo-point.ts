/**
 * Points on the earth. A point is kept in one whole number, as Lucene's GeoEncodingUtils has it: latitude in the upper 32
 * bits, longitude in the lower, each in steps of 180 / 2^32 and 360 / 2^32 degrees, rounded down.
 *
 * Example: latitude 0, longitude 90 is 0x00000000_40000000.
 */
import { EngineError } from "../errors.js";
import { nextDown } from "./numbers.js";

export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const STEPS = 2 ** 32;
const LAT_STEP = 180 / STEPS;
const LON_STEP = 360 / STEPS;

/** A point as it is kept. Throws invalid_value for one that is not on the earth. */
export function encodePoint(point: GeoPoint): bigint {
  const { lat, lon } = checkedPoint(point);
  const upper = BigInt(Math.floor((lat === 90 ? nextDown(90) : lat) / LAT_STEP));
  const lower = BigInt(Math.floor((lon === 180 ? nextDown(180) : lon) / LON_STEP));
  return (upper << 32n) | BigInt.asUintN(32, lower);
}

/** The point that a kept number stands for. */
export function decodePoint(kept: bigint): GeoPoint {
  const lat = Number(kept >> 32n) * LAT_STEP;
  const lon = Number(BigInt.asIntN(32, kept)) * LON_STEP;
  return { lat, lon };
}

function checkedPoint({ lat, lon }: GeoPoint): GeoPoint {
  if (!(Math.abs(lat) <= 90)) throw invalid(`illegal latitude value [${lat}]`);
  if (!(Math.abs(lon) <= 180)) throw invalid(`illegal longitude value [${lon}]`);
  return { lat, lon };
}

function invalid(message: string): EngineError {
  return new EngineError("invalid_value", message, { exception: "parse_exception" });
}

/**
 * A point in any of the forms that Elasticsearch reads: `{lat, lon}`, `{geohash}`, GeoJSON, `[lon, lat]`, `"lat,lon"`, WKT,
 * a geohash. Throws invalid_value.
 */
export function readPoint(value: unknown): GeoPoint {
  if (typeof value === "string") return readPointText(value);
  if (Array.isArray(value)) return readCoordinates(value);
  if (typeof value !== "object" || value === null) throw invalid("geo_point expected");
  const { lat, lon, geohash, type, coordinates, z: _z, ...unknown } = value as Record<string, unknown>;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw invalid(`field must be either [lat], [lon] or [geohash] but found [${other}]`);
  if (typeof geohash === "string") return readGeohash(geohash);
  if (type !== undefined || coordinates !== undefined) {
    if (typeof type !== "string" || type.toLowerCase() !== "point")
      throw invalid("[type] for geo_point can only be 'Point'");
    if (!Array.isArray(coordinates)) throw invalid("field [coordinates] missing");
    return readCoordinates(coordinates);
  }
  if (lat === undefined) throw invalid("field [lat] missing");
  if (lon === undefined) throw invalid("field [lon] missing");
  return { lat: readDegrees(lat, "latitude"), lon: readDegrees(lon, "longitude") };
}

function readCoordinates(given: readonly unknown[]): GeoPoint {
  if (given.length < 2) throw invalid("field must be a point of two coordinates");
  if (given.length > 3) throw invalid(`[geo_point] field type does not accept ${given.length} dimensions`);
  return { lon: readDegrees(given[0], "longitude"), lat: readDegrees(given[1], "latitude") };
}

function readDegrees(value: unknown, what: string): number {
  const number =
    typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw invalid(`${what} must be a number`);
}

function readPointText(text: string): GeoPoint {
  const wkt = /^\s*POINT\s*\(\s*(\S+)\s+(\S+?)(?:\s+\S+)?\s*\)\s*$/i.exec(text);
  if (wkt !== null) return { lon: readDegrees(wkt[1], "longitude"), lat: readDegrees(wkt[2], "latitude") };
  if (!text.includes(",")) return readGeohash(text);
  const parts = text.split(",");
  if (parts.length > 3)
    throw invalid(`failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`);
  return { lat: readDegrees(parts[0], "latitude"), lon: readDegrees(parts[1], "longitude") };
}

const GEOHASH_LETTERS = "0123456789bcdefghjkmnpqrstuvwxyz";

/** A corner of the cell that a geohash names. */
export type CellCorner = "top_left" | "top_right" | "bottom_left" | "bottom_right";

/** The lower left corner of a geohash's cell, or another. */
function readGeohash(text: string, corner: CellCorner = "bottom_left"): GeoPoint {
  if (text === "" || text.length > 12) throw invalid(`unsupported symbol or length of geohash [${text}]`);
  let [lat, lon, latSize, lonSize] = [-90, -180, 180, 360];
  let even = true;
  for (const letter of text.toLowerCase()) {
    const bits = GEOHASH_LETTERS.indexOf(letter);
    if (bits < 0) throw invalid(`unsupported symbol [${letter}] in geohash [${text}]`);
    for (let mask = 16; mask > 0; mask >>= 1) {
      const upper = (bits & mask) !== 0;
      if (even) {
        lonSize /= 2;
        if (upper) lon += lonSize;
      } else {
        latSize /= 2;
        if (upper) lat += latSize;
      }
      even = !even;
    }
  }
  return {
    lat: corner.startsWith("top") ? lat + latSize : lat,
    lon: corner.endsWith("right") ? lon + lonSize : lon,
  };
}

/** A corner of a box: of a geohash the cell's own corner, so that the box holds the whole cell. Throws invalid_value. */
export function readCorner(value: unknown, corner: CellCorner): GeoPoint {
  const text = typeof value === "object" && value !== null && "geohash" in value ? value.geohash : value;
  const isHash = typeof text === "string" && /^[0-9a-z]+$/i.test(text);
  return isHash ? readGeohash(text, corner) : readPoint(value);
}

/** Mean radius of the earth in metres, as Lucene's `haversin` has it. */
const EARTH_RADIUS = 6_371_008.7714;

/** Metres between two points along a great circle. */
export function arcDistance(a: GeoPoint, b: GeoPoint): number {
  const radians = Math.PI / 180;
  const [lat1, lat2] = [a.lat * radians, b.lat * radians];
  const h = 1 - Math.cos(lat1 - lat2) + Math.cos(lat1) * Math.cos(lat2) * (1 - Math.cos((a.lon - b.lon) * radians));
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h * 0.5)));
}
