/** A scanner over memory of its own, for tests. */
import { loadKernels, twinKernels } from "../../kernels/load.js";
import { RESERVED_BYTES } from "../../kernels/memory.js";
import { compileLinePattern, type PatternOptions } from "../line-pattern.js";
import { LineScanner, SCANNER_BYTES } from "../line-scanner.js";

const PAGES = 64;
const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
const u8 = new Uint8Array(memory.buffer);
const u32 = new Uint32Array(memory.buffer);
const kernels = { kernel: loadKernels(memory), twin: twinKernels(memory) };
const TEXT = RESERVED_BYTES + SCANNER_BYTES;

/** Options of a pattern, the rest as it is by default. */
export function patternOf(pattern: string, more: Partial<PatternOptions> = {}): PatternOptions {
  return { pattern, syntax: "regex", caseInsensitive: false, wholeWord: false, extent: "line", ...more };
}

/** Where matching lines are, as [begin, end] without what ends them. */
export function matchingLines(
  text: Uint8Array,
  options: PatternOptions,
  {
    which = "kernel",
    bytes = SCANNER_BYTES,
    most = 7,
  }: { which?: "kernel" | "twin"; bytes?: number; most?: number } = {},
): [number, number][] {
  const scanner = new LineScanner(compileLinePattern(options), {
    kernels: kernels[which],
    u8: () => u8,
    u32: () => u32,
    address: RESERVED_BYTES,
    bytes,
  });
  u8.fill(0, TEXT, TEXT + text.length + 16);
  u8.set(text, TEXT);
  scanner.begin(TEXT, text.length);
  const found = { begins: [], ends: [] } as { begins: number[]; ends: number[] };
  while (scanner.next(found, most));
  return found.begins.map((begin, i) => [begin, found.ends[i]]);
}

/** All lines of a text: [begin, end] without the line feed and a carriage return before it. */
export function linesOf(text: Uint8Array): [number, number][] {
  const lines: [number, number][] = [];
  for (let begin = 0; begin < text.length; ) {
    const feed = text.indexOf(0x0a, begin);
    const end = feed < 0 ? text.length : feed;
    lines.push([begin, feed > begin && text[feed - 1] === 0x0d ? end - 1 : end]);
    begin = end + 1;
  }
  return lines;
}
