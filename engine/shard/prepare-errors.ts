import { EngineError } from "../errors.js";
import type { FieldType } from "../mapping/mapping.js";
import { isFractionType, isWholeType } from "../mapping/numbers.js";
import { type JsonWalk, placeOf } from "./json-walk.js";
import type { FieldNode, ObjectNode } from "./prepare-plan.js";
import { type ScalarValue, ValueKind } from "./prepare-values.js";

/** Errors of documents, in Elasticsearch's words. `details` has the place: line and column from 1, and the byte. */
export interface DocumentPlace {
  readonly walk: JsonWalk;
  readonly id: string;
}

/** Longest preview of a refused value, in UTF-16 units. */
const PREVIEW_LENGTH = 256;

/** A document that does not fit the mapping. */
export function documentError(
  state: DocumentPlace,
  message: string,
  at: number,
  details: Record<string, string>,
  cause?: unknown,
): EngineError {
  const place = placeOf(state.walk, at);
  return new EngineError("document_malformed", message, { ...place, ...details, id: state.id }, { cause });
}

/** A single value where a vector is wanted. */
export function notAVector(value: ScalarValue): EngineError {
  const found =
    value.kind === ValueKind.string
      ? "VALUE_STRING"
      : value.kind === ValueKind.number
        ? "VALUE_NUMBER"
        : "VALUE_BOOLEAN";
  return new EngineError(
    "invalid_value",
    `Failed to parse object: expecting token of type [START_ARRAY] but found [${found}]`,
  );
}

/** An object where a field of some type wants a value. */
export function objectFault(type: FieldType, { line, column }: { line: number; column: number }): EngineError {
  if (type === "boolean" || isWholeType(type) || isFractionType(type)) {
    const wanted = type === "boolean" ? "not of boolean type" : "not numeric, can not use numeric value accessors";
    return new EngineError("invalid_value", `Current token (START_OBJECT) ${wanted}`, {
      exception: "x_content_parse_exception",
    });
  }
  return new EngineError("invalid_value", `Can't get text on a START_OBJECT at ${line}:${column}`, {
    exception: "illegal_state_exception",
  });
}

/** A value that its field cannot take, around the reason; other errors are handed through. */
export function fieldError(
  state: DocumentPlace,
  node: FieldNode,
  fault: { preview: string; at: number; cause: unknown },
): unknown {
  const { cause } = fault;
  if (!(cause instanceof EngineError) || cause.code !== "invalid_value") return cause;
  const { path, type } = node.field;
  const preview =
    fault.preview.length > PREVIEW_LENGTH ? `${fault.preview.slice(0, PREVIEW_LENGTH)}...` : fault.preview;
  const message = `failed to parse field [${path}] of type [${type}] in document with id '${state.id}'. Preview of field's value: '${preview}'`;
  return documentError(state, message, fault.at, { field: path, type }, cause);
}

/** A JSON object as Java prints a map: `{x=1}`. */
export function javaPreview(json: string): string {
  const print = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
    if (typeof value !== "object" || value === null) return String(value);
    const parts = Object.entries(value).map(([key, inner]) => `${key}=${print(inner)}`);
    return `{${parts.join(", ")}}`;
  };
  try {
    return print(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A dotted key that leads through a field that is no object. */
export function notAnObject(state: DocumentPlace, child: FieldNode, names: readonly string[]): EngineError {
  const { path, type } = child.field;
  const message = `Could not dynamically add mapping for field [${names.join(".")}]. Existing mapping for [${path}] must be of type object but found [${type}].`;
  return documentError(state, message, state.walk.stringStart - 1, { field: path });
}

/** A key that is not a document's own. */
export function metadataError(state: DocumentPlace, key: string, at: number): EngineError {
  const message = `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`;
  return documentError(state, message, at, { field: key });
}

/** A field that a strict mapping lacks. */
export function strictError(
  state: DocumentPlace,
  parent: ObjectNode,
  field: { name: string; at: number },
): EngineError {
  const within = parent.path === "" ? "_doc" : parent.path;
  const message = `mapping set to ${parent.dynamic}, dynamic introduction of [${field.name}] within [${within}] is not allowed`;
  return new EngineError("strict_mapping", message, {
    ...placeOf(state.walk, field.at),
    field: field.name,
    id: state.id,
  });
}

/** A document of a data stream without its timestamp, or with several. */
export function timestampError(state: DocumentPlace, path: string, values: number): EngineError {
  const reason = `data stream timestamp field [${path}] ${values === 0 ? "is missing" : "encountered multiple values"}`;
  const cause = new EngineError("invalid_value", reason, { field: path });
  return documentError(state, `failed to parse: ${reason}`, state.walk.begin, { field: path }, cause);
}
