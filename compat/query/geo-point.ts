/** A point as a request writes it: the forms of documents, read by the engine. */
import { readGeoCorner, readGeoPoint } from "../../engine/index.js";
import { parsingError, toApiError } from "../errors.js";
import type { Json } from "../json/value.js";

/** Latitude and longitude in degrees. Throws ApiError 400. */
export function readPoint(value: Json | undefined): { lat: number; lon: number } {
  return asked(() => readGeoPoint(value));
}

/** The corner of a box; a geohash there stands for its cell's. Throws ApiError 400. */
export function readCorner(
  value: Json | undefined,
  corner: Parameters<typeof readGeoCorner>[1],
): { lat: number; lon: number } {
  return asked(() => readGeoCorner(value, corner));
}

function asked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw parsingError(toApiError(error).message);
  }
}
