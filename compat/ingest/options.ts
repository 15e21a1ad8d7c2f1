/** The options of a processor or a pipeline as they are read: each once, and none is left over. */
import { ApiError } from "../errors.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import type { IngestDocument } from "./document/ingest-document.js";
import { type FieldPath, parsePath } from "./document/path.js";
import { compileTemplate, compileValue, type Template, type ValueTemplate } from "./document/template.js";
import { documentValue, javaType } from "./document/values.js";

/** A path that may hold fields of the document. */
export type PathTemplate = (document: IngestDocument) => FieldPath;

/** What the options belong to. */
export interface OptionOwner {
  /** Absent for a pipeline. */
  readonly processor?: string;
  readonly tag?: string;
}

/** 400 `parse_exception` about a pipeline's configuration, as Elasticsearch words it. */
export function configError(reason: string, { processor, tag }: OptionOwner, property?: string): ApiError {
  return new ApiError(400, "parse_exception", property === undefined ? reason : `[${property}] ${reason}`, {
    fields: {
      ...(processor === undefined ? {} : { processor_type: processor }),
      ...(tag === undefined ? {} : { processor_tag: tag }),
      ...(property === undefined ? {} : { property_name: property }),
    },
  });
}

/** A property that is not there, of nothing in particular. */
export function missingProperty(name: string): ApiError {
  return configError("required property is missing", {}, name);
}

/** Options by name; what was read is gone. */
export class Options {
  readonly #left: Map<string, Json>;

  constructor(
    given: JsonObject,
    readonly owner: OptionOwner,
  ) {
    this.#left = new Map(Object.entries(given));
  }

  /** A refusal that names an option. */
  error(property: string, reason: string): ApiError {
    return configError(reason, this.owner, property);
  }

  /** Names that nobody has read. */
  get left(): string[] {
    return [...this.#left.keys()];
  }

  /** Undefined where it is absent or null. */
  optional(name: string): Json | undefined {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value === null ? undefined : value;
  }

  required(name: string): Json {
    const value = this.optional(name);
    if (value === undefined) throw this.error(name, "required property is missing");
    return value;
  }

  string(name: string): string {
    return this.#asString(name, this.required(name));
  }

  optionalString(name: string): string | undefined {
    const value = this.optional(name);
    return value === undefined ? undefined : this.#asString(name, value);
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.optional(name);
    if (value === undefined) return otherwise;
    if (typeof value === "boolean") return value;
    throw this.#wrong(name, value, "a boolean");
  }

  integer(name: string, otherwise: number): number {
    const value = this.optional(name);
    if (value === undefined) return otherwise;
    const number = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
    throw this.error(name, `property cannot be converted to an int [${String(value)}]`);
  }

  optionalList(name: string): Json[] | undefined {
    const value = this.optional(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.#wrong(name, value, "a list");
  }

  list(name: string): Json[] {
    const list = this.optionalList(name);
    if (list === undefined) throw this.error(name, "required property is missing");
    return list;
  }

  strings(name: string): string[] {
    return this.list(name).map((value) => this.#asString(name, value));
  }

  optionalStrings(name: string): string[] | undefined {
    return this.optionalList(name)?.map((value) => this.#asString(name, value));
  }

  /** One text or a list of them. */
  oneOrMore(name: string): string[] {
    const value = this.required(name);
    return (Array.isArray(value) ? value : [value]).map((one) => this.#asString(name, one));
  }

  optionalObject(name: string): JsonObject | undefined {
    const value = this.optional(name);
    if (value === undefined || isObject(value)) return value;
    throw this.#wrong(name, value, "a map");
  }

  object(name: string): JsonObject {
    const value = this.optionalObject(name);
    if (value === undefined) throw this.error(name, "required property is missing");
    return value;
  }

  /** One of some words. */
  oneOf<T extends string>(name: string, words: readonly T[], otherwise: T): T {
    const value = this.optionalString(name) ?? otherwise;
    if ((words as readonly string[]).includes(value)) return value as T;
    throw this.error(name, `invalid value [${value}], must be one of [${words.join(", ")}]`);
  }

  template(name: string): Template {
    return compileTemplate(this.string(name));
  }

  value(name: string): ValueTemplate {
    return compileValue(this.required(name));
  }

  /** A field, which may be named by a template. */
  path(name: string): PathTemplate {
    return pathTemplate(this.string(name));
  }

  /** The same, another field where it is absent. */
  pathOr(name: string, otherwise: string): PathTemplate {
    return pathTemplate(this.optionalString(name) ?? otherwise);
  }

  /** A field by its plain name. */
  plainPath(name: string): FieldPath {
    return parsePath(this.string(name));
  }

  #asString(name: string, value: Json): string {
    if (typeof value === "string") return value;
    throw this.#wrong(name, value, "a string");
  }

  #wrong(name: string, value: Json, wanted: string): ApiError {
    return this.error(name, `property isn't ${wanted}, but of type [${javaType(documentValue(value))}]`);
  }
}

/** A path that may be a template. */
export function pathTemplate(text: string): PathTemplate {
  const template = compileTemplate(text);
  if (template.constant === undefined) return (document) => parsePath(template.render(document));
  const path = parsePath(template.constant);
  return () => path;
}
