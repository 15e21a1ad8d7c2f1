import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Client, type ClientOptions } from "./client.js";
import { ConnectionError, WireError } from "./errors.js";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
type Answer = (seen: Seen, response: ServerResponse) => void;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server on a real port that keeps what it was sent. */
async function serve(answer: Answer): Promise<{ url: string; seen: Seen[]; sockets: () => number }> {
  const seen: Seen[] = [];
  let sockets = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const entry = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: String(Buffer.concat(chunks)),
    };
    seen.push(entry);
    answer(entry, response);
  });
  server.on("connection", () => sockets++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, sockets: () => sockets };
}

function client(url: string, options: Partial<ClientOptions> = {}): Client {
  const made = new Client({ url, ...options });
  closing.push(() => made.close());
  return made;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

describe("request", () => {
  test("sends strings and bytes as they are, objects as JSON, and gives back what came", async () => {
    const { url, seen } = await serve((_seen, response) => response.writeHead(418, { "x-a": "b" }).end("tea"));
    const node = client(url, { authorization: "ApiKey abc" });
    const reply = await node.request("PUT", "/a%2Fb/_doc/..?q=1", { x: "ü" });
    expect(reply).toMatchObject({ status: 418, text: "tea", headers: { "x-a": "b" } });
    await node.request("POST", "/t", "plain", "text/plain");
    await node.request("POST", "/b", new Uint8Array([104, 105]));
    await node.request("GET", "/n");
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["PUT", "/a%2Fb/_doc/..?q=1", '{"x":"ü"}'],
      ["POST", "/t", "plain"],
      ["POST", "/b", "hi"],
      ["GET", "/n", ""],
    ]);
    expect(seen[0].headers).toMatchObject({ authorization: "ApiKey abc", "content-type": "application/json" });
    expect(seen[1].headers["content-type"]).toBe("text/plain");
    expect(seen[3].headers["content-type"]).toBeUndefined();
  });

  test("keeps its connection", async () => {
    const { url, sockets } = await serve((_seen, response) => response.end("{}"));
    const node = client(url);
    for (let i = 0; i < 5; i++) await node.request("GET", "/");
    expect(sockets()).toBe(1);
  });

  test("keeps a path prefix, and turns user and password into a header that messages do not repeat", async () => {
    const { url, seen } = await serve((_seen, response) => response.end("{}"));
    const node = client(`${url.replace("//", "//me:pa%20ss@")}/es/`);
    await node.request("GET", "/_cat");
    expect(seen[0].url).toBe("/es/_cat");
    expect(seen[0].headers.authorization).toBe(`Basic ${Buffer.from("me:pa ss").toString("base64")}`);
    expect(node.url).toBe(`${url}/es`);
  });

  test("a closed idle connection is opened again for a request that may be repeated", async () => {
    let cut = false;
    const { url, sockets } = await serve((_seen, response) => {
      if (cut) response.socket?.resetAndDestroy();
      else response.end("{}");
      cut = !cut;
    });
    const node = client(url);
    await node.request("GET", "/1");
    await expect(node.request("GET", "/2")).resolves.toMatchObject({ status: 200 });
    await expect(node.request("POST", "/i/_doc", {})).rejects.toBeInstanceOf(ConnectionError);
    expect(sockets()).toBe(2);
  });
});

describe("an error", () => {
  test("nobody there: names the address and how to start a node", async () => {
    const { url } = await serve(() => {});
    await closing.splice(0)[0]();
    const failed = client(url).request("GET", "/");
    await expect(failed).rejects.toBeInstanceOf(ConnectionError);
    await expect(failed).rejects.toThrow(`Nothing answers at ${url}`);
    await expect(failed).rejects.toThrow("pinakes up FOLDER");
  });

  test("silence: says how long it waited", async () => {
    const { url } = await serve(() => {});
    await expect(client(url, { timeoutMs: 20 }).request("GET", "/")).rejects.toThrow(/nothing came for 20 ms.*busy/);
  });

  test("an address that is none is refused at once", () => {
    expect(() => new Client({ url: "ftp://x" })).toThrow(/http:\/\/127.0.0.1:9200/);
  });

  test.each([
    [
      404,
      { error: { type: "index_not_found_exception", reason: "no such index [x]" } },
      "index_not_found_exception",
      "no such index [x]",
    ],
    [400, { error: { root_cause: [{ type: "parsing_exception", reason: "bad" }] } }, "parsing_exception", "bad"],
    [400, { error: "old form" }, "exception", "old form"],
    [502, "<html>Bad Gateway</html>", "exception", '502: "<html>Bad Gateway</html>"'],
  ])("status %d with %j", async (status, body, type, reason) => {
    const { url } = await serve((_seen, response) => json(response, status, body));
    const error = await client(url)
      .json("GET", "/x")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WireError);
    expect(error).toMatchObject({ status, type, message: reason });
  });

  test("an empty error answer still says something", async () => {
    const { url } = await serve((_seen, response) => response.writeHead(401).end());
    await expect(client(url).json("HEAD", "/x")).rejects.toThrow("the server answered 401");
  });
});

describe("bulk", () => {
  const operations = ["a", "b", "c"].map((id) => `{"index":{"_id":"${id}"}}\n{"v":"${id}"}\n`);

  /** Answers per operation id, one list of statuses each, taken in turn. */
  function refusing(plan: Record<string, number[]>): Answer {
    return (seen, response) => {
      const ids = [...seen.body.matchAll(/"_id":"(\w)"/g)].map((found) => found[1]);
      const items = ids.map((id) => {
        const status = plan[id]?.shift() ?? 201;
        return {
          index: status < 300 ? { _id: id, status } : { _id: id, status, error: { type: `t${status}`, reason: "r" } },
        };
      });
      json(response, 200, { errors: items.some((item) => item.index.status >= 300), items });
    };
  }

  test("a client that retries always finishes: refused items, and they alone, are sent again with growing pauses", async () => {
    const { url, seen } = await serve(refusing({ a: [429, 400], c: [429, 429, 429, 201] }));
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const outcome = await client(url, { pause }).bulk(operations.join(""), "refresh=true");
    expect(outcome).toEqual({ failures: [{ position: 0, id: "a", status: 400, type: "t400", reason: "r" }] });
    expect(seen.map(({ body }) => body)).toEqual([
      operations.join(""),
      operations[0] + operations[2],
      operations[2],
      operations[2],
    ]);
    expect(seen[0].url).toBe("/_bulk?refresh=true");
    expect(seen[0].headers["content-type"]).toBe("application/x-ndjson");
    expect(pauses).toEqual([50, 50, 100]);
  });

  test("a whole request answered 429 is sent again", async () => {
    let busy = 3;
    const { url, seen } = await serve((_seen, response) => {
      if (busy-- > 0) json(response, 429, { error: { type: "es_rejected_execution_exception", reason: "full" } });
      else json(response, 200, { errors: false, items: [{ index: { status: 201 } }] });
    });
    const pauses: number[] = [];
    const outcome = await client(url, { pause: async (ms) => void pauses.push(ms) }).bulk(Buffer.from(operations[0]));
    expect(outcome).toEqual({ failures: [] });
    expect(seen).toHaveLength(4);
    expect(pauses).toEqual([50, 100, 200]);
  });

  test("another refusal of the whole request is thrown", async () => {
    const { url } = await serve((_seen, response) =>
      json(response, 413, { error: { type: "too_large", reason: "r" } }),
    );
    await expect(client(url).bulk(operations[0])).rejects.toMatchObject({ status: 413, type: "too_large" });
  });

  test("nothing to send is not sent", async () => {
    const { url, seen } = await serve(() => {});
    expect(await client(url).bulk("")).toEqual({ failures: [] });
    expect(seen).toEqual([]);
  });

  test("closing ends the retries", async () => {
    const { url } = await serve((_seen, response) => json(response, 429, {}));
    const node: Client = client(url, { pause: async () => node.close() });
    await expect(node.bulk(operations[0])).rejects.toThrow(/closed while a bulk/);
  });
});
