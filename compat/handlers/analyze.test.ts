import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i", {
    settings: {
      "analyze.max_token_count": 3,
      analysis: {
        char_filter: { and: { type: "mapping", mappings: ["& => and"] } },
        analyzer: { own: { type: "custom", tokenizer: "whitespace", char_filter: ["and"], filter: ["lowercase"] } },
      },
    },
    mappings: { properties: { t: { type: "text", analyzer: "own" } } },
  });
});
afterAll(() => node.close());

const detail = async (path: string, body: object) =>
  (await node.call("GET", path, { ...body, explain: true })).json.detail as Record<string, never>;
const tokensOf = ({ tokens }: { tokens: { token: string }[] }) => tokens.map(({ token }) => token);

describe("an explained analysis", () => {
  test("of a built-in analyzer shows what the whole of it makes", async () => {
    const found = await detail("/_analyze", { analyzer: "standard", text: "This is" });
    expect(found).toMatchObject({
      custom_analyzer: false,
      analyzer: {
        name: "standard",
        tokens: [
          {
            token: "this",
            start_offset: 0,
            end_offset: 4,
            position: 0,
            bytes: "[74 68 69 73]",
            positionLength: 1,
            termFrequency: 1,
          },
          { token: "is" },
        ],
      },
    });
  });

  test("of parts shows what each of them makes", async () => {
    const found = await detail("/_analyze", {
      tokenizer: "standard",
      filter: [{ type: "stop", stopwords: ["foo"] }, "uppercase"],
      text: "foo bar",
    });
    expect(found.custom_analyzer).toBe(true);
    expect(tokensOf(found.tokenizer)).toEqual(["foo", "bar"]);
    const filters = found.tokenfilters as never as { name: string; tokens: { token: string }[] }[];
    expect(filters.map((filter) => [filter.name, tokensOf(filter)])).toEqual([
      ["__anonymous__stop", ["bar"]],
      ["uppercase", ["BAR"]],
    ]);
  });

  test.each([{ analyzer: "own" }, { field: "t" }])("of %j shows the parts that the index made it of", async (asked) => {
    const found = await detail("/i/_analyze", { ...asked, text: "A & B" });
    expect(found.charfilters).toEqual([{ name: "and", filtered_text: ["A and B"] }]);
    expect(found.tokenizer).toMatchObject({ name: "whitespace" });
    expect(tokensOf(found.tokenizer)).toEqual(["A", "and", "B"]);
  });

  test("shows the attributes that are asked for", async () => {
    const found = await detail("/_analyze", { analyzer: "standard", text: "a", attributes: ["bytes"] });
    const [token] = (found.analyzer as { tokens: object[] }).tokens;
    expect(Object.keys(token)).toEqual(["token", "start_offset", "end_offset", "type", "position", "bytes"]);
  });
});

test("more tokens than the index allows are refused, explained or not", async () => {
  for (const explain of [true, false]) {
    const answer = await node.call("GET", "/i/_analyze", { analyzer: "standard", text: "one two three four", explain });
    expect(answer.json.error).toMatchObject({
      type: "illegal_state_exception",
      reason: expect.stringContaining("exceeded the allowed maximum of [3]"),
    });
  }
  expect((await node.call("GET", "/i/_analyze", { analyzer: "standard", text: "one two three" })).status).toBe(200);
});
