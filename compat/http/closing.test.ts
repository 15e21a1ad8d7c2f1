import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { Closing } from "./closing.js";

/** A server that stops, with short patience, and a connection to it. */
async function serverOf(
  answer: RequestListener,
): Promise<{ socket: Socket; ended: Promise<string>; stop(): Promise<void> }> {
  const closing = new Closing({ unused: 20, busy: 100 });
  const server = createServer((request, response) => {
    closing.asked(request, response);
    answer(request, response);
  });
  closing.watch(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const opened = new Promise((resolve) => server.once("connection", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await opened;
  const stop = async () => {
    closing.begin();
    await new Promise((resolve) => server.close(resolve));
    closing.ended();
  };
  return { socket, ended, stop };
}

const ASK = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n";

it("work that does not end, and a body that does not come, keep a server for a while only", async () => {
  let arrived = () => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { socket, ended, stop } = await serverOf(() => arrived());
  socket.write(ASK);
  await asked;
  await stop();
  expect(await ended).toBe("");
});

it("an answer that had begun when the server stopped comes whole, and its connection ends", async () => {
  let finish = () => {};
  let arrived = () => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { socket, ended, stop } = await serverOf((_request, response) => {
    response.writeHead(200, { "content-length": 2 });
    response.write("o");
    finish = () => response.end("k");
    arrived();
  });
  socket.write(`${ASK}{}`);
  await asked;
  const stopped = stop();
  finish();
  expect(await ended).toMatch(/\r\n\r\nok$/);
  await stopped;
});
