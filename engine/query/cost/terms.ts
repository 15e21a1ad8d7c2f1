import type { Field } from "../../mapping/field-table.js";
import type { Probe } from "./probe.js";

/** The term that a value of a query most likely is; wrong for dates and numbers, which have no terms. */
export function exactTerm(probe: Probe, field: Field, value: string): Uint8Array {
  if (field.type === "boolean") return Buffer.from(value === "true" ? "T" : "F");
  return Buffer.from(field.type === "keyword" ? probe.analysis.normalize(field, value) : value, "utf8");
}
