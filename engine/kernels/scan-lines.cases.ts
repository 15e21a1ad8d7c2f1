import type { Kernels } from "./kernels.js";
import {
  CLASS,
  CLASS_BYTES,
  CLASSES,
  FIRST_ROW,
  OUTCOME,
  SCAN,
  SCAN_BYTES,
  SCANNED,
  UNSURE_LINE,
} from "./scan-lines.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

// An automaton for lines with "ab" or an "a" at their end; nothing matches behind "#", and "?" leaves it unsure.
const COLUMN = { a: 0, b: 4, other: 8, feed: 12, looks: 16, returned: 20, hash: 24, question: 28 };
const ROW_BYTES = 32;
const BEGIN = FIRST_ROW;
const AFTER_A = FIRST_ROW + ROW_BYTES;
const ROWS: Record<number, number[]> = {
  [BEGIN]: [AFTER_A, BEGIN, BEGIN, BEGIN, OUTCOME.looks, BEGIN, OUTCOME.dead, OUTCOME.unsure],
  [AFTER_A]: [AFTER_A, OUTCOME.match, BEGIN, OUTCOME.match, OUTCOME.looks, BEGIN, OUTCOME.dead, OUTCOME.unsure],
};
const MAX_LINES = 64;

interface Options {
  literal?: { text: string; folds: number[]; whole: 0 | 1 };
  /** Bytes of each class, and their places. */
  classes?: { bytes: string; offset: number }[];
  capacity?: number;
  /** Transitions that are there from the begin on. */
  known?: "all" | "none";
}

/** Scans to the end, filling in what is wanted. Returns lines, and what was wanted in turn. */
function scan(kernels: Kernels, memory: CaseMemory, text: string | Uint8Array, options: Options = {}) {
  const struct = memory.alloc(SCAN_BYTES);
  const set = (name: keyof typeof SCAN, value: number) => memory.view.setUint32(struct + SCAN[name], value, true);
  const get = (name: keyof typeof SCAN) => memory.view.getUint32(struct + SCAN[name], true);
  const bytes = typeof text === "string" ? new Uint8Array(Buffer.from(text)) : text;
  set("text", memory.put(bytes));
  set("length", bytes.length);
  set("state", BEGIN);
  set("first", BEGIN);
  set("feed", COLUMN.feed);
  set("returned", COLUMN.returned);
  set("table", table(memory, options.known ?? "none"));
  set("columns", columns(memory));
  set("lines", memory.alloc(8 * MAX_LINES));
  const { literal, classes } = options;
  if (classes !== undefined) {
    set("classes", classesOf(memory, classes));
    set("classesLength", 1 + Math.max(...classes.map(({ offset }) => offset)));
  }
  if (literal !== undefined) {
    set("literal", memory.putText(literal.text));
    set("literalLength", literal.text.length);
    set("folds", memory.put(Uint8Array.from(literal.folds)));
    set("rare", literal.text.length - 1);
    set("whole", literal.whole);
  }
  const lines: string[] = [];
  const wanted: number[][] = [];
  for (;;) {
    set("capacity", options.capacity ?? MAX_LINES);
    const status = kernels.scanLines(struct);
    if (status === SCANNED.wantsState) {
      wanted.push([get("at"), get("state"), get("column")]);
      const entry = ROWS[get("state")][get("column") / 4];
      memory.view.setUint32(get("table") + get("state") + get("column"), entry, true);
      continue;
    }
    for (let i = 0; i < get("found"); i++) {
      const end = memory.view.getUint32(get("lines") + 8 * i + 4, true);
      const place = `${memory.view.getUint32(get("lines") + 8 * i, true)}-${end & ~UNSURE_LINE}`;
      lines.push((end & UNSURE_LINE) === 0 ? place : `${place}?`);
    }
    set("found", 0);
    if (status === SCANNED.done) return { lines, wanted };
  }
}

/** Every byte with a bit of its upper half (two halves share one): some bytes are taken for others. */
function classesOf(memory: CaseMemory, classes: NonNullable<Options["classes"]>): number {
  const address = memory.alloc(CLASSES * CLASS_BYTES);
  for (let i = 0; i < CLASSES; i++) {
    const { bytes, offset } = classes[i % classes.length];
    const at = address + CLASS_BYTES * i;
    for (const byte of Buffer.from(bytes)) {
      const bit = 1 << ((byte >>> 4) & 7);
      for (const place of [at + CLASS.low + (byte & 15), at + CLASS.high + (byte >>> 4)]) {
        memory.view.setUint8(place, memory.view.getUint8(place) | bit);
      }
    }
    memory.view.setUint32(at + CLASS.offset, offset, true);
  }
  return address;
}

function table(memory: CaseMemory, known: "all" | "none"): number {
  const address = memory.alloc(FIRST_ROW + 2 * ROW_BYTES);
  for (const [row, entries] of Object.entries(ROWS)) {
    entries.forEach((entry, i) => {
      const there = known === "all" || entry === OUTCOME.looks;
      memory.view.setUint32(address + Number(row) + 4 * i, there ? entry : OUTCOME.wanted, true);
    });
  }
  return address;
}

function columns(memory: CaseMemory): number {
  const named: Record<string, number> = {
    a: COLUMN.a,
    b: COLUMN.b,
    "\n": COLUMN.feed,
    "\r": COLUMN.looks,
    "#": COLUMN.hash,
    "?": COLUMN.question,
  };
  const address = memory.alloc(512);
  for (let byte = 0; byte < 256; byte++) {
    memory.view.setUint16(address + 2 * byte, named[String.fromCharCode(byte)] ?? COLUMN.other, true);
  }
  return address;
}

const TEXTS = [
  "",
  "\n",
  "ab",
  "ab\n",
  "a",
  "a\r",
  "a\r\n",
  "x\n\nxxab\r\na#\n#ab\nab#",
  "?\nab?\n",
  "xxa\n#\n\nba",
  "\r\n\r\r\na\r\na",
];

export const scanLinesCases: KernelCase[] = [
  {
    kernels: ["scanLines"],
    title: "line ends of all kinds, at the end of a text too",
    run: (kernels, memory) => TEXTS.map((text) => scan(kernels, memory, text).lines),
    expected: [
      [],
      [],
      ["0-2"],
      ["0-2"],
      ["0-1"],
      [],
      ["0-1"],
      ["3-7", "16-19"],
      ["0-1?", "2-5"],
      ["0-3", "7-9"],
      ["5-6", "8-9"],
    ],
  },
  {
    kernels: ["scanLines"],
    title: "stops where a transition is wanted and goes on from there, also behind the last byte",
    run: (kernels, memory) => TEXTS.map((text) => scan(kernels, memory, text).wanted),
  },
  {
    kernels: ["scanLines"],
    title: "stops when there is no room for a line",
    run: (kernels, memory) => scan(kernels, memory, "ab\nab\nx\nab", { capacity: 1, known: "all" }).lines,
    expected: ["0-2", "3-5", "8-10"],
  },
  {
    kernels: ["scanLines"],
    title: "reads only lines that have the literal, in either case where it may be",
    run: (kernels, memory) =>
      ["ab\nKey ab\nkeY#ab\nxkey\r\nke", "kekey a\nkekekey\r", "key", "ke"].flatMap((text) => [
        scan(kernels, memory, text, { literal: { text: "key", folds: [32, 32, 32], whole: 0 } }),
        scan(kernels, memory, text, { literal: { text: "key", folds: [32, 0, 32], whole: 1 } }).lines,
      ]),
  },
  {
    kernels: ["scanLines"],
    title: "reads only lines that have the row of classes, wherever it is",
    run: (kernels, memory) => {
      const classes = [
        { bytes: "0123456789é", offset: 3 },
        { bytes: "ab", offset: 0 },
      ];
      const found: string[] = [];
      for (let before = 0; before < 70; before++) {
        const text = `ab3\n${"x".repeat(before)}ab 7\nab-xx7\nabc\u00e9`;
        found.push(scan(kernels, memory, text, { classes }).lines.join());
      }
      const short = ["", "ab", "ab3", "ab?3", "a\nb3a1"].map((text) => scan(kernels, memory, text, { classes }).lines);
      return [...new Set(found.map((lines) => lines.split(",").length)), found[20], ...short];
    },
    expected: [2, "4-28,36-41", [], [], [], ["0-4"], ["0-1"]],
  },
  {
    kernels: ["scanLines"],
    title: "finds a long literal anywhere, and no text that differs from it in one byte",
    run: (kernels, memory) => {
      const wanted = "#include <a/slab.h>";
      const literal = { text: wanted.toLowerCase(), folds: [...wanted].map(letterFold), whole: 1 } as const;
      const found: number[][] = [];
      // Before it lie lines with its rare byte, behind it too little for a whole vector.
      for (let before = 0; before < 140; before += 3) {
        const text = `${"x>\n".repeat(before / 3)}${wanted.toUpperCase()}\n`;
        found.push(scan(kernels, memory, text, { literal }).lines.map(lineBegin));
      }
      for (let differs = 0; differs < wanted.length; differs++) {
        const other = `${wanted.slice(0, differs)}?${wanted.slice(differs + 1)}`;
        found.push(scan(kernels, memory, `${other}\n${wanted}`, { literal }).lines.map(lineBegin));
      }
      return found.flat();
    },
    expected: [...Array.from({ length: 47 }, (_, lines) => 3 * lines), ...Array.from({ length: 19 }, () => 20)],
  },
  {
    kernels: ["countFeeds"],
    title: "line feeds of short, long and empty texts, more than 255 in a lane",
    run: (kernels, memory) =>
      ["", "\n", "a\nb", "x".repeat(40), "\n".repeat(17), "\n".repeat(9000), `${"a\n".repeat(40)}b`].map((text) =>
        kernels.countFeeds(memory.putText(text), text.length),
      ),
    expected: [0, 1, 1, 0, 17, 9000, 40],
  },
  {
    kernels: ["scanLines"],
    title: `random texts, with and without a literal, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const letters = "aabb xyz\n\n\r#?";
      return Array.from({ length: 200 }, () => {
        const text = Array.from({ length: random() * 200 }, () => letters[Math.floor(random() * letters.length)]).join(
          "",
        );
        const literal = {
          text: random() < 0.5 ? "b" : "a y",
          folds: [0, 0, 0],
          whole: random() < 0.3 ? 1 : 0,
        } as const;
        return scan(kernels, memory, text, random() < 0.5 ? {} : { literal: { ...literal, folds: [0, 0, 0] } });
      });
    },
  },
];

function letterFold(character: string): number {
  return /[a-z]/i.test(character) ? 32 : 0;
}

function lineBegin(line: string): number {
  return Number.parseInt(line, 10);
}
