/**
 * Optimistic concurrency and all that a write says of itself, answer by answer as OpenSearch 2.19.6 gave it (recorded
 * in testing/recorded/concurrency.jsonl). Where ours differs on purpose, the reason stands here.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";
import { GROUPS } from "../testing/recorded/concurrency-requests.js";
import { type Played, playGroup } from "../testing/recorded/play.js";

const FILE = new URL("../testing/recorded/concurrency.jsonl", import.meta.url);
const recorded = readFileSync(FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Played & { group: string });

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

describe.each(GROUPS)("$title", (group) => {
  const expected = recorded.filter((one) => one.group === group.title);
  let played: Played[];
  beforeAll(async () => {
    played = await playGroup(node.address, group, { "x-pinakes-identity": "os2" });
  });

  test.each(group.calls.map(([call], at) => [call, at] as const))("%s", (_call, at) => {
    const { status, json } = expected[at];
    expect({ status: played[at].status, json: played[at].json }).toEqual({ status, json });
  });
});

describe("on purpose otherwise than OpenSearch", () => {
  const bulk = async (lines: object[]) => {
    const { status, json } = await node.call(
      "POST",
      "/o/_bulk",
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    return { status, json };
  };

  test("a condition on a document whose id is made now fails: OpenSearch writes it, condition or not", async () => {
    const { json } = await bulk([{ index: { if_seq_no: 1, if_primary_term: 1 } }, { n: 1 }]);
    expect(json.items).toMatchObject([{ index: { status: 409 } }]);
  });

  test.each(["bogus", "delete", "CREATE"])(
    "op_type %s is refused: OpenSearch takes any word for index",
    async (word) => {
      const { status, json } = await bulk([{ index: { _id: "1", op_type: word } }, { n: 1 }]);
      expect([status, json.error]).toMatchObject([
        400,
        { reason: `opType must be 'create' or 'index', found: [${word}]` },
      ]);
    },
  );

  test("a delete that asks for an alias gets one: OpenSearch does not look", async () => {
    const { json } = await bulk([{ delete: { _id: "1", require_alias: true } }]);
    expect(json.items).toMatchObject([{ delete: { status: 404, error: { type: "index_not_found_exception" } } }]);
  });

  test("versions beyond 2^53 - 1 are refused by name: they would lose digits", async () => {
    const answer = await node.call("PUT", "/o/_doc/1?version=9007199254740992&version_type=external", { n: 1 });
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      { reason: "[version] with value [9007199254740992] is not supported by Pinakes: its numbers end at 2^53 - 1" },
    ]);
  });

  test("copies that will never be there are not waited for", async () => {
    // An hour, which no test has.
    for (const [parameter, timeout] of [
      ["", "1m"],
      ["&timeout=1h", "1h"],
    ]) {
      const answer = await node.call("PUT", `/o/_doc/1?wait_for_active_shards=2${parameter}`, { n: 1 });
      expect([answer.status, answer.json.error]).toMatchObject([
        503,
        { reason: expect.stringContaining(`Timeout: [${timeout}]`) },
      ]);
    }
  });
});
