/** Documents by the points that they have: every point of a leaf is looked at, rows first, then documents. */
import type { Field } from "../../mapping/field-table.js";
import { arcDistance, decodePoint, type GeoPoint } from "../../mapping/geo-point.js";
import { longRow } from "../../sort/long-rows.js";
import type { GeoArea } from "../query.js";
import { noBits, setBit } from "./bits.js";
import type { LeafContext } from "./context.js";
import type { Steps } from "./pace.js";
import { rowsToDocs } from "./range-bits.js";

/** Points looked at between two chances to pause. */
const ROWS_PER_STEP = 4096;

/** Documents with a point in the area. */
export function* geoBits(leaf: LeafContext, field: Field, area: GeoArea): Steps<Uint32Array> {
  const column = leaf.segment.column(field);
  if (column?.kind !== "long") return noBits(leaf.docCount);
  const rows = noBits(column.raw.length);
  const holds = areaTest(area);
  for (let row = 0; row < column.raw.length; row++) {
    if (holds(decodePoint(longRow(column, row)))) setBit(rows, row);
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  return rowsToDocs(column, rows);
}

/** Whether a point lies in an area, its edge included. */
export function areaTest(area: GeoArea): (point: GeoPoint) => boolean {
  if (area.kind === "circle") return (point) => arcDistance(point, area) <= area.radius;
  if (area.kind === "box") return boxTest(area);
  return ({ lat, lon }) => inRing(area.outline, lat, lon) && !area.holes.some((hole) => inRing(hole, lat, lon));
}

/** A box whose left edge is east of its right one goes over the date line. */
function boxTest({ top, left, bottom, right }: GeoArea & { kind: "box" }): (point: GeoPoint) => boolean {
  const over = left > right;
  return ({ lat, lon }) =>
    lat <= top && lat >= bottom && (over ? lon >= left || lon <= right : lon >= left && lon <= right);
}

/** Even-odd rule: a ray to the east crosses the outline an odd number of times. */
function inRing(ring: readonly GeoPoint[], lat: number, lon: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [a, b] = [ring[i], ring[j]];
    if (a.lat > lat === b.lat > lat) continue;
    if (lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon) inside = !inside;
  }
  return inside;
}
