/** Queries on points: `geo_bounding_box`, `geo_distance`, `geo_shape` of a `geo_point` field. */
import type { Geo, GeoArea } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";
import { common, querySkeleton, type ReadClause, required } from "./clause.js";
import { readCorner, readPoint } from "./geo-point.js";

const SHARED = { ignore_unmapped: "boolean", validation_method: "string" } as const;
const BOX = querySkeleton("geo_bounding_box", { ...SHARED, type: "string" }, ["coerce", "ignore_malformed"]);
const DISTANCE = querySkeleton("geo_distance", {
  ...SHARED,
  distance: "scalar",
  unit: "string",
  distance_type: "string",
});
const SHAPE = querySkeleton("geo_shape", { ignore_unmapped: "boolean" });

/** The options of a query, and the one key among them that is the field. */
function splitField(
  kind: string,
  body: Json,
  known: readonly string[],
): { field: string; value: Json; options: JsonObject } {
  if (!isObject(body)) throw parsingError(`[${kind}] query malformed, no start_object after query name`);
  const names = Object.keys(body).filter((key) => !known.includes(key));
  if (names.length === 0) throw parsingError(`[${kind}] query requires a field name`);
  if (names.length > 1) {
    throw parsingError(
      `[${kind}] query doesn't support multiple fields, found [${names[0]}] and [${names[1]}]`,
      names[1],
    );
  }
  const { [names[0]]: value, ...options } = body;
  return { field: ordinaryField(names[0], kind), value, options };
}

interface Shared {
  readonly ignore_unmapped?: boolean;
  readonly validation_method?: string;
}

function geo(field: string, area: GeoArea, options: Shared & { boost?: number; _name?: string }): Geo {
  const method = (options.validation_method ?? "STRICT").toUpperCase();
  if (method !== "STRICT") throw notSupported(`[validation_method] with value [${options.validation_method}]`);
  const ignoreUnmapped = options.ignore_unmapped ?? false;
  return { kind: "geo", field, areas: [area], relation: "within", ignoreUnmapped, ...common(options) };
}

export const readGeoBoundingBox: ReadClause = (body) => {
  const { field, value, options } = splitField("geo_bounding_box", body, Object.keys(BOX.keys));
  return geo(field, readBox(value), readShape(options, BOX));
};

const CORNERS = ["top_left", "bottom_right", "top_right", "bottom_left"] as const;
const EDGES = ["top", "left", "bottom", "right"] as const;

function readBox(given: Json): GeoArea {
  if (!isObject(given)) throw parsingError("failed to parse bounding box. an object is expected", "geo_bounding_box");
  const unknown = Object.keys(given).find((key) => ![...CORNERS, ...EDGES, "wkt"].includes(key));
  if (unknown !== undefined) throw parsingError(`failed to parse bounding box. unexpected field [${unknown}]`, unknown);
  if (given.wkt !== undefined) return readEnvelopeText(String(given.wkt));
  const edges: Partial<Record<(typeof EDGES)[number], number>> = {};
  for (const edge of EDGES) if (given[edge] !== undefined) edges[edge] = Number(given[edge]);
  for (const corner of CORNERS) {
    if (given[corner] === undefined) continue;
    const point = readCorner(given[corner], corner);
    const [vertical, horizontal] = corner.split("_") as ["top" | "bottom", "left" | "right"];
    edges[vertical] = point.lat;
    edges[horizontal] = point.lon;
  }
  const { top, left, bottom, right } = edges;
  const missing = EDGES.find((edge) => edges[edge] === undefined || Number.isNaN(edges[edge]));
  if (top === undefined || left === undefined || bottom === undefined || right === undefined || missing !== undefined) {
    throw parsingError(`failed to parse bounding box. [${missing}] is missing`, "geo_bounding_box");
  }
  return checkedBox({ kind: "box", top, left, bottom, right });
}

function checkedBox(box: GeoArea & { kind: "box" }): GeoArea {
  if (box.top < box.bottom) {
    throw illegalArgument(`top is below bottom corner: ${box.top} vs. ${box.bottom}`);
  }
  return box;
}

/** `BBOX (left, right, top, bottom)` */
function readEnvelopeText(text: string): GeoArea {
  const found = /^\s*(?:BBOX|ENVELOPE)\s*\(([^)]*)\)\s*$/i.exec(text);
  const numbers = found?.[1].split(",").map(Number) ?? [];
  if (numbers.length !== 4 || numbers.some((number) => !Number.isFinite(number))) {
    throw parsingError(`failed to parse WKT bounding box [${text}]`, "wkt");
  }
  const [left, right, top, bottom] = numbers;
  return checkedBox({ kind: "box", top, left, bottom, right });
}

export const readGeoDistance: ReadClause = (body) => {
  const { field, value, options } = splitField("geo_distance", body, Object.keys(DISTANCE.keys));
  const read = readShape(options, DISTANCE);
  if (read.distance_type !== undefined && read.distance_type.toLowerCase() !== "arc") {
    throw notSupported(`[distance_type] with value [${read.distance_type}] in [geo_distance]`);
  }
  const radius = readDistance(String(required(read.distance, "geo_distance", "distance")), read.unit ?? "m");
  return geo(field, { kind: "circle", ...readPoint(value), radius }, read);
};

/** Metres of one unit. */
const UNITS: Readonly<Record<string, number>> = {
  in: 0.0254,
  inch: 0.0254,
  yd: 0.9144,
  yards: 0.9144,
  ft: 0.3048,
  feet: 0.3048,
  km: 1000,
  kilometers: 1000,
  nm: 1852,
  nmi: 1852,
  nauticalmiles: 1852,
  mm: 0.001,
  millimeters: 0.001,
  cm: 0.01,
  centimeters: 0.01,
  mi: 1609.344,
  miles: 1609.344,
  m: 1,
  meters: 1,
};

/** Metres of `10km`; a number without a unit is of `unit`. Throws ApiError 400. */
export function readDistance(text: string, unit: string): number {
  const found = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const name = (found?.[2] || unit).toLowerCase();
  const metres = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (metres === undefined) throw illegalArgument(`No enum constant for the unit of distance [${name}]`);
  const value = Number(found?.[1]) * metres;
  if (!(value > 0)) throw illegalArgument("distance must be greater than zero");
  return value;
}

export const readGeoShape: ReadClause = (body) => {
  const { field, value, options } = splitField("geo_shape", body, Object.keys(SHAPE.keys));
  if (!isObject(value)) throw parsingError("[geo_shape] query malformed, an object is expected", field);
  const { shape, relation, indexed_shape, ...unknown } = value;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw parsingError(`[geo_shape] query does not support [${other}]`, other);
  if (indexed_shape !== undefined) throw notSupported("[indexed_shape] in [geo_shape]");
  const query = geo(field, readArea(shape), readShape(options, SHAPE));
  const wanted = String(relation ?? "intersects").toLowerCase();
  if (wanted === "disjoint") return { ...query, relation: "disjoint" };
  if (wanted === "intersects" || wanted === "within") return query;
  throw notSupported(`[relation] with value [${wanted}] in [geo_shape]`);
};

function readArea(shape: Json | undefined): GeoArea {
  if (!isObject(shape)) throw notSupported("a [shape] that is no GeoJSON object in [geo_shape]");
  const type = String(shape.type).toLowerCase();
  if (type === "envelope") {
    const [first, second] = pointsOf(shape.coordinates);
    if (first === undefined || second === undefined) throw parsingError("an envelope has two corners", "coordinates");
    return checkedBox({ kind: "box", left: first.lon, top: first.lat, right: second.lon, bottom: second.lat });
  }
  if (type === "circle") {
    const radius = readDistance(String(shape.radius), "m");
    return { kind: "circle", ...readPoint(shape.coordinates), radius };
  }
  if (type === "polygon" && Array.isArray(shape.coordinates)) {
    const [outline, ...holes] = shape.coordinates.map(pointsOf);
    if (outline === undefined || outline.length < 4)
      throw parsingError("a polygon has at least four points", "coordinates");
    return { kind: "polygon", outline, holes };
  }
  throw notSupported(`a [shape] of type [${type}] in [geo_shape]`);
}

function pointsOf(given: Json | undefined): { lat: number; lon: number }[] {
  if (!Array.isArray(given)) throw parsingError("[coordinates] must be a list of points", "coordinates");
  return given.map(readPoint);
}
