/** A document in a pipeline: its source, its metadata (`_index`, `_id`, ...), and what the pipeline notes (`_ingest`). */
import { illegalArgument } from "../../errors.js";
import { member, setMember } from "../../json/value.js";
import { DEFAULT_DOCUMENT_BYTES, Growth } from "../limits.js";
import { type FieldPath, parsePath } from "./path.js";
import { copyValue, isValueObject, javaType, sameValue, type Value, type ValueObject } from "./values.js";

/** Names that mean metadata where a path begins with them. */
export const METADATA_FIELDS: readonly string[] = [
  "_index",
  "_id",
  "_routing",
  "_version",
  "_version_type",
  "_if_seq_no",
  "_if_primary_term",
];
const METADATA: ReadonlySet<string> = new Set(METADATA_FIELDS);

/** Where a path led to: the value, or why there is none. */
type Found = { readonly value: Value } | { readonly problem: string };

/** A document that processors change. */
export class IngestDocument {
  /** What the pipeline notes of the document: `_ingest.x`. */
  readonly notes: ValueObject;
  readonly #growth: Growth;

  constructor(
    readonly source: ValueObject,
    readonly metadata: ValueObject,
    /** ISO 8601: when the document came. */
    readonly timestamp: string,
    /** Bytes that it may come to, by estimate. */
    readonly limit: number = DEFAULT_DOCUMENT_BYTES,
  ) {
    this.notes = { timestamp };
    this.#growth = new Growth(limit);
  }

  /** Before values get into the document at a depth, 2 for its fields. Throws ApiError 400 where it would be too large or deep. */
  grow(values: readonly Value[], depth: number): void {
    this.#growth.add(values, depth, [this.source, this.metadata, this.notes]);
  }

  /** A copy that shares nothing that can change. */
  copy(): IngestDocument {
    const copy = new IngestDocument(
      copyValue(this.source) as ValueObject,
      copyValue(this.metadata) as ValueObject,
      this.timestamp,
      this.limit,
    );
    Object.assign(copy.notes, copyValue(this.notes));
    return copy;
  }

  /** The value of a field. Throws ApiError 400 where there is none. */
  get(path: FieldPath): Value {
    const found = this.#find(path);
    if ("problem" in found) throw illegalArgument(found.problem);
    return found.value;
  }

  /** The value of a field, undefined where there is none. */
  lookUp(path: FieldPath): Value | undefined {
    const found = this.#find(path);
    return "problem" in found ? undefined : found.value;
  }

  has(path: FieldPath): boolean {
    return !("problem" in this.#find(path));
  }

  /** Sets a field, making the objects on the way. Throws ApiError 400 where something else is in the way. */
  set(path: FieldPath, value: Value): void {
    this.grow([value], path.names.length + 1);
    this.#put(path, value);
  }

  #put(path: FieldPath, value: Value): void {
    const { parent, name } = this.#parent(path, "made");
    if (isValueObject(parent)) setMember(parent, name, value);
    else if (Array.isArray(parent)) parent[listIndex(parent, name, path)] = value;
    else throw illegalArgument(cannot("set", name, parent, path));
  }

  /** Adds values to a field: to its list, to a list made of its value, or to a new one. */
  append(path: FieldPath, values: readonly Value[], duplicates: "kept" | "left out"): void {
    this.grow(values, path.names.length + 2);
    const current = this.lookUp(path);
    const list = current === undefined ? [] : Array.isArray(current) ? current : [current];
    const had = list.length;
    for (const value of values) {
      if (duplicates === "kept" || !list.some((one) => sameValue(one, value))) list.push(value);
    }
    if (list.length > had || current === undefined) this.#put(path, list);
  }

  /** Removes a field. Throws ApiError 400 where there is none. */
  remove(path: FieldPath): void {
    const { parent, name } = this.#parent(path, "there");
    if (isValueObject(parent)) {
      if (!Object.hasOwn(parent, name)) throw illegalArgument(notPresent(name, path));
      delete parent[name];
    } else if (Array.isArray(parent)) parent.splice(listIndex(parent, name, path), 1);
    else throw illegalArgument(cannot("remove", name, parent, path));
  }

  #root({ root, names }: FieldPath): ValueObject {
    if (root === "ingest") return this.notes;
    return root === "document" && METADATA.has(names[0]) ? this.metadata : this.source;
  }

  #find(path: FieldPath): Found {
    // `ctx._ingest` and `_source` as a whole.
    let value: Value = this.#root(path);
    for (const name of path.names) {
      const found = step(value, name, path);
      if ("problem" in found) return found;
      value = found.value;
    }
    return { value };
  }

  #parent(path: FieldPath, way: "made" | "there"): { parent: Value; name: string } {
    const { names } = path;
    let parent: Value = this.#root(path);
    for (const name of names.slice(0, -1)) {
      if (way === "made" && isValueObject(parent)) {
        const child: Value | undefined = member(parent, name);
        const next: Value = child === undefined ? {} : child;
        if (child === undefined) setMember(parent, name, next);
        parent = next;
        continue;
      }
      const found = step(parent, name, path);
      if ("problem" in found) throw illegalArgument(found.problem);
      parent = found.value;
    }
    return { parent, name: names[names.length - 1] };
  }
}

function step(value: Value, name: string, path: FieldPath): Found {
  if (isValueObject(value)) {
    const child = member(value, name);
    return child === undefined ? { problem: notPresent(name, path) } : { value: child };
  }
  if (Array.isArray(value)) {
    const problem = indexProblem(value, name, path);
    return problem === undefined ? { value: value[Number(name)] } : { problem };
  }
  if (value === null) return { problem: `cannot resolve [${name}] from null as part of path [${path.text}]` };
  return {
    problem: `cannot resolve [${name}] from object of type [${javaType(value)}] as part of path [${path.text}]`,
  };
}

function notPresent(name: string, path: FieldPath): string {
  return `field [${name}] not present as part of path [${path.text}]`;
}

function cannot(verb: "set" | "remove", name: string, parent: Value, path: FieldPath): string {
  if (parent === null)
    return `cannot ${verb} [${name}] ${verb === "set" ? "with null parent" : "from null"} as part of path [${path.text}]`;
  const from = verb === "set" ? "with parent object of type" : "from object of type";
  return `cannot ${verb} [${name}] ${from} [${javaType(parent)}] as part of path [${path.text}]`;
}

function listIndex(list: readonly Value[], name: string, path: FieldPath): number {
  const problem = indexProblem(list, name, path);
  if (problem !== undefined) throw illegalArgument(problem);
  return Number(name);
}

function indexProblem(list: readonly Value[], name: string, path: FieldPath): string | undefined {
  if (!/^[-+]?\d{1,10}$/.test(name)) {
    return `[${name}] is not an integer, cannot be used as an index as part of path [${path.text}]`;
  }
  const at = Number(name);
  if (at >= 0 && at < list.length) return undefined;
  return `[${at}] is out of bounds for array with length [${list.length}] as part of path [${path.text}]`;
}

/** The text of a field. Throws ApiError 400 where it is none, or no text. */
export function textAt(document: IngestDocument, path: FieldPath): string {
  const value = document.get(path);
  if (typeof value === "string") return value;
  throw illegalArgument(
    value === null
      ? `field [${path.text}] is null, cannot process it.`
      : `field [${path.text}] of type [${javaType(value)}] cannot be cast to [java.lang.String]`,
  );
}

/** The list of a field. Throws ApiError 400 where it is none. */
export function listAt(document: IngestDocument, path: FieldPath): Value[] {
  const value = document.get(path);
  if (Array.isArray(value)) return value;
  throw illegalArgument(
    value === null
      ? `field [${path.text}] is null, cannot process it.`
      : `field [${path.text}] of type [${javaType(value)}] cannot be cast to [java.util.List]`,
  );
}

/** Sets a field named by a text. */
export function setField(document: IngestDocument, path: string, value: Value): void {
  document.set(parsePath(path), value);
}
