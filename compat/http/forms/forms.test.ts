import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTree, printTree } from "../../json/tree.js";
import { printCbor, readCbor } from "./cbor.js";
import { readSmile, readSmileDocuments } from "./smile-reader.js";
import { printSmile } from "./smile-writer.js";
import { printYaml, readYaml } from "./yaml.js";

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ""), "hex");

describe("CBOR, examples of RFC 8949 appendix A", () => {
  test.each([
    ["00", "0"],
    ["17", "23"],
    ["1818", "24"],
    ["1903e8", "1000"],
    ["1bffffffffffffffff", "18446744073709551615"],
    ["c249010000000000000000", "18446744073709551616"],
    ["3bffffffffffffffff", "-18446744073709551616"],
    ["c349010000000000000000", "-18446744073709551617"],
    ["20", "-1"],
    ["f90000", "0.0"],
    ["f93c00", "1.0"],
    ["fb3ff199999999999a", "1.1"],
    ["f90001", "5.9604645E-8"],
    ["fa47c35000", "100000.0"],
    ["f4", "false"],
    ["f6", "null"],
    ["c11a514b67b0", "1363896240"],
    ["d818456449455446", '"ZElFVEY="'],
    ["4401020304", '"AQIDBA=="'],
    ["62c3bc", '"ü"'],
    ["83010203", "[1,2,3]"],
    ["a201020304", '{"1":2,"3":4}'],
    ["5f42010243030405ff", '"AQIDBAU="'],
    ["7f657374726561646d696e67ff", '"streaming"'],
    ["bf61610161629f0203ffff", '{"a":1,"b":[2,3]}'],
  ])("%s is %s", (bytes, json) => {
    expect(readCbor(hex(bytes))).toBe(json);
  });

  test.each([
    ["", "ends too early"],
    ["81", "beyond the end"],
    ["62ff", "beyond the end"],
    ["62ffff", "no UTF-8"],
    ["f97e00", "no number of JSON"],
    ["1c", "means nothing"],
    ["0000", "something follows"],
    ["a1810102", "no text"],
    ["9f", "ends too early"],
    ["81".repeat(2_000), "nesting exceeds"],
  ])("%s is refused", (bytes, why) => {
    expect(() => readCbor(hex(bytes))).toThrow(why);
  });
});

describe("Smile", () => {
  test("is read with names and texts that were seen before", () => {
    // [{"a":"bb"},{"a":"bb"}], both flags on: the second name is reference 0 (40), the second text reference 0 (01).
    const bytes = hex("3a290a03 f8 fa 80 61 41 6262 fb fa 40 01 fb f9");
    expect(readSmile(bytes)).toBe('[{"a":"bb"},{"a":"bb"}]');
  });

  test.each([
    ["3a290a00 c0", "0"],
    ["3a290a00 c1", "-1"],
    ["3a290a00 df", "-16"],
    ["3a290a00 24 01 00 01 80", "524320"],
    ["3a290a00 20", '""'],
    ["3a290a00 2a 84 81 3d 01", "123E-2"],
    ["3a290a00 e8 83 00 40 40 03", '"AQID"'],
  ])("%s is %s", (bytes, json) => {
    expect(readSmile(hex(bytes))).toBe(json);
  });

  test("several documents follow one another, end marks between them", () => {
    expect(readSmileDocuments(hex("3a290a00 fa fb ff 3a290a00 c2 ff"))).toEqual(["{}", "1"]);
  });

  test.each([
    ["", "0 values"],
    ["fa", "does not begin with the header"],
    ["3a290a10c0", "version 1"],
    ["3a290a00fa", "ends too early"],
    ["3a290a01fa41", "a reference to text 1"],
    ["3a290a0000", "begins no value"],
  ])("%s is refused", (bytes, why) => {
    expect(() => readSmile(hex(bytes))).toThrow(why);
  });
});

describe("YAML", () => {
  test("is laid out as Jackson lays it out, and read back", () => {
    const json =
      '{"took":1,"ok":true,"hits":[{"_id":"1","tags":[],"score":1.0},{"yes":"a\\"b"}],"none":{},"list":[[1,2],"x"]}';
    const yaml = `---
took: 1
ok: true
hits:
- _id: "1"
  tags: []
  score: 1.0
- "yes": "a\\"b"
none: {}
list:
- - 1
  - 2
- "x"
`;
    expect(printYaml(parseTree(json))).toBe(yaml);
    expect(readYaml(Buffer.from(yaml))).toBe(json);
  });

  test.each([
    ["a: &x 1\nb: *x", "anchors are not supported"],
    ["a: [1", "no valid YAML"],
    ["a: 1\na: 2", "no valid YAML"],
    ["a: .inf", "no number of JSON"],
  ])("%s is refused", (yaml, why) => {
    expect(() => readYaml(Buffer.from(yaml))).toThrow(why);
  });

  test("a body larger than Elasticsearch's parser takes is a 413", () => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 1, "#");
    expect(() => readYaml(large)).toThrow("The incoming YAML document exceeds the limit");
  });
});

test("whatever JSON says comes back the same through each form", () => {
  const forms = [
    (text: string) => readCbor(printCbor(parseTree(text))),
    (text: string) => readSmile(printSmile(parseTree(text))),
    (text: string) => readYaml(Buffer.from(printYaml(parseTree(text)))),
  ];
  const numbers = fc.oneof(
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
    fc.constantFrom("1.5", "-0.25", "1.0"),
  );
  const leaf = fc.oneof(
    numbers,
    fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("true", "false", "null"),
  );
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .uniqueArray(fc.tuple(fc.string({ unit: "grapheme" }), tie("json")), { maxLength: 4, selector: ([key]) => key })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`),
    ),
  }));
  fc.assert(
    fc.property(json, (text) => {
      const plain = printTree(parseTree(text));
      for (const through of forms) expect(through(text)).toBe(plain);
    }),
    { seed: 20_261_130, numRuns: 300 },
  );
});
