import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { StdioTransport } from "./stdio-transport.js";

/** What is taken as messages, and what is answered, when these bytes come in. */
async function heard(chunks: readonly (string | Buffer)[], longest?: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StdioTransport(input, output, longest);
  const messages: unknown[] = [];
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  const ended = new Promise((resolve) => input.once("end", resolve));
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await ended;
  await transport.close();
  const text = String(output.read() ?? "");
  const answers = text.split("\n").filter((line) => line !== "");
  return { messages, text, answers: answers.map((line) => JSON.parse(line)) };
}

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

test("messages come whole, however the bytes are cut", async () => {
  const text = `${JSON.stringify({ ...PING, params: { x: "ä€" } })}\r\n\n${JSON.stringify(PING)}\n`;
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
  expect(await heard(bytes)).toEqual({
    messages: [{ ...PING, params: { x: "ä€" } }, PING],
    text: "",
    answers: [],
  });
});

test("a line that is no JSON is answered as a parse error without an id, and the next one is read", async () => {
  const { messages, answers } = await heard([`{bad json\n${JSON.stringify(PING)}\n`]);
  expect(answers).toEqual([{ jsonrpc: "2.0", id: null, error: { code: -32700, message: expect.any(String) } }]);
  expect(messages).toEqual([PING]);
});

test.each([
  ["[]", null],
  ["5", null],
  ['{"jsonrpc":"2.0","id":7,"foo":1}', 7],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', "a"],
])("JSON that is no message is an invalid request: %s", async (line, id) => {
  const { messages, answers } = await heard([`${line}\n`]);
  expect(answers).toEqual([{ jsonrpc: "2.0", id, error: { code: -32600, message: expect.any(String) } }]);
  expect(messages).toEqual([]);
});

test.each([
  ["9007199254740993", "9007199254740993"],
  ["1.5", "1.5"],
  ["true", "null"],
  ["{}", "null"],
  ["[]", "null"],
  ["null", "null"],
])("an id that is none is named, and digits come back as they were: %s", async (id, answered) => {
  const { messages, answers, text } = await heard([`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`]);
  expect(text).toContain(`{"jsonrpc":"2.0","id":${answered},"error":`);
  expect(answers[0].error).toEqual({ code: -32600, message: expect.stringContaining(`the id ${id} is none`) });
  expect(messages).toEqual([]);
});

test("a message that is too long is refused once, and those after it are read", async () => {
  const long = JSON.stringify({ ...PING, params: { x: "x".repeat(300) } });
  const { messages, answers } = await heard([long.slice(0, 150), long.slice(150), `\n${JSON.stringify(PING)}\n`], 100);
  expect(answers.map(({ error }) => error.code)).toEqual([-32600]);
  expect(messages).toEqual([PING]);
});
