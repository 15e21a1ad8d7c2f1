/** Random documents and queries from a seed, which a failing test prints. */
import type { Query } from "../query.js";
import { type TestIndex, testIndex } from "./memory-reader.js";
import type { TestDocument } from "./memory-segment.js";

export interface Random {
  readonly seed: number;
  /** Uniform in [0, 1). */
  next(): number;
  /** Whole number below n. */
  below(n: number): number;
  pick<T>(values: readonly T[]): T;
}

/** A generator (Mulberry32, Tommy Ettinger, public domain). The seed is PINAKES_SEED or a new one. */
export function random(seed = Number(process.env.PINAKES_SEED ?? Math.floor(Math.random() * 2 ** 31))): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { seed, next, below, pick: (values) => values[below(values.length)] };
}

/** Fields of the random documents. */
export const RANDOM_INDEX: TestIndex = testIndex({
  title: { type: "text" },
  body: { type: "text" },
  tag: { type: "keyword" },
  count: { type: "long" },
  price: { type: "double" },
  date: { type: "date" },
  flag: { type: "boolean" },
  address: { type: "ip" },
});

const WORDS = [
  "fox",
  "dog",
  "cat",
  "bird",
  "quick",
  "lazy",
  "brown",
  "jumps",
  "over",
  "the",
  "river",
  "night",
  "zebra",
];
const TAGS = ["red", "green", "blue", "white", "Black"];
const DAY = 86_400_000;
const START = 1_700_000_000_000;

/** Few words are frequent, many rare. */
export function randomText(r: Random, words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(WORDS.length * r.next() ** 2)]).join(" ");
}

/** Documents in which every field is sometimes absent and sometimes has several values. */
export function randomDocuments(r: Random, count: number): TestDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const source: Record<string, unknown> = {
      title: randomText(r, 1 + r.below(6)),
      body: randomText(r, 1 + Math.floor(r.next() * r.below(120))),
      count: r.next() < 0.2 ? [r.below(50), r.below(50)] : r.below(50),
    };
    if (r.next() < 0.9) source.tag = r.next() < 0.3 ? [r.pick(TAGS), r.pick(TAGS)] : r.pick(TAGS);
    if (r.next() < 0.8) source.price = r.below(10_000) / 100;
    if (r.next() < 0.9) source.date = new Date(START + r.below(40 * DAY)).toISOString();
    if (r.next() < 0.9) source.flag = r.next() < 0.2 ? flags(r) : r.next() < 0.5;
    if (r.next() < 0.7) source.address = `10.0.${r.below(3)}.${r.below(20)}`;
    return { id: String(i), source };
  });
}

/** Several values, of which at least two are equal. */
function flags(r: Random): boolean[] {
  return Array.from({ length: 3 + r.below(4) }, () => r.next() < 0.7);
}

/** A query of any kind; compound ones nest `depth` deep. */
export function randomQuery(r: Random, depth: number): Query {
  const leaf = r.pick(LEAVES);
  return depth > 0 && r.next() < 0.35 ? r.pick(COMPOUNDS)(r, depth) : leaf(r);
}

function boost(r: Random): number {
  return r.next() < 0.7 ? 1 : r.pick([2, 0.5, 1.3]);
}

const textField = (r: Random) => r.pick(["title", "body"]);

const LEAVES: readonly ((r: Random) => Query)[] = [
  (r) => ({ kind: "term", field: textField(r), value: r.pick(WORDS), caseInsensitive: false, boost: boost(r) }),
  (r) => ({ kind: "term", field: "tag", value: r.pick(TAGS), caseInsensitive: r.next() < 0.2, boost: boost(r) }),
  (r) => ({ kind: "term", field: "count", value: r.below(50), caseInsensitive: false, boost: boost(r) }),
  (r) => ({ kind: "terms", field: "tag", values: [r.pick(TAGS), r.pick(TAGS)], boost: boost(r) }),
  (r) => ({ kind: "range", field: "count", gte: r.below(30), lt: r.below(50), boost: boost(r) }),
  (r) => ({ kind: "range", field: "price", gt: r.below(50), lte: 50 + r.below(50), boost: boost(r) }),
  (r) => ({ kind: "range", field: "tag", gte: "blue", lt: "red", boost: boost(r) }),
  (r) => ({ kind: "exists", field: r.pick(["tag", "price", "date", "address"]), boost: boost(r) }),
  (r) => ({
    kind: "prefix",
    field: r.pick(["body", "tag"]),
    value: r.pick(["r", "b", "q"]),
    caseInsensitive: false,
    boost: boost(r),
  }),
  (r) => ({
    kind: "wildcard",
    field: r.pick(["body", "tag"]),
    value: r.pick(["*o*", "?ed", "b*"]),
    caseInsensitive: false,
    boost: boost(r),
  }),
  (r) => ({ kind: "ids", values: [String(r.below(50)), String(r.below(50)), "absent"], boost: boost(r) }),
  (r) => ({
    kind: "match",
    field: textField(r),
    query: randomText(r, 1 + r.below(4)),
    operator: r.pick(["or", "and", "or"] as const),
    minimumShouldMatch: r.next() < 0.3 ? r.pick(["2", "75%", "-1", "2<75%"]) : undefined,
    zeroTerms: "none",
    lenient: false,
    boost: boost(r),
  }),
  (r) => ({
    kind: "match_phrase",
    field: textField(r),
    query: randomText(r, 2 + r.below(2)),
    slop: 0,
    zeroTerms: "none",
    lastTermExpansions: 0,
    boost: boost(r),
  }),
];

function many(r: Random, most: number, depth: number): Query[] {
  return Array.from({ length: r.below(most + 1) }, () => randomQuery(r, depth - 1));
}

const COMPOUNDS: readonly ((r: Random, depth: number) => Query)[] = [
  (r, depth) => ({
    kind: "bool",
    must: many(r, 2, depth),
    should: many(r, 3, depth),
    filter: many(r, 1, depth),
    mustNot: many(r, 1, depth),
    boost: boost(r),
  }),
  (r, depth) => ({ kind: "constant_score", filter: randomQuery(r, depth - 1), boost: boost(r) }),
  (r, depth) => ({
    kind: "dis_max",
    queries: [randomQuery(r, depth - 1), randomQuery(r, depth - 1)],
    tieBreaker: r.pick([0, 0.5]),
    boost: boost(r),
  }),
];
