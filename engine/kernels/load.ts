/**
 * Brings kernels onto a memory: the compiled module, or its twin in plain TypeScript. Any number of threads may load
 * them onto one shared memory.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "../errors.js";
import { accumulateTerm, accumulateTokens, rebuildTermTable } from "./accumulate.js";
import { crc32cInMemory, writeCrcTables } from "./crc32c.js";
import { decodePositions, decodePostings } from "./decode-postings.js";
import { beginTerm, finishTerm } from "./encode-postings.js";
import { flushTerms } from "./flush-terms.js";
import { hashBytes, hashTokens } from "./hash.js";
import type { Kernels } from "./kernels.js";
import { lz4Compress, lz4Decompress } from "./lz4.js";
import { MemoryViews } from "./memory.js";
import { mergePostings } from "./merge-postings.js";
import { pack128, prefixSum128, unpack128 } from "./pack.js";
import { rangeToBits, rangeToBitsDouble } from "./range.js";
import { scoreBlock } from "./score.js";
import { dot, squaredDistance } from "./similarity.js";
import { sortTerms } from "./sort-terms.js";
import { tokenizeStandard } from "./tokenize.js";

const MAX_U32 = 0xffffffff;

type Exports = Record<string, (...args: number[]) => number>;

let compiled: WebAssembly.Module | undefined;

/** The module lies beside this file in dist/; seen from the source tree it is in dist/engine/kernels. */
function moduleFile(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = [path.join(here, "kernels.wasm"), path.join(here, "../../dist/engine/kernels/kernels.wasm")];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new EngineError("io", `kernels.wasm is in none of ${places.join(", ")}: run "npm run build"`);
  }
  return found;
}

/** The compiled module, for handing to another thread; read and compiled once per thread. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(moduleFile()));
  return compiled;
}

/** The compiled kernels on a shared memory (at least one page, at most 65536). */
export function loadKernels(memory: WebAssembly.Memory): Kernels {
  const instance = new WebAssembly.Instance(kernelModule(), { env: { memory, abort: stop } });
  writeCrcTables(new MemoryViews(memory));
  return bind(instance.exports as unknown as Exports);
}

function stop(): never {
  throw new EngineError("internal", "a kernel stopped: an argument was out of its range");
}

/** Results that are unsigned come out of WebAssembly signed; objects and unions go in as plain numbers. */
function bind(wasm: Exports): Kernels {
  const unsignedRange = { 1: wasm.rangeToBits1, 2: wasm.rangeToBits2, 4: wasm.rangeToBits4 };
  const floatingRange = { 4: wasm.rangeToBitsDouble4, 8: wasm.rangeToBitsDouble8 };
  return {
    tokenizeStandard: wasm.tokenizeStandard,
    hashTokens: wasm.hashTokens,
    hashBytes: (address, length) => wasm.hashBytes(address, length) >>> 0,
    crc32c: (address, length, crc) => wasm.crc32c(address, length, crc) >>> 0,
    lz4Compress: wasm.lz4Compress,
    lz4Decompress: wasm.lz4Decompress,
    pack128: wasm.pack128,
    unpack128: wasm.unpack128,
    prefixSum128: wasm.prefixSum128,
    scoreBlock: (block) => scoreWith(wasm, block),
    rangeToBits: (raw, width, count, low, high, bits) => {
      const largest = 256 ** width - 1;
      const from = Math.max(0, Math.ceil(low));
      const to = Math.min(largest, Math.floor(high));
      // An empty range, said in numbers of this width.
      if (!(from <= to)) unsignedRange[width](raw, count, 1, 0, bits);
      else unsignedRange[width](raw, count, from, to, bits);
    },
    rangeToBitsDouble: (values, width, count, low, high, bits) => floatingRange[width](values, count, low, high, bits),
    dot: wasm.dot,
    squaredDistance: wasm.squaredDistance,
    accumulateTokens: (run) =>
      wasm.accumulateTokens(run.state, run.field, run.tokens, run.text, run.from, run.count, run.doc),
    accumulateTerm: wasm.accumulateTerm,
    rebuildTermTable: wasm.rebuildTermTable,
    sortTerms: wasm.sortTerms,
    flushTerms: (run) => wasm.flushTerms(run.records, run.ids, run.from, run.count, run.encoder, run.rows),
    decodePostings: (block) =>
      wasm.decodePostings(block.data, block.base, block.count, block.withFreqs ? 1 : 0, block.docs, block.freqs),
    decodePositions: wasm.decodePositions,
    beginTerm: wasm.beginTerm,
    finishTerm: wasm.finishTerm,
    mergePostings: wasm.mergePostings,
  };
}

function scoreWith(wasm: Exports, block: Parameters<Kernels["scoreBlock"]>[0]): number {
  return wasm.scoreBlock(
    block.docs,
    block.freqs,
    block.from,
    block.count,
    block.windowBase,
    Math.min(block.windowEnd, MAX_U32),
    block.norms,
    block.normInverse,
    block.weight,
    block.accumulators,
    block.bits,
  );
}

/** The specification of the kernels, in plain TypeScript: what tests compare them with. Slow. */
export function twinKernels(memory: WebAssembly.Memory): Kernels {
  const m = new MemoryViews(memory);
  return {
    tokenizeStandard: (source, length, lower, tokens, firstPosition) =>
      tokenizeStandard(m, source, length, lower, tokens, firstPosition),
    hashTokens: (text, tokens, count) => hashTokens(m, text, tokens, count),
    hashBytes: (address, length) => hashBytes(m, address, length),
    crc32c: (address, length, crc) => crc32cInMemory(m, address, length, crc),
    lz4Compress: (source, length, out, table) => lz4Compress(m, source, length, out, table),
    lz4Decompress: (source, length, out, capacity) => lz4Decompress(m, source, length, out, capacity),
    pack128: (values, width, out) => pack128(m, values, width, out),
    unpack128: (packed, width, out) => unpack128(m, packed, width, out),
    prefixSum128: (values, base) => prefixSum128(m, values, base),
    scoreBlock: (block) => scoreBlock(m, block),
    rangeToBits: (address, width, count, low, high, bits) => rangeToBits(m, { address, width, count, low, high, bits }),
    rangeToBitsDouble: (address, width, count, low, high, bits) =>
      rangeToBitsDouble(m, { address, width, count, low, high, bits }),
    dot: (a, b, dims) => dot(m, a, b, dims),
    squaredDistance: (a, b, dims) => squaredDistance(m, a, b, dims),
    accumulateTokens: (run) => accumulateTokens(m, run),
    accumulateTerm: (state, field, address, length, doc) => accumulateTerm(m, state, field, address, length, doc),
    rebuildTermTable: (state) => rebuildTermTable(m, state),
    sortTerms: (records, ids, count) => sortTerms(m, records, ids, count),
    flushTerms: (run) => flushTerms(m, run),
    decodePostings: (block) => decodePostings(m, block),
    decodePositions: (address, count, out) => decodePositions(m, address, count, out),
    beginTerm: (encoder) => beginTerm(m, encoder),
    finishTerm: (encoder, row) => finishTerm(m, encoder, row),
    mergePostings: (encoder, source, maxBlocks) => mergePostings(m, encoder, source, maxBlocks),
  };
}
