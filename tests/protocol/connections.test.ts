import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { endpoint, json } from "../../compat/index.js";
import { type TestNode, testNode } from "../../compat/testing/node.js";

let node: TestNode | undefined;
afterEach(() => node?.close());

/** A connection, and all that came over it by the time it ended. */
async function open(address: string): Promise<{ socket: Socket; ended: Promise<string> }> {
  const [host, port] = address.split(":");
  const socket = connect(Number(port), host);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, ended };
}

test("headers that never end are a 408, and the connection is closed", async () => {
  node = await testNode({ connections: { headersMs: 100, requestMs: 10_000, checkMs: 20 } });
  const { socket, ended } = await open(node.address);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  const answer = await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(answer).toContain('"type":"timeout_exception"');
});

test("a body that never ends is one too", async () => {
  node = await testNode({ connections: { headersMs: 100, requestMs: 200, checkMs: 20 } });
  const { socket, ended } = await open(node.address);
  socket.write(
    "POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  );
  expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
});

test("a connection on which nothing is asked any more is closed", async () => {
  node = await testNode({ connections: { keepAliveMs: 100 } });
  const { socket, ended } = await open(node.address);
  socket.write("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("more connections than may be are refused", async () => {
  node = await testNode({ connections: { open: 1 } });
  const first = await open(node.address);
  const second = await open(node.address);
  expect(await second.ended).toBe("");
  first.socket.destroy();
  await first.ended;
});

test("work for a client that went away is given up", async () => {
  let begun = () => {};
  const working = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let gaveUp = () => {};
  const cancelled = new Promise<void>((resolve) => {
    gaveUp = resolve;
  });
  const wait = endpoint("pinakes.wait", "GET /_pinakes/wait", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "read",
    handler: async ({ task: { signal } }) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
        begun();
      });
      gaveUp();
      return json({});
    },
  });
  node = await testNode({ nativeRows: wait });
  const { socket } = await open(node.address);
  socket.write("GET /_pinakes/wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await working;
  socket.destroy();
  await cancelled;
});
