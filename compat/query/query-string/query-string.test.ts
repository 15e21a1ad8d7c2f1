import { describe, expect, test } from "vitest";
import type { Query } from "../../../engine/index.js";
import { readQuery } from "../index.js";

/** A query as one line: `+must -not should`, `field:words`, what is not the default behind it. */
function shown(query: Query): string {
  const boost = query.boost === 1 ? "" : `^${query.boost}`;
  return shownPlain(query) + boost;
}

function shownPlain(query: Query): string {
  switch (query.kind) {
    case "bool": {
      const parts = [
        ...query.must.map((one) => `+${shown(one)}`),
        ...query.should.map(shown),
        ...query.mustNot.map((one) => `-${shown(one)}`),
      ];
      const minimum = query.minimumShouldMatch === undefined ? "" : `~${query.minimumShouldMatch}`;
      return `(${parts.join(" ")})${minimum}`;
    }
    case "multi_match": {
      const fields = query.fields.map(({ field, boost }) => (boost === 1 ? field : `${field}^${boost}`)).join(",");
      const text = query.type === "phrase" ? `"${query.query}"` : query.query;
      return `${fields}:${text}${query.slop === 0 ? "" : `~${query.slop}`}${query.operator === "and" ? "&" : ""}`;
    }
    case "each_field":
      return query.fields.map(({ field }) => shown({ ...query.query, field })).join("|");
    case "prefix":
      return `${query.field}:${query.value}*`;
    case "wildcard":
      return `${query.field}:${query.value}`;
    case "regexp":
      return `${query.field}:/${query.value}/`;
    case "exists":
      return `exists(${query.field})`;
    case "range": {
      const { field, gte, gt, lte, lt } = query;
      return `${field}:${gt === undefined ? "[" : "{"}${gte ?? gt ?? "*"} ${lte ?? lt ?? "*"}${lt === undefined ? "]" : "}"}`;
    }
    case "match_all":
      return "*:*";
    default:
      return query.kind;
  }
}

const read = (query: string, options = {}) =>
  shown(readQuery({ query_string: { query, default_field: "f", ...options } }));

describe("query_string", () => {
  test.each([
    ["a", "f:a"],
    ["a b", "(f:a f:b)"],
    ["a AND b", "(+f:a +f:b)"],
    ["a && b", "(+f:a +f:b)"],
    ["a OR b AND c", "(+f:b +f:c f:a)"],
    ["a || b", "(f:a f:b)"],
    ["+a -b c", "(+f:a f:c -f:b)"],
    ["a NOT b", "(f:a -f:b)"],
    ["!a", "(-f:a)"],
    ["+a", "(+f:a)"],
    ["title:a", "title:a"],
    ["title:(a OR b) c", "((title:a title:b) f:c)"],
    ['"a b"', 'f:"a b"'],
    ['title:"a b"~2^3', 'title:"a b"~2^3'],
    ["a^2.5", "f:a^2.5"],
    ["(a b)^2 c", "((f:a f:b)^2 f:c)"],
    ["te*", "f:te*"],
    ["t?st", "f:t?st"],
    ["t\\*st", "f:t*st"],
    ["/ab.c/", "f:/ab.c/"],
    ["n:[1 TO 5}", "n:[1 5}"],
    ["n:{* TO 5]", "n:[* 5]"],
    ["n:>=3", "n:[3 *]"],
    ["n:<3", "n:[* 3}"],
    ['at:["2020-01-01" TO *]', "at:[2020-01-01 *]"],
    ["_exists_:title", "exists(title)"],
    ["title:*", "exists(title)"],
    ["*:*", "*:*"],
    ["a\\:b", "f:a:b"],
    ["a\\u0062", "f:ab"],
    ["", "match_none"],
    ["ANDy ORa", "(f:ANDy f:ORa)"],
    ["wi-fi", "f:wi-fi"],
  ])("%s is %s", (text, query) => {
    expect(read(text)).toBe(query);
  });

  test("the default operator decides about clauses without one", () => {
    expect(read("a b OR c", { default_operator: "AND" })).toBe("(+f:a& f:b& f:c&)");
    expect(read("a -b c", { default_operator: "and" })).toBe("(+f:a& +f:c& -f:b&)");
  });

  test("several fields, boosts, a minimum, a boost of the whole", () => {
    const options = { default_field: undefined, fields: ["a^2", "b"], minimum_should_match: 2, boost: 3 };
    expect(shown(readQuery({ query_string: { query: "x y", ...options, default_field: null } }))).toBe(
      "(a^2,b:x a^2,b:y)~2^3",
    );
    expect(shown(readQuery({ query_string: { query: "x*", fields: ["a", "b"] } }))).toBe("a:x*|b:x*");
    expect(shown(readQuery({ query_string: { query: "x" } }))).toBe("*:x");
  });

  test.each([
    ["a AND", "Failed to parse query [a AND]"],
    ["(a", "Failed to parse query [(a]"],
    ["a)", "Failed to parse query [a)]"],
    ['"a', 'Failed to parse query ["a]'],
    ["n:[1 2]", "Failed to parse query [n:[1 2]]"],
    ["/a", "Failed to parse query [/a]"],
    ["a~", "a fuzzy term (~) in [query_string] is not supported by Pinakes"],
    ["*a", "'*' or '?' not allowed as first character in WildcardQuery"],
  ])("%s is refused", (text, reason) => {
    expect(() => read(text, { allow_leading_wildcard: false })).toThrow(reason);
  });

  test("parentheses beyond measure are refused, not a fault", () => {
    expect(() => read("(".repeat(50_000))).toThrow("Failed to parse query");
  });
});

const simple = (query: string, options = {}) =>
  shown(readQuery({ simple_query_string: { query, fields: ["f"], ...options } }));

describe("simple_query_string", () => {
  test.each([
    ["a b", "(f:a f:b)"],
    ["a + b", "(+f:a +f:b)"],
    ["a | b", "(f:a f:b)"],
    ["a + b | c", "((+f:a +f:b) f:c)"],
    ["a -b", "(f:a (*:* -f:b))"],
    ["+a", "f:a"],
    ['"a b"~3', 'f:"a b"~3'],
    ["te*", "f:te*"],
    ["(a | b) + c", "(+(f:a f:b) +f:c)"],
    ["a\\+b", "f:a+b"],
    ['"a b', "(f:a f:b)"],
    ["a) b", "(f:a f:b)"],
    ["", "match_none"],
    ["+ | -", "match_none"],
  ])("%s is %s", (text, query) => {
    expect(simple(text)).toBe(query);
  });

  test("flags switch parts of the syntax off", () => {
    expect(simple("a + b*", { flags: "OR|WHITESPACE" })).toBe("(f:a f:+ f:b*)");
    expect(simple("a + b", { flags: "NONE" })).toBe("f:a + b");
    expect(() => simple("a", { flags: "SOME" })).toThrow("[flags] must be one of");
  });

  test("the default operator joins", () => {
    expect(simple("a b", { default_operator: "and" })).toBe("(+f:a& +f:b&)");
  });
});
