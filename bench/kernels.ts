/**
 * Question: what do the WebAssembly kernels buy over their plain TypeScript twins? Same bytes, same calls, in turn;
 * median of the ratios. Each pair first checks that both give the same answer.
 */
import type { Kernels } from "../engine/kernels/kernels.js";
import { loadKernels, twinKernels } from "../engine/kernels/load.js";
import { compileLinePattern, LineScanner, SCANNER_BYTES } from "../engine/regex/index.js";
import { Arena } from "../engine/store/arena.js";
import { logSource } from "./corpus/logs.js";
import { randomNumbers } from "./random.js";
import { median, printTable } from "./statistics.js";

const ROUNDS = 9;
const PAGE = 65_536;
const INPUT = PAGE;
const LOWER = 4 * 1024 * 1024;
const TOKENS = 8 * 1024 * 1024;
const ARENA_BYTES = 64 * 1024 * 1024;

type SharedMemory = Arena["memory"];

interface Task {
  name: string;
  unit: string;
  /** How much one run works on, in the unit. */
  amount: number;
  run(kernels: Kernels): number;
}

export async function benchKernels(): Promise<void> {
  const { memory } = Arena.create(ARENA_BYTES);
  const kernel = loadKernels(memory);
  const twin = twinKernels(memory);
  printTable(
    "kernel against twin",
    tasks(memory).map((task) => compare(task, kernel, twin)),
  );
}

function compare(task: Task, kernel: Kernels, twin: Kernels): Record<string, string | number> {
  if (task.run(kernel) !== task.run(twin)) throw new Error(`${task.name}: kernel and twin disagree`);
  const kernelSeconds: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const fast = seconds(() => task.run(kernel));
    const plain = seconds(() => task.run(twin));
    kernelSeconds.push(fast);
    ratios.push(plain / fast);
  }
  return { task: task.name, [task.unit]: task.amount / median(kernelSeconds), "times faster": median(ratios) };
}

function seconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function tasks(memory: SharedMemory): Task[] {
  const bytes = new Uint8Array(memory.buffer);
  const text = Buffer.from(sampleText(1_000_000));
  bytes.set(text, INPUT);
  const values = new Uint32Array(memory.buffer, LOWER, 128);
  const random = randomNumbers(11);
  const fillValues = () =>
    values.forEach((_, i) => {
      values[i] = Math.floor(random() * 4000);
    });
  const blocks = 20_000;
  const perSecond = "per second";
  return [
    {
      name: "tokenise and hash, bytes",
      unit: perSecond,
      amount: text.length,
      run: (k) => k.tokenizeStandard(INPUT, text.length, LOWER, TOKENS, 0),
    },
    { name: "CRC32C, bytes", unit: perSecond, amount: text.length, run: (k) => k.crc32c(INPUT, text.length, 0) },
    {
      name: "pack and unpack blocks of 128, values",
      unit: perSecond,
      amount: blocks * 128,
      run: (k) => {
        fillValues();
        for (let i = 0; i < blocks; i++) {
          k.pack128(LOWER, 12, LOWER + 1024);
          k.unpack128(LOWER + 1024, 12, LOWER + 4096);
        }
        return new Uint32Array(memory.buffer, LOWER + 4096, 128).reduce(
          (sum, value, i) => sum + (value === values[i] ? 1 : 0),
          0,
        );
      },
    },
    {
      name: "decode and score blocks of 128, postings",
      unit: perSecond,
      amount: blocks * 128,
      run: (k) => scoreBlocks(k, memory, blocks),
    },
    {
      name: "LZ4 compress, bytes",
      unit: perSecond,
      amount: text.length,
      run: (k) => k.lz4Compress(INPUT, text.length, TOKENS, LOWER),
    },
    scanTask(memory, text.length),
  ];
}

/** Lines that end with a number of three digits or more, by a table that was filled before. */
function scanTask(memory: SharedMemory, length: number): Task {
  const scanners = new Map<Kernels, LineScanner>();
  return {
    name: "lines that a pattern matches, no literal in it, bytes",
    unit: "per second",
    amount: length,
    run: (kernels) => {
      const views = { u8: () => new Uint8Array(memory.buffer), u32: () => new Uint32Array(memory.buffer) };
      const place = { kernels, ...views, address: LOWER, bytes: SCANNER_BYTES };
      const options = { syntax: "regex", caseInsensitive: false, wholeWord: false, extent: "line" } as const;
      const pattern = compileLinePattern({ pattern: "[a-z][0-9]{3}$", ...options });
      const scanner = scanners.get(kernels) ?? new LineScanner(pattern, place);
      scanners.set(kernels, scanner);
      const found = { begins: [], ends: [] };
      scanner.begin(INPUT, length);
      scanner.next(found, Number.POSITIVE_INFINITY);
      return found.begins.length;
    },
  };
}

function sampleText(bytes: number): string {
  const next = logSource(5);
  let text = "";
  while (text.length < bytes) text += `${next().message}\n`;
  return text.slice(0, bytes);
}

/** Unpacks gaps and frequencies, sums the gaps, adds the scores of 2,048-document windows. */
function scoreBlocks(kernels: Kernels, memory: SharedMemory, blocks: number): number {
  const base = LOWER;
  const docs = base + 8192;
  const freqs = docs + 512;
  const normInverse = freqs + 512;
  const accumulators = normInverse + 1024;
  const marks = accumulators + 2048 * 8;
  new Uint32Array(memory.buffer, base, 128).fill(9);
  new Float32Array(memory.buffer, normInverse, 256).fill(0.4);
  new Float64Array(memory.buffer, accumulators, 2048).fill(0);
  kernels.pack128(base, 4, base + 1024);
  for (let i = 0; i < blocks; i++) {
    kernels.unpack128(base + 1024, 4, docs);
    kernels.unpack128(base + 1024, 4, freqs);
    kernels.prefixSum128(docs, 0);
    kernels.scoreBlock({
      docs,
      freqs,
      from: 0,
      count: 128,
      windowBase: 0,
      windowEnd: 2048,
      norms: 0,
      normInverse,
      weight: 2.5,
      accumulators,
      marks,
    });
  }
  return new Float64Array(memory.buffer, accumulators, 2048).reduce((sum, value) => sum + value, 0);
}
