import { afterEach, describe, expect, test } from "vitest";
import { readNodeSettings } from "../../compat/index.js";
import { type TestNode, testNode } from "../../compat/testing/node.js";

let node: TestNode | undefined;
afterEach(() => node?.close());

async function nodeWith(...settings: string[]): Promise<TestNode> {
  node = await testNode(readNodeSettings(settings));
  return node;
}

const PAGE = "http://page.example";
const PREFLIGHT = { origin: PAGE, "access-control-request-method": "POST" };

test("without the settings a page of another origin gets nothing, not even a preflight", async () => {
  const { call } = await nodeWith();
  expect((await call("GET", "/", undefined, { origin: PAGE })).status).toBe(403);
  expect((await call("OPTIONS", "/_search", undefined, PREFLIGHT)).status).toBe(403);
});

describe("with http.cors.enabled", () => {
  test("an origin that is named is let in and told so", async () => {
    const { call } = await nodeWith("http.cors.enabled=true", `http.cors.allow-origin=http://other,${PAGE}`);
    const answer = await call("GET", "/", undefined, { origin: PAGE });
    expect([answer.status, answer.headers]).toMatchObject([
      200,
      {
        "access-control-allow-origin": PAGE,
        vary: "Origin",
        "access-control-expose-headers": "X-elastic-product",
      },
    ]);
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    expect((await call("GET", "/", undefined, { origin: "http://evil.example" })).status).toBe(403);
  });

  test("a preflight says what may be sent, also for paths that only other methods know", async () => {
    const settings = ["http.cors.allow-methods=GET,POST", "http.cors.allow-headers=X-Own", "http.cors.max-age=60"];
    const { call } = await nodeWith("http.cors.enabled=true", "http.cors.allow-origin=*", ...settings);
    const answer = await call("OPTIONS", "/_bulk", undefined, PREFLIGHT);
    expect([answer.status, answer.text, answer.headers]).toMatchObject([
      200,
      "",
      {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET,POST",
        "access-control-allow-headers": "X-Own",
        "access-control-max-age": "60",
      },
    ]);
  });

  test("a pattern chooses origins, credentials name them", async () => {
    const { call } = await nodeWith(
      "http.cors.enabled=true",
      "http.cors.allow-origin=/https?:\\/\\/page\\.example(:[0-9]+)?/",
      "http.cors.allow-credentials=true",
    );
    const answer = await call("GET", "/nope", undefined, { origin: `${PAGE}:8080` });
    expect([answer.status, answer.headers]).toMatchObject([
      404,
      { "access-control-allow-origin": `${PAGE}:8080`, "access-control-allow-credentials": "true" },
    ]);
    expect((await call("GET", "/", undefined, { origin: "http://page.example.evil" })).status).toBe(403);
  });
});

test.each([
  ["http.cors.enabled=maybe", "Failed to parse value [maybe] for setting [http.cors.enabled]"],
  [
    "http.cors.alow-origin=*",
    "setting [http.cors.alow-origin] is not supported by Pinakes did you mean [http.cors.allow-origin]?",
  ],
  ["http.cors.enabled", "a setting is given as name=value, not as [http.cors.enabled]"],
])("%s is refused", (setting, reason) => {
  expect(() => readNodeSettings([setting])).toThrow(reason);
});
