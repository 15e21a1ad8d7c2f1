/** A point as a request writes it: the forms of documents, read by the engine. */
import { readGeoPoint } from "../../engine/index.js";
import { parsingError, toApiError } from "../errors.js";
import type { Json } from "../json/value.js";

/** Latitude and longitude in degrees. Throws ApiError 400. */
export function readPoint(value: Json | undefined): { lat: number; lon: number } {
  try {
    return readGeoPoint(value);
  } catch (error) {
    throw parsingError(toApiError(error).message);
  }
}
