import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { printCbor, readCbor } from "../../compat/http/forms/cbor.js";
import { readSmile } from "../../compat/http/forms/smile-reader.js";
import { printSmile } from "../../compat/http/forms/smile-writer.js";
import { readYaml } from "../../compat/http/forms/yaml.js";
import { parseTree } from "../../compat/json/tree.js";
import { type TestNode, testNode } from "../../compat/testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i/_doc/1?refresh=true", { name: "ü", price: 1.5 });
});
afterAll(() => node.close());

const READERS = { cbor: readCbor, smile: readSmile, yaml: readYaml };
const PRINTERS = {
  cbor: (json: string) => printCbor(parseTree(json)),
  smile: (json: string) => printSmile(parseTree(json)),
  yaml: (json: string) => Buffer.from(json),
};
const FORMS = ["cbor", "smile", "yaml"] as const;

describe.each(FORMS)("%s", (form) => {
  test.each([
    [`/i/_doc/1?format=${form}`, {}, `application/${form}`],
    ["/i/_doc/1", { accept: `application/${form}` }, `application/${form}`],
    [
      "/i/_doc/1",
      { accept: `application/vnd.elasticsearch+${form};compatible-with=8` },
      `application/vnd.elasticsearch+${form};compatible-with=8`,
    ],
  ])("answers %s %o", async (path, headers, type) => {
    const answer = await node.call("GET", path, undefined, headers);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, type]);
    expect(JSON.parse(READERS[form](answer.bytes))).toMatchObject({ _id: "1", _source: { name: "ü", price: 1.5 } });
  });

  test("answers errors and tables in its form too", async () => {
    const missing = await node.call("GET", `/nope?format=${form}`);
    expect([missing.status, missing.headers["content-type"]]).toEqual([404, `application/${form}`]);
    expect(JSON.parse(READERS[form](missing.bytes))).toMatchObject({ status: 404 });
    const table = await node.call("GET", `/_cat/indices?format=${form}&h=index`);
    expect(JSON.parse(READERS[form](table.bytes))).toContainEqual({ index: "i" });
  });

  test("is read as a document, its numbers as they were meant", async () => {
    const body = PRINTERS[form]('{"whole":1,"fraction":1.0,"large":9007199254740993}');
    const headers = { "content-type": `application/${form}` };
    const written = await node.call("PUT", `/in-${form}/_doc/1?refresh=true`, body, headers);
    expect(written.status).toBe(201);
    const got = await node.call("GET", `/in-${form}/_source/1`);
    expect(got.text).toBe('{"whole":1,"fraction":1.0,"large":9007199254740993}');
    const mapping = await node.call("GET", `/in-${form}/_mapping`);
    expect(mapping.json).toMatchObject({
      [`in-${form}`]: { mappings: { properties: { whole: { type: "long" }, fraction: { type: "float" } } } },
    });
  });

  test("is read as a search", async () => {
    const body = PRINTERS[form]('{"query":{"match":{"name":"ü"}}}');
    const answer = await node.call("POST", "/i/_search", body, { "content-type": `application/${form}` });
    expect(answer.json).toMatchObject({ hits: { total: { value: 1 } } });
  });

  test("a body that is something else is a 400", async () => {
    const answer = await node.call("POST", "/i/_search", Buffer.from([0x80 ^ 0x1f, 0x5b]), {
      "content-type": `application/${form}`,
    });
    expect(answer.status).toBe(400);
  });
});

test("a bulk body may be Smile documents, and neither CBOR nor YAML (RestController of Elasticsearch)", async () => {
  const lines = ['{"index":{"_index":"b","_id":"1"}}', '{"a":1}'];
  const body = Buffer.concat(lines.flatMap((line) => [printSmile(parseTree(line)), Buffer.from([0xff])]));
  const answer = await node.call("POST", "/_bulk", body, { "content-type": "application/smile" });
  expect(answer.json).toMatchObject({ errors: false, items: [{ index: { _id: "1", status: 201 } }] });
  for (const form of ["cbor", "yaml"]) {
    const refused = await node.call("POST", "/_bulk", body, { "content-type": `application/${form}` });
    expect([refused.status, refused.json]).toEqual([
      406,
      {
        error: `Content-Type [application/${form}] does not support stream parsing. Use JSON or SMILE instead`,
        status: 406,
      },
    ]);
  }
});

test("other types are a 406 as bodies, and JSON as answers", async () => {
  const refused = await node.call("POST", "/i/_search", "{}", { "content-type": "text/plain" });
  expect([refused.status, refused.json]).toEqual([
    406,
    { error: "Content-Type header [text/plain] is not supported", status: 406 },
  ]);
  const answer = await node.call("GET", "/", undefined, { accept: "application/xml" });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
  const format = await node.call("GET", "/?format=xml");
  expect([format.status, format.json.error]).toMatchObject([400, { type: "illegal_argument_exception" }]);
});
