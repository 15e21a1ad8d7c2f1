import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

/** Input and the terms that Elasticsearch's `standard` analyzer makes of it (asked of OpenSearch 2.19, Lucene 9.12). */
export const STANDARD_GOLDEN: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  ["The QUICK brown-fox", ["the", "quick", "brown", "fox"]],
  ["don't O'Neil's 'quoted'", ["don't", "o'neil's", "quoted"]],
  ["example.com/a.b.c?x=1.2.3", ["example.com", "a.b.c", "x", "1.2.3"]],
  ["1,000.50;7 3,a a,3", ["1,000.50;7", "3", "a", "a", "3"]],
  ["a:b 1:2 a:1 std::vector", ["a:b", "1", "2", "a", "1", "std", "vector"]],
  [
    "a.1 1.a v1.2 x86_64 snake_case _lead trail_",
    ["a", "1", "1", "a", "v1.2", "x86_64", "snake_case", "_lead", "trail_"],
  ],
  ["_ __ ___ a_._b", ["a_", "_b"]],
  ["a..b a.' b'.c", ["a", "b", "a", "b", "c"]],
  ["192.168.0.1 12:30:45.678", ["192.168.0.1", "12", "30", "45.678"]],
  ["foo@bar.com #tag $x {y} [z] <w>", ["foo", "bar.com", "tag", "x", "y", "z", "w"]],
];

function tokens(kernels: Kernels, memory: CaseMemory, text: string): { count: number; terms: string[]; raw: number[] } {
  const source = memory.putText(text);
  const lower = memory.alloc(text.length);
  const entries = memory.alloc(16 * (text.length / 2 + 1));
  const count = kernels.tokenizeStandard(source, text.length, lower, entries, 5);
  const terms: string[] = [];
  for (let i = 0; i < count; i++) {
    const [start, length] = memory.numbers(entries + 16 * i, 2);
    terms.push(Buffer.from(memory.bytes(lower + start, length)).toString());
  }
  return { count, terms, raw: memory.numbers(entries, 4 * Math.max(0, count)) };
}

function golden([text, expected]: readonly [string, readonly string[]]): KernelCase {
  return {
    kernels: ["tokenizeStandard"],
    title: `terms of ${JSON.stringify(text)}`,
    run: (kernels, memory) => tokens(kernels, memory, text).terms,
    expected,
  };
}

const ALPHABET = "aaaZz0099___..'',;: -\n/aB3";

export const tokenizeCases: KernelCase[] = [
  ...STANDARD_GOLDEN.map(golden),
  {
    kernels: ["tokenizeStandard"],
    title: "a byte that is not ASCII ends it with -1, wherever it stands",
    run: (kernels, memory) =>
      ["é", "abc é", `${"x ".repeat(40)}é`].map((text) =>
        kernels.tokenizeStandard(
          memory.putText(text),
          Buffer.byteLength(text),
          memory.alloc(200),
          memory.alloc(2000),
          0,
        ),
      ),
    expected: [-1, -1, -1],
  },
  {
    kernels: ["tokenizeStandard"],
    title: "tokens longer than 255 are cut, a joiner at the cut falls out",
    run: (kernels, memory) =>
      [
        `${"a".repeat(600)} b`,
        `${"a".repeat(255)}'b`,
        `${"a".repeat(254)}'b`,
        `${"_".repeat(300)}a`,
        "_".repeat(600),
      ].map((text) => tokens(kernels, memory, text).terms.map((term) => term.length)),
    expected: [[255, 255, 90, 1], [255, 1], [254, 1], [255], []],
  },
  {
    kernels: ["tokenizeStandard"],
    title: "runs across the 64-byte blocks",
    run: (kernels, memory) =>
      [60, 61, 62, 63, 64, 65, 127, 128, 129].flatMap(
        (pad) => tokens(kernels, memory, `${" ".repeat(pad)}it's 1,5 x`).terms,
      ),
  },
  {
    kernels: ["tokenizeStandard"],
    title: `random text of words, digits and joiners, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      return Array.from({ length: 200 }, () => {
        const length = Math.floor(random() * 300);
        const text = Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join("");
        return tokens(kernels, memory, text);
      });
    },
  },
  {
    kernels: ["tokenizeStandard"],
    title: `random long runs with rare gaps, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + 1);
      return Array.from({ length: 20 }, () => {
        const text = Array.from({ length: 2000 }, () =>
          random() < 0.003 ? " " : "a.b_'"[Math.floor(random() * 5)],
        ).join("");
        return tokens(kernels, memory, text);
      });
    },
  },
];
