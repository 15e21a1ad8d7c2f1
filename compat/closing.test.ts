/** How a server stops: what it answers, and that nobody keeps it from ending. */
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { endpoint } from "./endpoints/row.js";
import { json } from "./http/reply.js";
import { fakeEngine } from "./testing/fake-engine.js";
import { type TestServer, testServer } from "./testing/http.js";
import { testNode } from "./testing/node.js";

/** A server with a request that is answered when the test says so. */
async function gatedServer() {
  let answer = () => {};
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const nativeRows = endpoint("pinakes.gate", "GET /_pinakes/gate", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "read",
    handler: () =>
      new Promise((resolve) => {
        answer = () => resolve(json({}));
        asked();
      }),
  });
  const server = await testServer(fakeEngine(), { nativeRows });
  return { server, arrived, answer: () => answer() };
}

/** A request on a connection that the client keeps. */
function keptAlive(server: TestServer, path: string): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [host, port] = server.address.split(":");
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path, agent }, (response) => resolve(response.resume()));
    sent.on("error", reject).end();
  });
}

/** A connection on which nothing is asked yet, and what comes back on it until it ends. */
async function silent(server: TestServer): Promise<{ socket: Socket; ended: Promise<string> }> {
  const socket = connect(Number(server.address.split(":")[1]), "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return { socket, ended: new Promise((resolve) => socket.once("close", () => resolve(text))) };
}

describe("a server that stops", () => {
  test("answers what it was asked, says that the connection ends, and does not wait for the client to end it", async () => {
    const { server, arrived, answer } = await gatedServer();
    const asked = keptAlive(server, "/_pinakes/gate");
    await arrived;
    const closed = server.close();
    answer();
    const { statusCode, headers } = await asked;
    expect([statusCode, headers.connection]).toEqual([200, "close"]);
    await closed;
  });

  test("ends connections whose answer was given", async () => {
    const { server } = await gatedServer();
    expect((await keptAlive(server, "/")).headers.connection).toBe("keep-alive");
    await server.close();
  });

  test("tells whoever still asks that it stops, as Elasticsearch tells it", async () => {
    const { server } = await gatedServer();
    const { socket, ended } = await silent(server);
    await server.call("GET", "/"); // the server has taken the connection by now
    const closed = server.close();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [head, body] = (await ended).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1.1 503 /);
    expect(head.toLowerCase()).toMatch(/^connection: close$/m);
    expect(head.toLowerCase()).toContain("x-elastic-product: elasticsearch");
    expect(JSON.parse(body)).toMatchObject({ error: { type: "node_closed_exception" }, status: 503 });
    await closed;
  });

  test.each(["", "GET / HTTP/1.1\r\nHost: loc"])(
    "does not wait for a request that never comes after %j",
    async (begun) => {
      const { server } = await gatedServer();
      const { socket, ended } = await silent(server);
      socket.write(begun);
      await server.call("GET", "/");
      await server.close();
      await ended;
    },
  );

  test("answers writes that wait for a refresh which would not come by itself", async () => {
    const node = await testNode();
    await node.call("PUT", "/b", { settings: { "index.refresh_interval": "-1" } });
    const written = node.call("PUT", "/b/_doc/1?refresh=wait_for", { a: 1 });
    await vi.waitFor(() => expect(node.engine.index("b")?.stats().refreshListeners).toBe(1), { timeout: 60_000 });
    const closed = node.close();
    expect((await written).json).toMatchObject({ result: "created" });
    await closed;
  });
});
