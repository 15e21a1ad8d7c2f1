/** Bodies that are valid or nearly so and too much: deep, long, wide, or dear to answer. */
import type { Chance } from "../../../engine/store/testing/chance.js";

/** How deep the deepest are: past what a parser's or a compiler's stack takes. */
const DEEP = [50, 500, 1100, 20_000];
const WIDE = 20_000;

const around = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);
const query = (text: string) => `{"query":${text}}`;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at).join(",");

/** Each makes a body of a depth. */
const MONSTERS: readonly ((depth: number) => string)[] = [
  (depth) => around("[", "", "]", depth),
  (depth) => around('{"a":', "1", "}", depth),
  (depth) => "[".repeat(depth),
  (depth) => query(around('{"bool":{"must":[', '{"match_all":{}}', "]}}", depth)),
  (depth) => query(around('{"constant_score":{"filter":', '{"match_all":{}}', "}}", depth)),
  (depth) => query(around('{"nested":{"path":"a","query":', '{"match_all":{}}', "}}", depth)),
  (depth) => query(`{"query_string":{"query":"${around("(", "a", ")", depth)}"}}`),
  (depth) => query(`{"query_string":{"query":"${"NOT ".repeat(depth)}a"}}`),
  (depth) => query(`{"simple_query_string":{"query":"${around("(", "a", ")", depth)}"}}`),
  (depth) => query(`{"query_string":{"query":"${"a OR ".repeat(depth)}a"}}`),
  (depth) => query(`{"regexp":{"a":"${around("(", "a", ")", depth)}"}}`),
  (depth) => query(`{"regexp":{"a":"${"(a|".repeat(depth)}b${")".repeat(depth)}"}}`),
  (depth) => query(`{"regexp":{"a":"a{1,${depth}}b{1,${depth}}c{1,${depth}}"}}`),
  (depth) => query(`{"wildcard":{"a":"${"*?a".repeat(depth)}"}}`),
  (depth) =>
    query(`{"span_near":{"clauses":[${around('{"span_not":{"include":', '{"span_term":{"a":1}}', "}}", depth)}]}}`),
  (depth) => query(`{"match":{"a":"${"word ".repeat(depth)}"}}`),
  (depth) => query(`{"match_phrase":{"a":{"query":"${"word ".repeat(depth)}","slop":2147483647}}}`),
  (depth) =>
    `{"aggs":${around('{"a":{"filter":{"match_all":{}},"aggs":', '{"b":{"max":{"field":"a"}}}', "}}", depth)}}`,
  (depth) => `{"aggs":${around('{"a":{"terms":{"field":"a","size":2147483647},"aggs":', "{}", "}}", depth)}}`,
  (depth) => `{"mappings":{"properties":${around('{"a":{"properties":', '{"b":{"type":"keyword"}}', "}}", depth)}}}`,
  (depth) => `{"settings":${around('{"index":', "{}", "}", depth)}}`,
  (depth) => `{"sort":[${around('{"a":{"order":"asc","nested":{"path":"a","nested":', "{}", "}}}", depth)}]}`,
  (depth) => `{"actions":[${Array(Math.min(depth, 5000)).fill('{"add":{"index":"a","alias":"b"}}').join(",")}]}`,
];

const WIDE_BODIES: readonly (() => string)[] = [
  () => query(`{"terms":{"a":[${numbers(70_000)}]}}`),
  () => query(`{"bool":{"should":[${Array(WIDE).fill('{"term":{"a":1}}').join(",")}]}}`),
  () => query(`{"ids":{"values":[${numbers(WIDE)}]}}`),
  () => `{"from":2147483647,"size":2147483647}`,
  () => `{"size":10000,"from":1}`,
  () => `{"aggs":{"a":{"histogram":{"field":"a","interval":1e-300,"extended_bounds":{"min":-1e300,"max":1e300}}}}}`,
  () =>
    `{"aggs":{"a":{"date_histogram":{"field":"a","fixed_interval":"1ms","extended_bounds":{"min":0,"max":4102444800000}}}}}`,
  () => `{"aggs":{"a":{"range":{"field":"a","ranges":[${Array(WIDE).fill('{"from":1}').join(",")}]}}}}`,
  () => `{"aggs":{"a":{"percentiles":{"field":"a","percents":[${numbers(WIDE)}]}}}}`,
  () => `{${Array.from({ length: WIDE }, (_, at) => `"field${at}":${at}`).join(",")}}`,
  () => `{"a":"${"y".repeat(3_000_000)}"}`,
  () => `{"${"k".repeat(70_000)}":1}`,
  () => `{"docs":[${Array(WIDE).fill('{"_id":"1"}').join(",")}]}`,
  () => '{"index":{}}\n{"a":1}\n'.repeat(WIDE),
  () => '{"index":{}}\n'.repeat(WIDE),
  () => "{}\n{}\n".repeat(2000),
  () => "\n".repeat(500_000),
  () => " ".repeat(500_000),
  () => `{"a":1${"0".repeat(300_000)}}`,
  () => `{"a":0.${"1".repeat(300_000)}e-5}`,
];

/** One of them. */
export function monster(chance: Chance): string {
  if (chance(3) === 0) return WIDE_BODIES[chance(WIDE_BODIES.length)]();
  return MONSTERS[chance(MONSTERS.length)](DEEP[chance(DEEP.length)]);
}
