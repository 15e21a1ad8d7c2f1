/**
 * The documents of the same-answer tests (every type of field, missing and several values, ties, numbers whose sums
 * depend on their order), how they come into an index, and how answers are compared.
 */
import { type FieldLines, type Index, LineCursor, type Mapping, type WriteOperation } from "../../engine/index.js";
import { definitionOf } from "../../engine/testing/engine-fixture.js";

const DOCS = 1500;

const MAPPING: Mapping = {
  properties: {
    n: { type: "long" },
    x: { type: "double" },
    f: { type: "float" },
    many: { type: "integer" },
    tag: { type: "keyword" },
    tags: { type: "keyword" },
    when: { type: "date" },
    from: { type: "ip" },
    maybe: { type: "boolean" },
    text: { type: "text", fields: { raw: { type: "keyword", ignoreAbove: 40 } } },
    title: { type: "text", fields: { lines: { type: "wildcard" } } },
    vector: { type: "dense_vector", dims: 4, similarity: "cosine", vectorSearch: "exact" },
  },
};

const WORDS = ["alpha", "beta", "gamma", "delta"];
const TITLES = ["the quick brown fox", "lazy dogs and foxes", "a brown study", "quick quick slow", "nothing here"];

/** Document i, the same for every index. */
export function document(i: number): Record<string, unknown> {
  const hash = (Math.imul(i + 1, 2654435761) >>> 0) / 4294967296;
  const words = WORDS.filter((_, w) => Math.floor(hash * 1000 * (w + 1)) % (w + 2) === 0);
  const body: Record<string, unknown> = {
    n: Math.floor(hash * 1000),
    x: (hash - 0.5) * 10 ** (i % 12),
    f: Math.fround(hash * 7),
    many: Array.from({ length: i % 4 }, (_, k) => (i * (k + 3)) % 50),
    tag: `t${Math.floor(hash * 40)}`,
    tags: [`g${i % 3}`, `g${i % 7}`],
    when: new Date(Date.UTC(2024, 0, 1) + Math.floor(hash * 5e8)).toISOString(),
    from: `10.${i % 3}.${i % 200}.${i % 251}`,
    text: `${words.join(" ")} rare${i % 997} ${words.reverse().join(" ")}`,
    title: TITLES[i % TITLES.length],
  };
  if (i % 3 === 0) body.maybe = i % 2 === 0;
  if (i % 2 === 0) body.vector = [hash, 1 - hash, (i % 10) / 10, 0.5];
  return body;
}

/** Writes document i. */
function put(i: number): WriteOperation {
  return { kind: "index", id: `d${i}`, source: Buffer.from(JSON.stringify(document(i))) };
}

/** What the index is created with. */
export const DEFINITION = definitionOf(MAPPING);

/**
 * Documents in many segments, some of them deleted and some written again: the same operations in the same order,
 * whatever the size of the batches, because numbers are part of the answer.
 */
export async function build(index: Index, batch = 250): Promise<void> {
  const operations: WriteOperation[] = [
    ...Array.from({ length: DOCS }, (_, i) => put(i)),
    ...Array.from({ length: 250 }, (_, i): WriteOperation => ({ kind: "delete", id: `d${i * 5}` })),
    ...Array.from({ length: 120 }, (_, i) => put(i * 11 + 1)),
  ];
  for (let from = 0; from < operations.length; from += batch) {
    await index.write(operations.slice(from, from + batch));
    await index.refresh();
  }
}

/** Results are compared as text, numbers and bytes exactly. */
export function print(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (isFieldLines(inner)) return { total: inner.total, lines: linesOf(inner) };
    if (typeof inner === "bigint") return `${inner}n`;
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString();
    return Object.is(inner, -0) ? "-0" : inner;
  });
}

function isFieldLines(value: unknown): value is FieldLines {
  return typeof value === "object" && value !== null && "pack" in value && "textAt" in value;
}

/** Lines as they are shown, wherever in memory they lie. */
function linesOf(field: FieldLines): unknown[] {
  const { numbers, text } = field.pack;
  const cursor = new LineCursor(field);
  const lines: unknown[] = [];
  while (cursor.next()) {
    const { line, byte, cutBytes, begin, end, rangesBegin, rangesEnd } = cursor;
    const shown = Buffer.from(text.subarray(begin, end)).toString();
    lines.push([line, byte, cutBytes, shown, ...numbers.subarray(rangesBegin, rangesEnd)]);
  }
  return lines;
}

/** Where answers depart from the expected ones, by name of the request; empty: nowhere. */
export function differences(expected: Record<string, string>, found: Record<string, string>): string[] {
  return Object.keys(found).flatMap((name) => {
    const [a, b] = [expected[name], found[name]];
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    return a === b ? [] : [`${name}: ...${a.slice(Math.max(0, at - 60), at + 60)}  became  ...${b.slice(at, at + 60)}`];
  });
}
