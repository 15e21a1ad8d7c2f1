/** Fields as queries name them. */
import { EngineError } from "../../errors.js";
import type { Field } from "../../mapping/field-table.js";
import { fieldAt } from "../../mapping/flat-object.js";
import type { ReaderContext } from "../exec/context.js";

/** The field, or a path into an object that is kept flat; undefined when the index has none of this name. */
export function findField(context: ReaderContext, path: string): Field | undefined {
  const field = fieldAt(context.reader.fields, path);
  if (field?.nested) return undefined;
  if (field?.type !== "completion") return field;
  // Its terms are what suggesters read, not words.
  throw new EngineError("query_unsupported", `Field [${path}] of type [completion] can be used in suggesters only`, {
    field: path,
  });
}

/** Throws `query_unsupported` when a field can be searched neither by terms nor by its column. */
export function requireSearchable(field: Field): void {
  if (field.inverted || field.column !== null) return;
  throw new EngineError("query_unsupported", `Cannot search on field [${field.path}] since it is not indexed.`, {
    field: field.path,
  });
}
