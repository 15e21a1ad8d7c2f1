/** The query string of a request, checked against its row before any handler runs. */
import { illegalArgument } from "../errors.js";
import { didYouMean } from "../near-names.js";
import { COMMON, PARAMETERS, type Parameter, type ParameterName } from "../parameters.js";
import { parseDuration } from "../units.js";

/** Typed access to the parameters of a request. A value of the wrong form throws ApiError 400 naming the parameter. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  has(name: ParameterName): boolean {
    return this.#values.has(name);
  }

  text(name: ParameterName): string | undefined {
    return this.#values.get(name);
  }

  /** An empty value means true. */
  boolean(name: ParameterName, otherwise: boolean): boolean {
    const value = this.#values.get(name);
    if (value === undefined) return otherwise;
    if (value === "" || value === "true") return true;
    if (value === "false") return false;
    throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
  }

  integer(name: ParameterName): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    const whole = /^[-+]?\d+$/.test(value);
    if (whole && Number.isSafeInteger(number)) return number;
    // A search's `version` is a boolean, a document's a long.
    const kind = PARAMETERS[name].type === "long" || name === "version" ? "long" : "int";
    if (whole && kind === "long" && BigInt.asIntN(64, BigInt(value)) === BigInt(value)) {
      throw illegalArgument(`[${name}] with value [${value}] is not supported by Pinakes: its numbers end at 2^53 - 1`);
    }
    throw illegalArgument(`Failed to parse ${kind} parameter [${name}] with value [${value}]`, {
      type: "number_format_exception",
      reason: `For input string: "${value}"`,
    });
  }

  number(name: ParameterName): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value.trim() !== "" && Number.isFinite(number)) return number;
    throw illegalArgument(`Failed to parse float parameter [${name}] with value [${value}]`);
  }

  /** Milliseconds. */
  duration(name: ParameterName): number | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : parseDuration(value, name);
  }

  list(name: ParameterName): string[] | undefined {
    return this.#values
      .get(name)
      ?.split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }

  /** `refresh` of a write: an empty value means true. */
  refresh(): "true" | "false" | "wait_for" {
    const value = this.#values.get("refresh") ?? "false";
    if (value === "" || value === "true") return "true";
    if (value === "false" || value === "wait_for") return value;
    throw illegalArgument(`Unknown value for refresh: [${value}].`);
  }
}

const NONE = new Parameters(new Map());

/** Reads a query string; `path` is for the error's text. Throws ApiError 400 for a parameter the row does not name. */
export function readParameters(queryString: string, accepted: ReadonlySet<string>, path: string): Parameters {
  if (queryString === "") return NONE;
  const values = new Map(new URLSearchParams(queryString));
  const unknown = [...values.keys()].filter((name) => !accepted.has(name));
  if (unknown.length > 0) throw unrecognized(unknown, accepted, path);
  for (const [name, value] of values) check(name as ParameterName, value);
  return new Parameters(values);
}

/** The names a row accepts, those that all rows accept included. */
export function acceptedNames(parameters: readonly ParameterName[]): ReadonlySet<string> {
  return new Set([...parameters, ...COMMON]);
}

function unrecognized(unknown: string[], accepted: ReadonlySet<string>, path: string): Error {
  const described = unknown.map((name) => {
    const hint = didYouMean(name, accepted);
    return `[${name}]${hint === "" ? "" : ` ->${hint}`}`;
  });
  const plural = unknown.length === 1 ? "parameter" : "parameters";
  return illegalArgument(`request [${path}] contains unrecognized ${plural}: ${described.join(", ")}`);
}

function check(name: ParameterName, value: string): void {
  const parameter: Parameter = PARAMETERS[name];
  if (parameter.allowed !== undefined && !parameter.allowed.includes(value)) {
    if (parameter.effect === "refused") {
      throw illegalArgument(`parameter [${name}] with value [${value}] is not supported by Pinakes: ${parameter.note}`);
    }
    const allowed = parameter.allowed.filter((word) => word !== "").join(", ");
    throw illegalArgument(`parameter [${name}] must be one of [${allowed}] but was [${value}]`);
  }
  // Not every parameter is read by every handler: its form is checked here, whoever reads it.
  // The size of a page of thread pools once meant a unit: clients still send it empty.
  if (name === "size" && value === "") return;
  const alone = new Parameters(new Map([[name, value]]));
  if (parameter.type === "boolean") alone.boolean(name, true);
  else if (parameter.type === "integer" || parameter.type === "long") alone.integer(name);
  else if (parameter.type === "number") alone.number(name);
  else if (parameter.type === "duration") alone.duration(name);
  else if (parameter.type === "active shards") checkActiveShards(value);
}

/** `all`, or a number of shard copies. */
function checkActiveShards(value: string): void {
  if (value === "all") return;
  if (!/^[-+]?\d+$/.test(value)) {
    throw illegalArgument(`cannot parse ActiveShardCount[${value}]`, {
      type: "number_format_exception",
      reason: `For input string: "${value}"`,
    });
  }
  if (Number(value) < 0) throw illegalArgument("shard count cannot be a negative value");
}
