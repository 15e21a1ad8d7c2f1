/** What is mutated: the calls of a public YAML suite, read at run time, and the values that stand in their bodies. */
import path from "node:path";
import type { Chance } from "../../../engine/store/testing/chance.js";
import { Api } from "../../conformance/api.js";
import { listSuite, readSuiteFile, type Step } from "../../conformance/suite.js";
import { isMap, printScalar, type Value, type ValueMap } from "../../conformance/values.js";

/** One thing a case does: a call, or values of its answer that later calls use. */
export type RestStep =
  | { readonly kind: "call"; readonly name: string; readonly given: ValueMap; readonly headers: Record<string, string> }
  | { readonly kind: "set"; readonly argument: ValueMap };

/** A case of the suite with what is done before it. */
export interface RestCase {
  readonly title: string;
  readonly steps: readonly RestStep[];
}

/** Values kept of one key: enough for variety, few enough that rare keys count too. */
const KEPT_PER_KEY = 200;

/** See the head of this file. */
export class Corpus {
  readonly cases: RestCase[] = [];
  readonly api: Api;
  /** Bodies as they stand in the suite. */
  readonly bodies: Value[] = [];
  readonly keys: string[] = [];
  readonly #values = new Map<string, Value[]>();

  /** `folder`: the suite, with `test` and `api` in it. */
  constructor(folder: string) {
    this.api = new Api(path.join(folder, "api"));
    const tests = path.join(folder, "test");
    for (const file of listSuite(tests)) {
      const { setup, cases } = readSuiteFile(tests, file);
      for (const { name, steps } of cases)
        this.cases.push({ title: `${file}: ${name}`, steps: [...setup, ...steps].flatMap(restSteps) });
    }
    for (const step of this.cases.flatMap(({ steps }) => steps)) {
      const body = step.kind === "call" ? step.given.get("body") : undefined;
      if (body === undefined) continue;
      this.bodies.push(body);
      this.#gather(body);
    }
    this.keys.push(...this.#values.keys());
  }

  /** A value that stands at this key somewhere in the suite. */
  valueOf(key: string, chance: Chance): Value | undefined {
    const values = this.#values.get(key);
    return values === undefined ? undefined : values[chance(values.length)];
  }

  #gather(value: Value): void {
    if (Array.isArray(value)) for (const member of value) this.#gather(member);
    if (!isMap(value)) return;
    for (const [key, member] of value) {
      const known = this.#values.get(key) ?? [];
      this.#values.set(key, known);
      if (known.length < KEPT_PER_KEY) known.push(member);
      this.#gather(member);
    }
  }
}

const CONDITIONS = ["catch", "headers", "node_selector"];

function restSteps({ kind, argument }: Step): RestStep[] {
  if (!isMap(argument)) return [];
  if (kind === "set") return [{ kind, argument }];
  if (kind !== "do") return [];
  const name = [...argument.keys()].findLast((key) => !CONDITIONS.includes(key) && !/warnings/.test(key));
  const given = name === undefined ? undefined : (argument.get(name) ?? new Map());
  if (name === undefined || !isMap(given)) return [];
  const headers = argument.get("headers");
  return [{ kind: "call", name, given, headers: isMap(headers) ? texts(headers) : {} }];
}

function texts(map: ValueMap): Record<string, string> {
  return Object.fromEntries([...map].map(([key, value]) => [key, printScalar(value)]));
}
