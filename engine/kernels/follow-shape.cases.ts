import { Followed, FollowState, PROGRAM_SLOT_BYTES, SEVERAL, SlotKind, VALUE_BYTES } from "./follow-shape.js";
import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

/** A slot of a test's shape; `value` of field 2n or 2n + 1 as noteValues counts. */
interface Slot {
  literal: string;
  kind: number;
  value?: number;
  column?: number;
}

/** Records of one document: [field, term (or text), long or double]. */
type Values = readonly (readonly [number, string | bigint | number])[];

const STAMP = 7;
const FIELDS = 8;

function program(memory: CaseMemory, slots: readonly Slot[], last: string): number {
  const literals = Buffer.from(slots.map(({ literal }) => literal).join("") + last, "latin1");
  const address = memory.alloc(8 + PROGRAM_SLOT_BYTES * slots.length + literals.length);
  const words = [slots.length];
  for (const { literal, kind, value = 0, column = 0 } of slots) words.push(literal.length, kind, value, column);
  words.push(last.length);
  memory.u32.set(words, address / 4);
  memory.u8.set(literals, address + 4 * words.length);
  return address;
}

function records(memory: CaseMemory, values: Values): { start: number; end: number } {
  const start = memory.alloc(4096);
  let at = start;
  for (const [field, value] of values) {
    const bytes = typeof value === "string" ? Buffer.from(value, "latin1") : Buffer.alloc(0);
    const size = typeof value === "string" ? 8 + Math.ceil((4 + bytes.length) / 4) * 4 : 16;
    const kind = typeof value === "string" ? 2 : typeof value === "bigint" ? 3 : 4;
    memory.u32.set([(field << 8) | kind, size], at / 4);
    if (typeof value === "string") {
      memory.u32[at / 4 + 2] = bytes.length;
      memory.u8.set(bytes, at + 12);
    } else if (typeof value === "bigint") memory.view.setBigInt64(at + 8, value, true);
    else memory.view.setFloat64(at + 8, value, true);
    at += size;
  }
  return { start, end: at };
}

/** What came of it: the result, and unless it is no: slot, place in the document, and what was kept. */
function follow(
  kernels: Kernels,
  memory: CaseMemory,
  { slots, last, values, document }: { slots: readonly Slot[]; last: string; values: Values; document: string },
): (number | string)[] {
  const table = memory.alloc(2 * VALUE_BYTES * FIELDS);
  const { start, end } = records(memory, values);
  kernels.noteValues(start, end, table, STAMP);
  const address = program(memory, slots, last);
  const bytes = Buffer.from(document, "latin1");
  const at = memory.put(bytes);
  const out = memory.alloc(bytes.length + 16);
  const literal = address + 8 + PROGRAM_SLOT_BYTES * slots.length;
  const state = memory.putU32([address, 0, literal, at, at + bytes.length, out, table, STAMP]);
  const result = kernels.followShape(state);
  if (result === Followed.no) return [result];
  const get = (field: number) => memory.u32[(state + field) / 4];
  const kept = Buffer.from(memory.u8.slice(out, get(FollowState.out))).toString("latin1");
  return [result, get(FollowState.slot), get(FollowState.at) - at, get(FollowState.literal) - literal, kept];
}

const LOG: readonly Slot[] = [
  { literal: '{"n":', kind: SlotKind.long, value: 3 },
  { literal: ',"k":"', kind: SlotKind.term, value: 4 },
  { literal: '","text":"', kind: SlotKind.text },
  { literal: '","f":', kind: SlotKind.boolean, value: 7 },
  { literal: ',"x":', kind: SlotKind.value },
];
const LOG_VALUES: Values = [
  [1, 42n],
  [2, "key"],
  [3, "T"],
  [3, 1n],
];

/** A document of the shape LOG, and others nearly like it. */
const DOCUMENTS: Record<string, [document: string, expected: (number | string)[]]> = {
  "the shape": [
    '{"n":42,"k":"key","text":"a \\"b\\" \\\\","f":true,"x":1.50}',
    [1, 5, 56, 33, 'a \\"b\\" \\\\\u00001.50\u0000'],
  ],
  "another number": ['{"n":43,"k":"key","text":"","f":true,"x":1}', [0]],
  "the number as a fraction": ['{"n":42.0,"k":"key","text":"","f":true,"x":1}', [0]],
  "another term": ['{"n":42,"k":"kex","text":"","f":true,"x":1}', [0]],
  "a longer term": ['{"n":42,"k":"key2","text":"","f":true,"x":1}', [0]],
  "a space more": ['{"n": 42,"k":"key","text":"","f":true,"x":1}', [0]],
  "the other truth": ['{"n":42,"k":"key","text":"","f":false,"x":1}', [0]],
  "something behind it": ['{"n":42,"k":"key","text":"","f":true,"x":1} ', [0]],
  "its end missing": ['{"n":42,"k":"key","text":"","f":true,"x":1', [0]],
  "a string without end": ['{"n":42,"k":"key","text":"abc', [0]],
  "a string that ends with a backslash": ['{"n":42,"k":"key","text":"abc\\', [0]],
  "a control byte in a string": ['{"n":42,"k":"key","text":"a\nb","f":true,"x":1}', [0]],
  "no value at all": ['{"n":42,"k":"key","text":"","f":true,"x":}', [0]],
  nothing: ["", [0]],
  "an object where a number was": ['{"n":42,"k":"key","text":"","f":true,"x":{"y":1}}', [2, 4, 41, 32, "\u0000"]],
};

const shapeCases = Object.entries(DOCUMENTS).map(
  ([title, [document, expected]]): KernelCase => ({
    kernels: ["noteValues", "followShape"],
    title: `shape of a log document: ${title}`,
    run: (kernels, memory) => follow(kernels, memory, { slots: LOG, last: "}", values: LOG_VALUES, document }),
    expected,
  }),
);

/** One slot printed from field 1, its text, and whether the value prints it. */
function printed(kind: number, value: bigint | string, text: string): (kernels: Kernels, memory: CaseMemory) => number {
  return (kernels, memory) => {
    const slots = [{ literal: '"', kind, value: typeof value === "string" ? 2 : 3 }];
    return follow(kernels, memory, { slots, last: '"', values: [[1, value]], document: `"${text}"` })[0] as number;
  };
}

const LONGS = [0n, 1n, -1n, 9n, 10n, 4294967296n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n), 1700000000123n];
const LONG_TEXTS = [
  "-0",
  "00",
  "01",
  "-",
  "",
  "1e0",
  "9223372036854775808",
  "18446744073709551616",
  "99999999999999999999",
];
const mapped = (a: number, b: number, c: number, d: number) =>
  String.fromCharCode(...new Array(10).fill(0), 255, 255, a, b, c, d);
const ADDRESS_TEXTS = [
  "10.0.0.1",
  "10.0.0.10",
  "010.0.0.1",
  "10.0.0",
  "10.0.0.1.",
  "255.255.255.255",
  "10.0.0.256",
  "::1",
];
const DATES = [
  0, 1, 951_782_400_000, 1_700_000_000_123, -1, -62_167_219_200_000, -62_167_219_200_001, 253_402_300_799_999,
  253_402_300_800_000,
];
const STYLES = [0, 1, 2, 5, 6, 9, 10, 13, 17, 18, 22];

/** How a date is written in a style, if it is. */
function dateText(millis: number, style: number): string {
  const iso = new Date(millis).toISOString();
  const zone = style & 8 ? "Z" : style & 16 ? "+00:00" : "";
  const time = (style & 3) === 0 ? "" : (style & 4 ? " " : "T") + iso.slice(11, (style & 3) === 1 ? 19 : 23) + zone;
  return iso.slice(0, 10) + time;
}

export const followShapeCases: KernelCase[] = [
  ...shapeCases,
  {
    kernels: ["noteValues", "followShape"],
    title: "whole numbers are what they print, and nothing else",
    run: (kernels, memory) =>
      LONGS.map((value) =>
        [...LONGS.map(String), ...LONG_TEXTS].map((text) => printed(SlotKind.long, value, text)(kernels, memory)),
      ),
    expected: LONGS.map((value) =>
      [...LONGS.map(String), ...LONG_TEXTS].map((text) => (String(value) === text ? 1 : 0)),
    ),
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "addresses: dotted IPv4, others are left to the caller",
    run: (kernels, memory) =>
      [mapped(10, 0, 0, 1), mapped(255, 255, 255, 255), `${"\u0000".repeat(15)}\u0001`].map((value) =>
        ADDRESS_TEXTS.map((text) => printed(SlotKind.address, value, text)(kernels, memory)),
      ),
    expected: [
      ADDRESS_TEXTS.map((text) => (text === "10.0.0.1" ? 1 : 0)),
      ADDRESS_TEXTS.map((text) => (text === "255.255.255.255" ? 1 : 0)),
      ADDRESS_TEXTS.map(() => 2),
    ],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "dates in all styles, years of four digits",
    run: (kernels, memory) =>
      DATES.flatMap((value) =>
        STYLES.map((style) => printed(SlotKind.date + style, BigInt(value), dateText(value, style))(kernels, memory)),
      ),
    expected: DATES.flatMap((value) =>
      STYLES.map(() => (value >= -62_167_219_200_000 && value < 253_402_300_800_000 ? 1 : 0)),
    ),
  },
  {
    kernels: ["noteValues", "followShape"],
    title: `dates of other moments and other texts, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      return Array.from({ length: 300 }, () => {
        const value = Math.floor((random() * 2 - 0.5) * 1e14);
        const style = STYLES[Math.floor(random() * STYLES.length)];
        const other = random() < 0.5 ? value : value + Math.floor(random() * 3 - 1) * (random() < 0.5 ? 1 : 86_400_000);
        return [
          value,
          other,
          style,
          printed(SlotKind.date + style, BigInt(value), dateText(other, style))(kernels, memory),
        ];
      });
    },
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "a kept slot that a column may print is left to the caller while the column has a value",
    run: (kernels, memory) =>
      [0, 3, 4, 5, SEVERAL].map((column) => {
        const slots = [{ literal: '"', kind: SlotKind.text, column }];
        return follow(kernels, memory, { slots, last: '"', values: [[1, "a"]], document: '"a"' })[0];
      }),
    expected: [1, 2, 1, 1, 2],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "a field with several values, or none, prints nothing; kinds that are not done here are left to the caller",
    run: (kernels, memory) => {
      const one = (kind: number, value: number, values: Values, document = '"a"') =>
        follow(kernels, memory, { slots: [{ literal: '"', kind, value }], last: '"', values, document })[0];
      return [
        one(SlotKind.term, 2, [
          [1, "a"],
          [1, "a"],
        ]),
        one(SlotKind.term, 4, [[1, "a"]]),
        one(SlotKind.term, 2, [
          [1, "a"],
          [1, 1n],
        ]),
        ...[SlotKind.doubles, SlotKind.double, SlotKind.epochSeconds, SlotKind.jsonTexts].map((kind) =>
          one(kind, 2, [[1, "a"]]),
        ),
      ];
    },
    expected: [0, 0, 1, 2, 2, 2, 2],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "lists are printed where the document has them in the order of the column",
    run: (kernels, memory) => {
      const slots = [
        { literal: '{"b":[', kind: SlotKind.terms, value: 2 },
        { literal: '],"l":[', kind: SlotKind.longs, value: 5 },
      ];
      const of = (document: string, values: Values) =>
        follow(kernels, memory, { slots, last: "]}", values, document }).slice(0, 2);
      const single: Values = [
        [1, "main"],
        [2, -42n],
      ];
      return [
        of('{"b":["main"],"l":[-42]}', single),
        of('{"b":["main"],"l":[-43]}', single),
        of('{"b":["mains"],"l":[-42]}', single),
        of('{"b":["main],"l":[-42]}', single),
        of('{"b":[main],"l":[-42]}', single),
        of('{"b":["main"],"l":[-42,1]}', single),
        of('{"b":[', single),
        of('{"b":["main"', single),
        of('{"b":["main"],"l":[-42,1]}', [...single, [2, 1n]]),
        of('{"b":["main"],"l":[-42,-42]}', [...single, [2, -42n]]),
        of('{"b":["main"],"l":[-42,-43]}', [...single, [2, -43n]]),
        of('{"b":["main"],"l":[-42]}', [...single, [2, 1n]]),
        of('{"b":["main","x"],"l":[-42]}', [...single, [1, "x"]]),
        of('{"b":["main" "x"],"l":[-42]}', [...single, [1, "x"]]),
        of('{"b":["main","mainz"],"l":[-42]}', [...single, [1, "mainz"]]),
        of('{"b":["main","mai"],"l":[-42]}', [...single, [1, "mai"]]),
        of('{"b":["main","main"],"l":[-42]}', [...single, [1, "main"]]),
        of('{"b":["main","a"],"l":[-42]}', [...single, [1, "a"]]),
        of('{"b":[],"l":[-42]}', [[2, -42n]]),
      ];
    },
    expected: [
      ...[[1, 2], [0], [0], [0], [0], [0], [0], [0]],
      ...[[1, 2], [1, 2], [0], [0]],
      ...[[1, 2], [0], [1, 2], [0], [0], [0], [0]],
    ],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "a kept array is passed over whole, unless its column prints it after all",
    run: (kernels, memory) => {
      const of = (document: string, column: number, values: Values, list: number = SlotKind.terms) => {
        const slots = [{ literal: "[", kind: SlotKind.items, column, value: list }];
        return follow(kernels, memory, { slots, last: "]", values, document });
      };
      return [
        of('["b","a"]', 0, []),
        of('[{"x":["]"]},[1]]', 0, []),
        of("[]", 0, []),
        of('["a]', 0, []),
        of("[[1]", 0, []),
        of('["b","a"]', 3, []),
        of('["b","a"]', 3, [
          [1, "b"],
          [1, "a"],
        ]),
        of('["a","b"]', 3, [
          [1, "a"],
          [1, "b"],
        ]).slice(0, 1),
        of(
          "[2,1]",
          4,
          [
            [1, 2n],
            [1, 1n],
          ],
          SlotKind.longs,
        ),
        of(
          "[1,2]",
          4,
          [
            [1, 1n],
            [1, 2n],
          ],
          SlotKind.longs,
        ).slice(0, 1),
        of("[1]", 4, [[1, 1n]], 0).slice(0, 1),
        of("[1]", SEVERAL, []).slice(0, 1),
      ];
    },
    expected: [
      [1, 1, 9, 2, '"b","a"\u0000'],
      [1, 1, 17, 2, '{"x":["]"]},[1]\u0000'],
      [1, 1, 2, 2, "\u0000"],
      ...[[0], [0]],
      [1, 1, 9, 2, '"b","a"\u0000'],
      [1, 1, 9, 2, '"b","a"\u0000'],
      [0],
      [1, 1, 5, 2, "2,1\u0000"],
      ...[[0], [2], [2]],
    ],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: `texts escaped as JSON.stringify does it, and otherwise, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + 2);
      const texts = Array.from({ length: 120 }, (_, length) =>
        Array.from({ length }, () =>
          random() < 0.8 ? String.fromCharCode(97 + random() * 26) : String.fromCharCode(random() * 256),
        ).join(""),
      );
      return texts.map((text) => {
        const json = JSON.stringify(text).slice(1, -1);
        const written = [
          json,
          json.slice(0, -1),
          `${json}x`,
          json.replace("\\n", "\\u000a"),
          json.replace(/[a-y]/, "z"),
        ];
        return written.map((one) => printed(SlotKind.jsonText, text, one)(kernels, memory));
      });
    },
  },
  {
    kernels: ["noteValues", "followShape"],
    title: "a text is escaped in one way only",
    run: (kernels, memory) =>
      ["\\n", "\\u000a", "\\b", "\\u0001", "\\u001f", "\\u001F", '\\"', "\\\\", "\u007f", "\\/", "/"].map((text, i) =>
        printed(
          SlotKind.jsonText,
          ["\n", "\n", "\b", "\u0001", "\u001f", "\u001f", '"', "\\", "\u007f", "/", "/"][i],
          text,
        )(kernels, memory),
      ),
    expected: [1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1],
  },
  {
    kernels: ["noteValues", "followShape"],
    title: `strings of all lengths with escapes here and there, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + 1);
      return Array.from({ length: 80 }, (_, length) => {
        const pieces = Array.from({ length }, () => (random() < 0.1 ? '\\"' : random() < 0.1 ? "\\\\" : "é"));
        return follow(kernels, memory, {
          slots: [{ literal: '{"a":"', kind: SlotKind.text }],
          last: '"}',
          values: [],
          document: `{"a":"${pieces.join("")}"}`,
        });
      });
    },
  },
];
