/** What steps remember, and the values that paths into an answer name. */
import { Decimal, isMap, printScalar, type Value } from "./values.js";

/** A path that can't be followed: an index outside a list, a step into a text. */
export class PathError extends Error {}

/** Values that `set` kept for later steps. */
export class Stash {
  readonly #values = new Map<string, Value>();

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  /** A value in which `$name` and `${name}` stand for what was kept; as a whole text with its own type. */
  replace(value: Value): Value {
    if (typeof value === "string") return this.#replaceText(value);
    if (Array.isArray(value)) return value.map((one) => this.replace(one));
    if (!isMap(value)) return value;
    return new Map(
      [...value].map(([key, member]) => [printScalar(this.#replaceText(key)), this.replace(member)] as const),
    );
  }

  #replaceText(text: string): Value {
    const whole = /^\$(?:\{([^}]+)\}|(.+))$/.exec(text);
    const name = whole?.[1] ?? whole?.[2];
    if (name !== undefined && this.#values.has(name)) return this.#values.get(name) as Value;
    return text.replace(/\$\{([^}]+)\}/g, (written, inner: string) =>
      this.#values.has(inner) ? printScalar(this.#values.get(inner) as Value) : written,
    );
  }
}

/** The value at a dotted path (`\.` keeps a dot, `_arbitrary_key_` is the first key); undefined where there is none. */
export function valueAt(root: Value, path: string, stash: Stash): Value | undefined {
  if (path === "" || path === "$body") return root;
  const steps = path
    .replace(/^\$body\./, "")
    .split(/(?<!\\)\./)
    .map((step) => printScalar(stash.replace(step.replaceAll("\\.", "."))))
    .filter((step) => step !== "");
  let at: Value | undefined = root;
  for (const step of steps) {
    if (at === undefined || at === null) return undefined;
    at = stepInto(at, step, path);
  }
  return at;
}

function stepInto(value: Value, step: string, path: string): Value | undefined {
  if (isMap(value)) return step === "_arbitrary_key_" ? value.keys().next().value : value.get(step);
  if (!Array.isArray(value) || value instanceof Decimal) throw new PathError(`${path}: nothing lies below ${step}`);
  const index = Number(step);
  if (!Number.isInteger(index) || index < 0 || index >= value.length) {
    throw new PathError(`${path}: no element ${step} in a list of ${value.length}`);
  }
  return value[index];
}
