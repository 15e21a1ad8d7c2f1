/** What can be asked of a value in a condition: each method takes time that grows with its value alone. */
import { isValueObject, javaType, sameValue, textOf, type Value } from "../document/values.js";
import { ConditionError } from "./condition-error.js";

type Method = (on: Value, given: readonly Value[]) => Value;

interface MethodRow {
  /** How many arguments it takes. */
  readonly takes: readonly number[];
  readonly call: Method;
}

function text(value: Value, method: string): string {
  if (typeof value === "string") return value;
  throw wrongReceiver(value, method);
}

function wrongReceiver(value: Value, method: string): ConditionError {
  const type = javaType(value);
  return new ConditionError("illegal_argument_exception", `dynamic method [${type}, ${method}] not found`);
}

function textArgument(value: Value): string {
  if (typeof value === "string") return value;
  const reason = `Cannot cast ${javaType(value)} to java.lang.String`;
  throw new ConditionError(value === null ? "null_pointer_exception" : "class_cast_exception", reason);
}

function indexArgument(value: Value): number {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new ConditionError("class_cast_exception", `Cannot cast ${javaType(value)} to int`);
}

/** A method of texts. */
function ofText(takes: readonly number[], call: (on: string, given: readonly Value[]) => Value): MethodRow {
  return { takes, call: (on, given) => call(text(on, "text"), given) };
}

const SIZE: Method = (on) => {
  if (Array.isArray(on)) return on.length;
  if (isValueObject(on)) return Object.keys(on).length;
  throw wrongReceiver(on, "size/0");
};

const IS_EMPTY: Method = (on) => (typeof on === "string" ? on.length === 0 : SIZE(on, []) === 0);

const CONTAINS: Method = (on, [wanted]) => {
  if (typeof on === "string") return on.includes(textArgument(wanted));
  if (Array.isArray(on)) return on.some((one) => sameValue(one, wanted));
  throw wrongReceiver(on, "contains/1");
};

const CONTAINS_KEY: Method = (on, [key]) => {
  if (!isValueObject(on)) throw wrongReceiver(on, "containsKey/1");
  return typeof key === "string" && Object.hasOwn(on, key);
};

const GET: Method = (on, [key, otherwise]) => {
  if (isValueObject(on)) {
    return typeof key === "string" && Object.hasOwn(on, key) ? on[key] : (otherwise ?? null);
  }
  if (Array.isArray(on)) return listItem(on, key);
  throw wrongReceiver(on, "get/1");
};

const INDEX_OF: Method = (on, [wanted]) => {
  if (typeof on === "string") return on.indexOf(textArgument(wanted));
  if (Array.isArray(on)) return on.findIndex((one) => sameValue(one, wanted));
  throw wrongReceiver(on, "indexOf/1");
};

/** An item of a list. Throws ConditionError. */
export function listItem(list: readonly Value[], key: Value): Value {
  const at = indexArgument(key);
  const item = list[at < 0 ? list.length + at : at];
  if (item !== undefined) return item;
  const reason = `Index ${at} out of bounds for length ${list.length}`;
  throw new ConditionError("index_out_of_bounds_exception", reason);
}

const SUBSTRING = (on: string, [from, to]: readonly Value[]): string => {
  const begin = indexArgument(from);
  const end = to === undefined ? on.length : indexArgument(to);
  if (begin >= 0 && begin <= end && end <= on.length) return on.slice(begin, end);
  const reason = `begin ${begin}, end ${end}, length ${on.length}`;
  throw new ConditionError("string_index_out_of_bounds_exception", reason);
};

/** By name. */
export const METHODS: Readonly<Record<string, MethodRow>> = {
  contains: { takes: [1], call: CONTAINS },
  containsKey: { takes: [1], call: CONTAINS_KEY },
  endsWith: ofText([1], (on, [end]) => on.endsWith(textArgument(end))),
  equals: { takes: [1], call: (on, [other]) => sameValue(on, other) },
  equalsIgnoreCase: ofText([1], (on, [other]) => typeof other === "string" && on.toLowerCase() === other.toLowerCase()),
  get: { takes: [1], call: GET },
  getOrDefault: { takes: [2], call: GET },
  indexOf: { takes: [1], call: INDEX_OF },
  isEmpty: { takes: [0], call: IS_EMPTY },
  length: ofText([0], (on) => on.length),
  replace: ofText([2], (on, [from, to]) => on.replaceAll(textArgument(from), () => textArgument(to))),
  size: { takes: [0], call: SIZE },
  splitOnToken: ofText([1], (on, [token]) => on.split(textArgument(token))),
  startsWith: ofText([1], (on, [start]) => on.startsWith(textArgument(start))),
  substring: ofText([1, 2], SUBSTRING),
  toLowerCase: ofText([0], (on) => on.toLowerCase()),
  toString: { takes: [0], call: textOf },
  toUpperCase: ofText([0], (on) => on.toUpperCase()),
  trim: ofText([0], (on) => on.trim()),
};
