/** A field that an index lacks, as if it were mapped with a type: what missing and handed-back values are read by. */
import { EngineError } from "../errors.js";
import { createFieldTable, type Field } from "../mapping/field-table.js";
import { FIELD_TYPES, type FieldType } from "../mapping/mapping.js";

/** The field under `path` with nothing but a type. Throws `query_unsupported` for a type that there is not. */
export function assumedField(path: string, type: string): Field {
  if (!(FIELD_TYPES as readonly string[]).includes(type)) {
    throw new EngineError("query_unsupported", `No mapper found for type [${type}]`, { field: path, type });
  }
  const { fields } = createFieldTable({ properties: { field: { type: type as FieldType } } });
  return { ...(fields.get("field") as Field), path };
}
