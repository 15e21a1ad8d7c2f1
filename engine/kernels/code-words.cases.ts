import { CodeWordsDone } from "./code-words.js";
import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

const POSITION = 7;

/** All that a kernel writes and says of a text. */
function read(kernels: Kernels, memory: CaseMemory, text: string, capacity = 4096) {
  const bytes = Buffer.from(text);
  // What follows the text may look like its next letters.
  const source = memory.put(Buffer.concat([bytes, Buffer.from("aB9".repeat(30))]));
  const [target, tokens, done] = [memory.alloc(bytes.length + 40), memory.alloc(16 * capacity), memory.alloc(16)];
  const run = { source, end: source + bytes.length, text: target, textBytes: 3, tokens, capacity, position: POSITION };
  const stopped = kernels.codeWords({ ...run, done }) - source;
  const [count, textBytes, position] = memory.numbers(done, CodeWordsDone.bytes / 4);
  const entries = memory.numbers(tokens, 4 * count);
  const words = Array.from({ length: count }, (_, i) => {
    const [start, length, at] = entries.slice(4 * i, 4 * i + 3);
    return `${Buffer.from(memory.bytes(target + start, length))}@${at - POSITION}`;
  });
  return { stopped, words, entries, text: memory.bytes(target, textBytes), position };
}

function words(text: string, expected: string): KernelCase {
  return {
    kernels: ["codeWords"],
    title: `words of ${JSON.stringify(text)}`,
    run: (kernels, memory) => read(kernels, memory, text).words.join(" "),
    expected,
  };
}

const PIECES = ["a", "B", "Cd", "9", "_", "$", " ", ".", "abc", "HTTP", "x1", "  ", "\n", "Ab".repeat(40)];

function randomText(random: () => number): string {
  const length = Math.floor(random() * 60);
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join("");
}

export const codeWordsCases: KernelCase[] = [
  words("", ""),
  words("readTimeoutHandler x", "readtimeouthandler@0 read@0 timeout@1 handler@2 x@3"),
  words("HTTPServer2", "httpserver2@0 http@0 server@1 2@2"),
  words("std::vector", "std@0 vector@1"),
  words("__init__ _ $ a_B", "__init__@0 init@0 a_b@1 a@1 b@2"),
  words("ABC Ab aB A1b", "abc@0 ab@1 ab@2 a@2 b@3 a1b@4 a@4 1@5 b@6"),
  {
    kernels: ["codeWords"],
    title: "an identifier at every place of the 64-byte windows, and of every length around their size",
    run: (kernels, memory) =>
      [0, 1, 3, 60, 63, 64, 65].flatMap((pad) =>
        [1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 255, 256, 600].map((length) =>
          read(kernels, memory, `${" ".repeat(pad)}${"aB_3".repeat(150).slice(0, length)} z`),
        ),
      ),
  },
  {
    kernels: ["codeWords"],
    title: "words of more than 255 bytes are cut, and their whole is left out",
    run: (kernels, memory) =>
      [`${"a".repeat(300)}B`, "7".repeat(600), "_".repeat(300), `${"_".repeat(300)}a`, "A".repeat(255)].map((text) =>
        read(kernels, memory, text).words.map((word) => word.length),
      ),
    expected: [[257, 47, 3], [257, 257, 92], [], [3], [257]],
  },
  {
    kernels: ["codeWords"],
    title: "it stops at the beginning of an identifier with code points beyond ASCII",
    run: (kernels, memory) =>
      ["é", "ab é", "ab x_é", "ab éx c", `${"x".repeat(90)}é`, `${" ".repeat(70)}é`].map(
        (text) => read(kernels, memory, text).stopped,
      ),
    expected: [0, 3, 3, 3, 0, 70],
  },
  {
    kernels: ["codeWords"],
    title: "it stops where entries might run out",
    run: (kernels, memory) =>
      [0, 1, 2, 3, 4, 5, 100].map((capacity) => {
        const { stopped, words: made } = read(kernels, memory, `a bc ${"D".repeat(99)}`, capacity);
        return [stopped, made.length];
      }),
    expected: [
      [0, 0],
      [0, 0],
      [2, 1],
      [2, 1],
      [5, 2],
      [5, 2],
      [5, 2],
    ],
  },
  {
    kernels: ["codeWords"],
    title: `random identifiers, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      return Array.from({ length: 150 }, () => read(kernels, memory, randomText(random)));
    },
  },
];
