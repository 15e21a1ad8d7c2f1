/** When an index is to be followed by a new one. */
import type { Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument, validationFailed } from "../errors.js";
import type { Identity } from "../identities.js";
import { parseDuration, parseSize } from "../units.js";

/** What is counted of an index. */
interface Measures {
  readonly age: number;
  readonly docs: number;
  readonly bytes: number;
}

type Measure = keyof Measures;

/**
 * One row each. There is one shard, so what Elasticsearch asks of the largest primary shard is asked of the index. A
 * `least` condition holds all others back until it is met.
 */
const CONDITIONS: Readonly<Record<string, { readonly measure: Measure; readonly kind: "most" | "least" }>> = {
  max_age: { measure: "age", kind: "most" },
  max_docs: { measure: "docs", kind: "most" },
  max_primary_shard_docs: { measure: "docs", kind: "most" },
  max_primary_shard_size: { measure: "bytes", kind: "most" },
  max_size: { measure: "bytes", kind: "most" },
  min_age: { measure: "age", kind: "least" },
  min_docs: { measure: "docs", kind: "least" },
  min_primary_shard_docs: { measure: "docs", kind: "least" },
  min_primary_shard_size: { measure: "bytes", kind: "least" },
  min_size: { measure: "bytes", kind: "least" },
};

const SHAPE = shape("conditions", "object", {
  max_age: "string",
  max_docs: "integer",
  max_primary_shard_docs: "integer",
  max_primary_shard_size: "string",
  max_size: "string",
  min_age: "string",
  min_docs: "integer",
  min_primary_shard_docs: "integer",
  min_primary_shard_size: "string",
  min_size: "string",
});
const OPENSEARCH_SHAPE = shape("conditions", "object", {
  max_age: "string",
  max_docs: "integer",
  max_size: "string",
});

export interface Condition {
  /** As the answer names it: `[max_docs: 5]`. */
  readonly label: string;
  readonly measure: Measure;
  readonly kind: "most" | "least";
  readonly amount: number;
}

/** The conditions as a request gives them, of the products that have them. */
export function conditionsShape({ distribution }: Identity): typeof SHAPE | typeof OPENSEARCH_SHAPE {
  return distribution === "opensearch" ? OPENSEARCH_SHAPE : SHAPE;
}

/** Throws ApiError 400. */
export function readConditions(given: BodyOf<typeof SHAPE>): Condition[] {
  const conditions = Object.entries(given).map(([name, value]) => readCondition(name, value));
  if (conditions.length > 0 && conditions.every(({ kind }) => kind === "least")) {
    throw validationFailed("at least one max_* rollover condition must be set when using min_* conditions");
  }
  return conditions;
}

function readCondition(name: string, value: string | number | undefined): Condition {
  const { measure, kind } = CONDITIONS[name];
  return { label: `[${name}: ${value}]`, measure, kind, amount: amountOf(name, measure, value ?? 0) };
}

function amountOf(name: string, measure: Measure, value: string | number): number {
  if (measure === "age") return parseDuration(String(value), name);
  if (measure === "bytes") return parseSize(String(value), name);
  if (Number(value) < 1) throw illegalArgument(`[${name}] must be greater than 0 but was [${value}]`);
  return Number(value);
}

/** Which conditions an index meets, by label. `now` in ms since 1970. */
export function evaluate(conditions: readonly Condition[], index: Index, now: number): Record<string, boolean> {
  const { docs, segments } = index.stats();
  const measures: Measures = {
    age: now - index.definition.createdAt,
    docs: docs.count,
    bytes: segments.filter(({ searchable }) => searchable).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  return Object.fromEntries(conditions.map((one) => [one.label, measures[one.measure] >= one.amount]));
}

/** Without conditions always; else when one of the upper ones is met, and all of the lower ones are. */
export function isDue(conditions: readonly Condition[], met: Readonly<Record<string, boolean>>): boolean {
  if (conditions.length === 0) return true;
  const least = conditions.filter(({ kind }) => kind === "least");
  const most = conditions.filter(({ kind }) => kind === "most");
  return least.every(({ label }) => met[label]) && most.some(({ label }) => met[label]);
}
