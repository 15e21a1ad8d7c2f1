/** The runner itself: what it must not let pass. */
import { describe, expect, it } from "vitest";
import { ASSERTIONS } from "./assertions.js";
import { patternOf } from "./pattern.js";
import { readJson } from "./read-json.js";
import { readYaml } from "./read-yaml.js";
import { skipReason } from "./skip.js";
import { Stash, valueAt } from "./stash.js";
import { Decimal, javaText, printValue, type Value } from "./values.js";
import type { Answer } from "./wire.js";

const OPENSEARCH = { version: "2.19.6", isOpenSearch: true };
const BODY =
  '{"count":2,"big":9223372036854775807,"score":1.0,"empty":"","zero":0,"no":false,"list":[{"a":1,"b":2}],"a.b":{"c":"text\\n"}}';

function answer(text: string): Answer {
  return { status: 200, headers: {}, body: readJson(text), warnings: [] };
}

function holds(directive: string, argument: string, body = BODY, stash = new Stash()): boolean {
  const [value] = readYaml(argument, "test") as Value[];
  try {
    ASSERTIONS[directive](value, answer(body), stash);
    return true;
  } catch {
    return false;
  }
}

describe("assertions", () => {
  it.each([
    ["match", "{count: 2}"],
    ["match", "{count: 2.0}"],
    ["match", "{score: 1}"],
    ["match", "{big: 9223372036854775807}"],
    ["match", "{list: [{b: 2, a: 1}]}"],
    ["match", "{list.0: {a: 1, b: 2}}"],
    ["match", "{a\\.b.c: '/ ^ te xt $ # the end\n/'}"],
    ["match", "{missing: null}"],
    ["length", "{list: 1}"],
    ["contains", "{list: {a: 1}}"],
    ["gt", "{count: 1}"],
    ["lte", "{count: 2}"],
    ["is_true", "count"],
    ["is_true", "list"],
    ["is_false", "missing"],
    ["is_false", "zero"],
    ["is_false", "no"],
    ["is_false", "empty"],
    ["exists", "zero"],
    ["close_to", "{count: {value: 2.05, error: 0.1}}"],
  ])("%s %s holds", (directive, argument) => {
    expect(holds(directive, argument)).toBe(true);
  });

  it.each([
    ["match", "{count: 3}"],
    ["match", '{count: "2"}'],
    ["match", "{missing: 0}"],
    ["match", "{missing: false}"],
    ["match", "{missing: ''}"],
    ["match", "{big: 9223372036854775806}"],
    ["match", "{list: [{a: 1}]}"],
    ["match", "{list: []}"],
    ["match", "{a\\.b.c: /^ex/}"],
    ["match", "{missing: /.*/}"],
    ["match", "{list.1.a: 1}"],
    ["length", "{list: 2}"],
    ["length", "{count: 1}"],
    ["contains", "{list: {a: 2}}"],
    ["gt", "{count: 2}"],
    ["gt", "{missing: 0}"],
    ["lt", "{missing: 10}"],
    ["is_true", "missing"],
    ["is_true", "zero"],
    ["is_false", "count"],
    ["exists", "missing"],
    ["close_to", "{missing: {value: 0, error: 10}}"],
    ["match", "text"],
  ])("%s %s does not hold", (directive, argument) => {
    expect(holds(directive, argument)).toBe(false);
  });

  it("know no directive by another name", () => {
    expect(Object.keys(ASSERTIONS)).not.toContain("matches");
  });
});

describe("a stash", () => {
  it("stands in texts, keys and whole values with their own type", () => {
    const stash = new Stash();
    stash.set("id", 7);
    stash.set("name", "x");
    const replaced = stash.replace(new Map<string, Value>([["$name", ["$id", `a-$\{id}-b`, "$other", `$$\{id}`]]]));
    expect(printValue(replaced)).toBe('{"x":[7,"a-7-b","$other","$7"]}');
    expect(valueAt(readJson('{"x":{"7":true}}'), "$name.$id", stash)).toBe(true);
  });

  it("takes the first key for _arbitrary_key_", () => {
    const body = readJson('{"nodes":{"n1":{"name":"one"}}}');
    const stash = new Stash();
    stash.set("key", valueAt(body, "nodes._arbitrary_key_", stash) as Value);
    expect(valueAt(body, "nodes.$key.name", stash)).toBe("one");
  });
});

describe("YAML of suites", () => {
  it("keeps 1.0 apart from 1, and whole numbers beyond 2^53", () => {
    const [value] = readYaml("a: 1.0\nb: 1\nc: 18446744073709551615\nd: 1e3\ne: .5", "test");
    expect(printValue(value)).toBe('{"a":1.0,"b":1,"c":18446744073709551615,"d":1e3,"e":0.5}');
    expect((value as Map<string, Value>).get("a")).toBeInstanceOf(Decimal);
  });

  it("is read though a line inside braces or quotes is indented too little", () => {
    const [value] = readYaml("a:\n    b: {\n  c: 1,\n  d: 2\n    }\n", "test");
    expect(printValue(value)).toBe('{"a":{"b":{"c":1,"d":2}}}');
  });

  it("that can't be read is told with its line", () => {
    expect(() => readYaml("a: 1\nb: [1,\nc: {", "file.yml")).toThrow(/file\.yml:\d+/);
  });
});

describe("skips", () => {
  it.each([
    ["{version: ' - 2.9.99'}", undefined],
    ["{version: ' - 7.99.99'}", undefined],
    ["{version: '2.4.0 - '}", "version"],
    ["{version: 'all'}", "version"],
    ["{version: ' - 1.0.0, 2.19.0 - 2.19.99'}", "version"],
    ["{features: [headers, xpack]}", "feature xpack"],
    ["{features: 'allowed_warnings, contains'}", undefined],
  ])("%s: %s", (argument, expected) => {
    expect(skipReason(readYaml(argument, "test")[0], OPENSEARCH)).toBe(expected);
  });
});

describe("patterns", () => {
  it("are Java's in comments mode, and need only to be found", () => {
    expect(patternOf("/ ^ \\d+ \\s [a-z]++ \\n $ # all\n /", "comments")?.test("12 ab\n")).toBe(true);
    expect(patternOf("/a b/", "comments")?.test("xaby")).toBe(true);
    expect(patternOf("/a b/", "plain")?.test("ab")).toBe(false);
    expect(patternOf("text", "plain")).toBeUndefined();
  });

  it("of errors are tried on a map as Java prints it", () => {
    expect(javaText(readJson('{"root_cause":[{"type":"t"}],"reason":null}'))).toBe(
      "{root_cause=[{type=t}], reason=null}",
    );
  });
});
