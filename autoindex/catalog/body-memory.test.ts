import { expect, it } from "vitest";
import { BodyMemory } from "./body-memory.js";

const pieces = (...texts: string[]) => texts.map((text) => Buffer.from(text));

it("bodies that are under way at once have memory of their own, later ones that of earlier ones", async () => {
  const memory = new BodyMemory(100);
  let finish = () => {};
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = memory.withJoined(pieces("ab", "", "c"), async (body) => {
    await waiting;
    return { text: body.toString(), buffer: body.buffer };
  });
  const second = await memory.withJoined(pieces("defg"), async (body) => ({
    text: body.toString(),
    buffer: body.buffer,
  }));
  finish();
  const { text, buffer } = await first;
  expect([text, second.text]).toEqual(["abc", "defg"]);
  expect(second.buffer).not.toBe(buffer);
  const third = await memory.withJoined(pieces("h"), async (body) => ({ text: body.toString(), buffer: body.buffer }));
  expect(third.text).toBe("h");
  expect([buffer, second.buffer]).toContain(third.buffer);
});

it("memory that somebody failed with, who may still be reading it, is not used again", async () => {
  const memory = new BodyMemory(100);
  let failed: ArrayBufferLike | undefined;
  const failure = memory.withJoined(pieces("a"), async (body) => {
    failed = body.buffer;
    throw new Error("no answer");
  });
  await expect(failure).rejects.toThrow("no answer");
  expect(await memory.withJoined(pieces("b"), async (body) => body.buffer)).not.toBe(failed);
});

it("a body larger than that is joined too", async () => {
  const memory = new BodyMemory(3);
  expect(await memory.withJoined(pieces("abc", "def"), async (body) => body.toString())).toBe("abcdef");
});
