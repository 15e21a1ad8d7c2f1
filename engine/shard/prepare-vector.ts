import { EngineError } from "../errors.js";
import { type JsonWalk, nextElement, openArray, readNumber, valueStart } from "./json-walk.js";
import type { FieldNode } from "./prepare-plan.js";

/** Unit vectors of `dot_product` may be off by this much in squared length, as Elasticsearch allows. */
const UNIT_TOLERANCE = 1e-4;

/** Reads the array of numbers that is next into `into`. Throws invalid_value when it is something else. */
export function readVector(walk: JsonWalk, into: number[]): void {
  into.length = 0;
  for (let more = openArray(walk); more; more = nextElement(walk)) {
    const first = valueStart(walk);
    if (first !== 0x2d && (first < 0x30 || first > 0x39)) throw notANumber(first);
    readNumber(walk);
    const text = Buffer.from(
      walk.bytes.buffer,
      walk.bytes.byteOffset + walk.numberStart,
      walk.numberEnd - walk.numberStart,
    );
    into.push(Math.fround(walk.exact && walk.scale === 0 ? walk.mantissa : Number(text.toString("latin1"))));
  }
}

function notANumber(first: number): EngineError {
  const names: Readonly<Record<number, string>> = { 34: "VALUE_STRING", 91: "START_ARRAY", 123: "START_OBJECT" };
  const found = names[first] ?? "VALUE_BOOLEAN";
  return new EngineError(
    "invalid_value",
    `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`,
  );
}

/** Checks a vector against its field's dimensions and similarity. Throws invalid_value. */
export function checkVector(node: FieldNode, id: string, vector: readonly number[]): void {
  const { dims, similarity = "cosine" } = node.mapping;
  if (dims !== undefined && vector.length !== dims) {
    const how =
      vector.length > dims ? "more dimensions than" : `a different number of dimensions [${vector.length}] than`;
    throw refused(
      `The [dense_vector] field [${node.field.path}] in doc [document with id '${id}'] has ${how} defined in the mapping [${dims}]`,
    );
  }
  let squared = 0;
  for (const value of vector) squared += value * value;
  if (!Number.isFinite(squared)) throw refused("[dense_vector] supports only finite values");
  const preview = `Preview of invalid vector: [${vector.slice(0, 5).map(String).join(", ")}${vector.length > 5 ? ", ..." : ""}]`;
  if (similarity === "cosine" && squared === 0) {
    throw refused(`The [cosine] similarity does not support vectors with zero magnitude. ${preview}`);
  }
  if (similarity === "dot_product" && Math.abs(squared - 1) > UNIT_TOLERANCE) {
    throw refused(`The [dot_product] similarity can only be used with unit-length vectors. ${preview}`);
  }
}

function refused(message: string): EngineError {
  return new EngineError("invalid_value", message);
}
