/**
 * Brings kernels onto a memory: the compiled module, or its twin in plain TypeScript. Any number of threads may load
 * them onto one shared memory.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "../errors.js";
import { accumulateTerm, accumulateTokens, rebuildTermTable } from "./accumulate.js";
import { codeWords } from "./code-words.js";
import { crc32cInMemory, writeCrcTables } from "./crc32c.js";
import { decodePositions, decodePostings } from "./decode-postings.js";
import { beginTerm, finishTerm } from "./encode-postings.js";
import { flushTerms } from "./flush-terms.js";
import { followShape, noteValues } from "./follow-shape.js";
import {
  bitmapChunks,
  decodeChunks,
  encodeChunks,
  forgetGrams,
  gatherGrams,
  mapChunks,
  sortGrams,
  takeGram,
} from "./grams.js";
import { hashBytes, hashTokens } from "./hash.js";
import { plainText, unescapeText } from "./json-text.js";
import type { GramKernels, Kernels } from "./kernels.js";
import { lz4Compress, lz4Decompress, lz4DecompressPart } from "./lz4.js";
import { gather, gatherSums, intersect, keepLesser } from "./matches.js";
import { MemoryViews } from "./memory.js";
import { mergePostings } from "./merge-postings.js";
import { pack128, prefixSum128, unpack128 } from "./pack.js";
import { phraseMatches } from "./phrase.js";
import { rangeToBits, rangeToBitsDouble } from "./range.js";
import { countFeeds, scanLines } from "./scan-lines.js";
import { addScores, addScoresOf, harvest, keepAbove, scoreBlock, setScores } from "./score.js";
import { dot, squaredDistance } from "./similarity.js";
import { pinSlot, unpinSlot } from "./slot.js";
import { sortTerms } from "./sort-terms.js";
import { tokenizeStandard } from "./tokenize.js";
import { writeTerm, writeTerms } from "./write-terms.js";

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
    codeWords: (run) =>
      wasm.codeWords(run.source, run.end, run.text, run.textBytes, run.tokens, run.capacity, run.position, run.done) >>>
      0,
    plainText: (address) => wasm.plainText(address) >>> 0,
    unescapeText: wasm.unescapeText,
    hashTokens: wasm.hashTokens,
    hashBytes: (address, length) => wasm.hashBytes(address, length) >>> 0,
    crc32c: (address, length, crc) => wasm.crc32c(address, length, crc) >>> 0,
    lz4Compress: wasm.lz4Compress,
    lz4Decompress: wasm.lz4Decompress,
    lz4DecompressPart: wasm.lz4DecompressPart,
    pack128: wasm.pack128,
    unpack128: wasm.unpack128,
    prefixSum128: wasm.prefixSum128,
    scoreBlock: (block) => scoreWith(wasm, block),
    addScores: (row) =>
      wasm.addScores(row.docs, row.freqs, row.count, row.norms, row.normInverse, row.weight, row.sums),
    setScores: (row) =>
      wasm.setScores(row.docs, row.freqs, row.count, row.norms, row.normInverse, row.weight, row.sums),
    addScoresOf: (row) => scoreWanted(wasm, row),
    keepAbove: wasm.keepAbove,
    harvest: (work) =>
      wasm.harvest(
        work.accumulators,
        work.marks,
        work.accept,
        work.base,
        work.bound,
        work.threshold,
        work.docs,
        work.sums,
      ),
    intersect: (lists) => wasm.intersect(lists.a, lists.aFrom, lists.aTo, lists.b, lists.bCount, lists.inA, lists.inB),
    gather: wasm.gather,
    gatherSums: wasm.gatherSums,
    keepLesser: wasm.keepLesser,
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
    pinSlot: (slot, bit, now) => wasm.pinSlot(slot, bit, now) >>> 0,
    unpinSlot: wasm.unpinSlot,
    accumulateTokens: (run) =>
      wasm.accumulateTokens(run.state, run.field, run.tokens, run.text, run.from, run.count, run.doc),
    accumulateTerm: wasm.accumulateTerm,
    rebuildTermTable: wasm.rebuildTermTable,
    sortTerms: wasm.sortTerms,
    flushTerms: (run) => wasm.flushTerms(run.records, run.ids, run.from, run.count, run.encoder, run.rows),
    writeTerms: (run) => wasm.writeTerms(run.out, run.records, run.ids, run.rows, run.from, run.count),
    writeTerm: wasm.writeTerm,
    decodePostings: (block) =>
      wasm.decodePostings(block.data, block.base, block.count, block.withFreqs ? 1 : 0, block.docs, block.freqs),
    decodePositions: wasm.decodePositions,
    phraseMatches: (phrase) =>
      wasm.phraseMatches(phrase.cursors, phrase.words, phrase.count, phrase.kept, phrase.freqs),
    beginTerm: wasm.beginTerm,
    finishTerm: wasm.finishTerm,
    mergePostings: wasm.mergePostings,
    scanLines: wasm.scanLines,
    countFeeds: wasm.countFeeds,
    noteValues: wasm.noteValues,
    followShape: wasm.followShape,
    ...bindGrams(wasm),
  };
}

function bindGrams(wasm: Exports): GramKernels {
  const { gatherGrams, forgetGrams, sortGrams, takeGram, encodeChunks, decodeChunks } = wasm;
  const { bitmapChunks, mapChunks } = wasm;
  return {
    gatherGrams,
    forgetGrams,
    sortGrams,
    takeGram,
    encodeChunks,
    decodeChunks,
    bitmapChunks,
    mapChunks,
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
    block.marks,
  );
}

function scoreWanted(wasm: Exports, row: Parameters<Kernels["addScoresOf"]>[0]): number {
  return wasm.addScoresOf(
    row.docs,
    row.freqs,
    row.count,
    row.wanted,
    row.from,
    row.wantedCount,
    row.norms,
    row.normInverse,
    row.weight,
    row.sums,
  );
}

/** The specification of the kernels, in plain TypeScript: what tests compare them with. Slow. */
export function twinKernels(memory: WebAssembly.Memory): Kernels {
  const m = new MemoryViews(memory);
  return {
    tokenizeStandard: (source, length, lower, tokens, firstPosition) =>
      tokenizeStandard(m, source, length, lower, tokens, firstPosition),
    codeWords: (run) => codeWords(m, run),
    plainText: (address) => plainText(m, address),
    unescapeText: (source, end, target) => unescapeText(m, source, end, target),
    hashTokens: (text, tokens, count) => hashTokens(m, text, tokens, count),
    hashBytes: (address, length) => hashBytes(m, address, length),
    crc32c: (address, length, crc) => crc32cInMemory(m, address, length, crc),
    lz4Compress: (source, length, out, table) => lz4Compress(m, source, length, out, table),
    lz4Decompress: (source, length, out, capacity) => lz4Decompress(m, source, length, out, capacity),
    lz4DecompressPart: (source, length, out, capacity, wanted) =>
      lz4DecompressPart(m, source, length, { out, capacity, wanted }),
    pack128: (values, width, out) => pack128(m, values, width, out),
    unpack128: (packed, width, out) => unpack128(m, packed, width, out),
    prefixSum128: (values, base) => prefixSum128(m, values, base),
    scoreBlock: (block) => scoreBlock(m, block),
    addScores: (row) => addScores(m, row),
    setScores: (row) => setScores(m, row),
    addScoresOf: (row) => addScoresOf(m, row),
    keepAbove: (sums, count, bound, threshold, out) => keepAbove(m, sums, count, { bound, threshold, out }),
    harvest: (work) => harvest(m, work),
    intersect: (lists) => intersect(m, lists),
    gather: (values, places, count, out) => gather(m, values, places, count, out),
    gatherSums: (sums, places, count, out) => gatherSums(m, sums, places, count, out),
    keepLesser: (values, others, count) => keepLesser(m, values, others, count),
    rangeToBits: (address, width, count, low, high, bits) => rangeToBits(m, { address, width, count, low, high, bits }),
    rangeToBitsDouble: (address, width, count, low, high, bits) =>
      rangeToBitsDouble(m, { address, width, count, low, high, bits }),
    dot: (a, b, dims) => dot(m, a, b, dims),
    squaredDistance: (a, b, dims) => squaredDistance(m, a, b, dims),
    pinSlot: (slot, bit, now) => pinSlot(m, slot, bit, now),
    unpinSlot: (slot, bit) => unpinSlot(m, slot, bit),
    accumulateTokens: (run) => accumulateTokens(m, run),
    accumulateTerm: (state, field, address, length, doc) => accumulateTerm(m, state, field, address, length, doc),
    rebuildTermTable: (state) => rebuildTermTable(m, state),
    sortTerms: (records, ids, count) => sortTerms(m, records, ids, count),
    flushTerms: (run) => flushTerms(m, run),
    writeTerms: (run) => writeTerms(m, run),
    writeTerm: (out, address, length, row) => writeTerm(m, out, { address, length, row }),
    decodePostings: (block) => decodePostings(m, block),
    decodePositions: (address, count, out) => decodePositions(m, address, count, out),
    phraseMatches: (phrase) => phraseMatches(m, phrase),
    beginTerm: (encoder) => beginTerm(m, encoder),
    finishTerm: (encoder, row) => finishTerm(m, encoder, row),
    mergePostings: (encoder, source, maxBlocks) => mergePostings(m, encoder, source, maxBlocks),
    scanLines: (scan) => scanLines(m, scan),
    countFeeds: (text, length) => countFeeds(m, text, length),
    noteValues: (records, end, values, stamp) => noteValues(m, records, end, values, stamp),
    followShape: (state) => followShape(m, state),
    ...twinGrams(m),
  };
}

function twinGrams(m: MemoryViews): GramKernels {
  return {
    gatherGrams: (gatherer, text, length) => gatherGrams(m, gatherer, text, length),
    forgetGrams: (seen, entries, count) => forgetGrams(m, seen, entries, count),
    sortGrams: (entries, count, scratch) => sortGrams(m, entries, count, scratch),
    takeGram: (entries, end, base, out) => takeGram(m, entries, end, { base, out }),
    encodeChunks: (chunks, count, total, out) => encodeChunks(m, chunks, count, { total, out }),
    decodeChunks: (list, count, out) => decodeChunks(m, list, count, out),
    bitmapChunks: (bitmap, total, out) => bitmapChunks(m, bitmap, total, out),
    mapChunks: (chunks, count, map, out) => mapChunks(m, chunks, count, { map, out }),
  };
}
