import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

function plain(kernels: Kernels, memory: CaseMemory, text: string | Buffer): [bytes: number, escapes: number] {
  const said = kernels.plainText(memory.put(Buffer.concat([Buffer.from(text), Buffer.alloc(16)])));
  return [said >>> 1, said & 1];
}

function meaning(kernels: Kernels, memory: CaseMemory, raw: string): string {
  const bytes = Buffer.from(raw);
  const source = memory.put(Buffer.concat([bytes, Buffer.from('\\n"\\n"')]));
  const target = memory.alloc(bytes.length + 16);
  const length = kernels.unescapeText(source, source + bytes.length, target);
  return Buffer.from(memory.bytes(target, length)).toString();
}

/** Strings as JSON prints them, some with their characters as code units. */
function randomStrings(random: () => number): string[] {
  const pieces = ["a", " ", "\n", '"', "\\", "/", "\t", "é", "変", "😀", "\u0001", "some longer words of a comment "];
  return Array.from({ length: 200 }, () => {
    const length = Math.floor(random() * 20);
    const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
    const raw = JSON.stringify(text).slice(1, -1);
    if (random() < 0.5) return raw;
    return raw.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  });
}

export const jsonTextCases: KernelCase[] = [
  {
    kernels: ["plainText"],
    title: "it ends before the end of the string, control characters, bytes beyond ASCII, escapes to be looked at",
    run: (kernels, memory) =>
      ['"', 'ab"c', "a\u0001", "a\u007fé", "a\\u0041", "a\\x", "a\\", "", `${"x".repeat(40)}"`].map((text) =>
        plain(kernels, memory, text),
      ),
    expected: [
      [0, 0],
      [2, 0],
      [1, 0],
      [2, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 0],
      [40, 0],
    ],
  },
  {
    kernels: ["plainText"],
    title: "it passes the short escapes and says that there were some",
    run: (kernels, memory) =>
      ['\\"\\\\\\/\\b\\f\\n\\r\\t"', `${"x".repeat(15)}\\n"`, `${"x".repeat(14)}\\"y"`].map((text) =>
        plain(kernels, memory, text),
      ),
    expected: [
      [16, 1],
      [17, 1],
      [17, 1],
    ],
  },
  {
    kernels: ["plainText"],
    title: "every byte at every place of a 16-byte window",
    run: (kernels, memory) =>
      Array.from({ length: 256 }, (_, byte) =>
        [0, 1, 15, 16, 17].map((at) => plain(kernels, memory, Buffer.alloc(24, "x").fill(byte, at, at + 1))),
      ),
  },
  {
    kernels: ["unescapeText"],
    title: "escapes, code units, pairs of surrogates and lone ones",
    run: (kernels, memory) =>
      [
        "",
        "abc",
        '\\"\\\\\\/\\b\\f\\n\\r\\t',
        "\\u0041\\u00e9\\u8a9e",
        "\\ud83d\\ude00",
        "\\ud83dx",
        "\\ude00\\ud83d",
      ].map((raw) => meaning(kernels, memory, raw)),
    expected: ["", "abc", '"\\/\b\f\n\r\t', "Aé語", "😀", "\ufffdx", "\ufffd\ufffd"],
  },
  {
    kernels: ["plainText", "unescapeText"],
    title: `random strings, seed ${SEED}`,
    run(kernels, memory) {
      const raws = randomStrings(seeded(SEED));
      return raws.map((raw) => [plain(kernels, memory, `${raw}"`), meaning(kernels, memory, raw)]);
    },
  },
];
