import type { DatasetField, FieldCorrelation } from "../../code/index.js";
import { containment, parseSketch } from "./schema/sketch.js";

/** What is compared of a data set. */
export interface Comparable {
  dataset: string;
  /** Path of its file and part, whose words the names of keys have: `customer_id` is found in `customers`. */
  about: string;
  schema: readonly DatasetField[];
}

/** Share of one field's values that the other has, from which on they belong together. */
const MIN_SHARE = 0.3;
/** Values known for both sides that the share is told from, and shared ones among them. */
const MIN_SEEN = 8;
const MIN_SHARED = 5;
/** Fields that a value is looked for in: `1` is everywhere and says nothing. */
const MAX_FIELDS_OF_VALUE = 48;
const MOST = 100;
/** Shares that differ by less say nothing about the direction. */
const SAME_SHARE = 0.05;
/** Of a range of whole numbers the share that is there: above, it is a count from 1 and overlaps with any other. */
const DENSE = 0.5;

interface KeyField {
  dataset: string;
  about: string;
  field: DatasetField;
  hashes: number[];
}

/**
 * Fields of different data sets that hold the same values, told from their sketches. Whole numbers that count on without
 * gaps match by chance, so for them the names must agree too.
 */
export function correlate(datasets: readonly Comparable[]): FieldCorrelation[] {
  const keys = datasets.flatMap(({ dataset, about, schema }) =>
    schema
      .filter(({ sketch }) => sketch)
      .map((field) => ({ dataset, about, field, hashes: parseSketch(field.sketch!) })),
  );
  const found: FieldCorrelation[] = [];
  for (const [left, right] of candidates(keys)) {
    const [forth, back] = [containment(left.hashes, right.hashes), containment(right.hashes, left.hashes)];
    const isForth = pointsForth(left, right, forth.share - back.share);
    const [from, to, most, least] = isForth ? [left, right, forth, back] : [right, left, back, forth];
    if (most.share < MIN_SHARE || most.seen < MIN_SEEN) continue;
    if ((isDense(from.field) || isDense(to.field)) && !namesAgree(from, to)) continue;
    found.push({
      from: { dataset: from.dataset, field: from.field.name },
      to: { dataset: to.dataset, field: to.field.name },
      share: round(most.share),
      reverse_share: round(least.share),
    });
  }
  return found
    .sort((a, b) => b.share - a.share || b.reverse_share - a.reverse_share || compare(keyOf(a), keyOf(b)))
    .slice(0, MOST);
}

/**
 * The side whose values are all found points to the other; where both are about the same, the one whose values come again
 * points to the one where each stands once.
 */
function pointsForth({ field: left }: KeyField, { field: right }: KeyField, difference: number): boolean {
  if (Math.abs(difference) > SAME_SHARE) return difference > 0;
  return left.distinct / left.present <= right.distinct / right.present;
}

/** Pairs of fields of different data sets that share some of their smallest values. */
function candidates(keys: readonly KeyField[]): [KeyField, KeyField][] {
  const byHash = new Map<number, number[]>();
  for (const [at, { hashes }] of keys.entries()) {
    for (const hash of hashes) {
      const fields = byHash.get(hash);
      if (!fields) byHash.set(hash, [at]);
      else if (fields.length < MAX_FIELDS_OF_VALUE) fields.push(at);
    }
  }
  const shared = new Map<number, number>();
  for (const fields of byHash.values()) {
    for (let a = 0; a < fields.length; a++) {
      for (let b = a + 1; b < fields.length; b++) {
        const pair = fields[a]! * keys.length + fields[b]!;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
    }
  }
  return [...shared]
    .filter(([, count]) => count >= MIN_SHARED)
    .map(([pair]): [KeyField, KeyField] => [keys[Math.floor(pair / keys.length)]!, keys[pair % keys.length]!])
    .filter(([a, b]) => a.dataset !== b.dataset);
}

function isDense({ type, min, max, distinct }: DatasetField): boolean {
  return type === "long" && typeof min === "number" && typeof max === "number" && distinct / (max - min + 1) > DENSE;
}

/** The same name, or an `id` that the other side names after this one's data set: `customer_id`, `customerId`. */
function namesAgree(a: KeyField, b: KeyField): boolean {
  const [left, right] = [wordsOf(a.field.name), wordsOf(b.field.name)];
  if (left.length > 1 || left[0] !== "id") if (left.join(" ") === right.join(" ")) return true;
  return pointsTo(left, b, right) || pointsTo(right, a, left);
}

function pointsTo(words: readonly string[], target: KeyField, own: readonly string[]): boolean {
  if (words.length < 2 || words.at(-1) !== "id") return false;
  const isKey = own.at(-1) === "id" || own.at(-1) === "key" || own.at(-1) === "number";
  const stem = words.at(-2)!.replace(/s$/, "");
  return isKey && stem.length > 1 && target.about.toLowerCase().includes(stem);
}

/** Words of the last part of a path. */
function wordsOf(name: string): string[] {
  const last = name.split(".").at(-1)!;
  return last
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function keyOf({ from, to }: FieldCorrelation): string {
  return [from.dataset, from.field, to.dataset, to.field].join("\0");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
