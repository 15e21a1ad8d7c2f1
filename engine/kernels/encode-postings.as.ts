// Kernel of encode-postings.ts, where encoder and row are described. Differs: packs with vectors.
//
//   beginTerm   encoder
//   finishTerm  encoder, row
import { pack128 } from "./pack.as";
import { writeVarint } from "./varint.as";

// Encoder
const DATA_NEXT: usize = 0, HEADERS_NEXT: usize = 8, POSITIONS_NEXT: usize = 16, WITH_FREQS: usize = 24, NORMS: usize = 28;
const WAITING_DOCS: usize = 32, WAITING_POSITIONS: usize = 36, BLOCK_BASE: usize = 40, DOC_FREQ: usize = 44;
const TOTAL_TERM_FREQ: usize = 48, DATA_START: usize = 52, HEADERS_START: usize = 56, POSITIONS_START: usize = 60;
const BLOCK_GROUP: usize = 64, BLOCK_POSITIONS: usize = 68, PRESENCE: usize = 72;
const DOC: usize = 128, FREQ: usize = 640, POSITION: usize = 1152, PACKING: usize = 1664;

const BLOCK: u32 = 128;
const FULL_HEADER_BYTES: u32 = 24;
const DOCS_HEADER_BYTES: u32 = 8;
const NO_SINGLETON: u32 = 0xffffffff;
const FIRST_CLASS: u32 = 1;
const SECOND_CLASS: u32 = 4;

export function beginTerm(e: usize): void {
  store<u32>(e, 0, WAITING_DOCS);
  store<u32>(e, 0, WAITING_POSITIONS);
  store<u32>(e, 0, DOC_FREQ);
  store<u32>(e, 0, TOTAL_TERM_FREQ);
  store<i32>(e, -1, BLOCK_BASE);
  store<u32>(e, load<u32>(e, DATA_NEXT), DATA_START);
  store<u32>(e, load<u32>(e, HEADERS_NEXT), HEADERS_START);
  store<u32>(e, load<u32>(e, POSITIONS_NEXT), POSITIONS_START);
}

// @ts-ignore: decorator
@inline
export function startDoc(e: usize): void {
  if (load<u32>(e, WAITING_DOCS) > 0) return;
  store<u32>(e, load<u32>(e, POSITIONS_NEXT) - load<u32>(e, POSITIONS_START), BLOCK_GROUP);
  store<u32>(e, load<u32>(e, TOTAL_TERM_FREQ), BLOCK_POSITIONS);
}

// @ts-ignore: decorator
@inline
export function addPosition(e: usize, delta: u32): void {
  const waiting = load<u32>(e, WAITING_POSITIONS);
  store<u32>(e + (<usize>waiting << 2), delta, POSITION);
  store<u32>(e, waiting + 1, WAITING_POSITIONS);
  if (waiting + 1 == BLOCK) fullGroup(e);
}

// @ts-ignore: decorator
@inline
export function endDoc(e: usize, doc: u32, freq: u32): void {
  const waiting = load<u32>(e, WAITING_DOCS);
  store<u32>(e + (<usize>waiting << 2), doc, DOC);
  store<u32>(e + (<usize>waiting << 2), freq, FREQ);
  store<u32>(e, waiting + 1, WAITING_DOCS);
  store<u32>(e, load<u32>(e, DOC_FREQ) + 1, DOC_FREQ);
  store<u32>(e, load<u32>(e, TOTAL_TERM_FREQ) + freq, TOTAL_TERM_FREQ);
  const presence = <usize>load<u32>(e, PRESENCE);
  if (presence != 0) {
    const byte = presence + <usize>(doc >> 3);
    store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (doc & 7)));
  }
  if (waiting + 1 == BLOCK) fullBlock(e);
}

export function finishTerm(e: usize, row: usize): void {
  const docFreq = load<u32>(e, DOC_FREQ);
  if (load<u32>(e, WAITING_DOCS) > 0 && docFreq != 1) {
    if (docFreq >= BLOCK) header(e);
    else if (load<u32>(e, WITH_FREQS)) store<u32>(e, <u32>impacts(e, <usize>load<u32>(e, DATA_NEXT)), DATA_NEXT);
    lastBlock(e);
  }
  lastGroup(e);
  store<u32>(row, docFreq);
  store<u32>(row, load<u32>(e, TOTAL_TERM_FREQ), 4);
  store<u32>(row, docFreq == 1 ? load<u32>(e, DOC) : NO_SINGLETON, 8);
  store<u32>(row, load<u32>(e, HEADERS_NEXT) - load<u32>(e, HEADERS_START), 12);
  store<u32>(row, load<u32>(e, DATA_NEXT) - load<u32>(e, DATA_START), 16);
  store<u32>(row, load<u32>(e, POSITIONS_NEXT) - load<u32>(e, POSITIONS_START), 20);
}

/** Bits that the largest of 128 numbers needs. */
// @ts-ignore: decorator
@inline
function widthOf(values: usize): u32 {
  let all = i32x4.splat(0);
  for (let row: usize = 0; row < 512; row += 16) all = v128.or(all, v128.load(values + row));
  const any = i32x4.extract_lane(all, 0) | i32x4.extract_lane(all, 1) | i32x4.extract_lane(all, 2) | i32x4.extract_lane(all, 3);
  return 32 - <u32>clz(any);
}

function fullGroup(e: usize): void {
  const out = <usize>load<u32>(e, POSITIONS_NEXT);
  const width = widthOf(e + POSITION);
  store<u8>(out, <u8>width);
  pack128(e + POSITION, width, out + 1);
  store<u32>(e, <u32>out + 1 + 16 * width, POSITIONS_NEXT);
  store<u32>(e, 0, WAITING_POSITIONS);
}

function lastGroup(e: usize): void {
  const waiting = load<u32>(e, WAITING_POSITIONS);
  let out = <usize>load<u32>(e, POSITIONS_NEXT);
  for (let i: u32 = 0; i < waiting; i++) out = writeVarint(out, load<u32>(e + (<usize>i << 2), POSITION));
  store<u32>(e, <u32>out, POSITIONS_NEXT);
}

function fullBlock(e: usize): void {
  header(e);
  const withFreqs = load<u32>(e, WITH_FREQS);
  const out = <usize>load<u32>(e, DATA_NEXT);
  let before = load<u32>(e, BLOCK_BASE);
  for (let i: usize = 0; i < 512; i += 4) {
    const doc = load<u32>(e + i, DOC);
    store<u32>(e + i, doc - before - 1, PACKING);
    before = doc;
  }
  const docWidth = widthOf(e + PACKING);
  store<u8>(out, <u8>docWidth);
  let next = out + 1 + <usize>withFreqs;
  pack128(e + PACKING, docWidth, next);
  next += <usize>docWidth << 4;
  if (withFreqs) {
    const one = i32x4.splat(1);
    for (let i: usize = 0; i < 512; i += 16) v128.store(e + i, i32x4.sub(v128.load(e + i, FREQ), one), PACKING);
    const freqWidth = widthOf(e + PACKING);
    store<u8>(out, <u8>freqWidth, 1);
    pack128(e + PACKING, freqWidth, next);
    next += <usize>freqWidth << 4;
  }
  store<u32>(e, <u32>next, DATA_NEXT);
  store<u32>(e, before, BLOCK_BASE);
  store<u32>(e, 0, WAITING_DOCS);
}

function lastBlock(e: usize): void {
  const waiting = load<u32>(e, WAITING_DOCS);
  const withFreqs = load<u32>(e, WITH_FREQS);
  let out = <usize>load<u32>(e, DATA_NEXT);
  let before = load<u32>(e, BLOCK_BASE);
  for (let i: u32 = 0; i < waiting; i++) {
    const doc = load<u32>(e + (<usize>i << 2), DOC);
    const gap = doc - before - 1;
    before = doc;
    if (!withFreqs) {
      out = writeVarint(out, gap);
      continue;
    }
    const freq = load<u32>(e + (<usize>i << 2), FREQ);
    out = writeVarint(out, (gap << 1) | <u32>(freq == 1));
    if (freq > 1) out = writeVarint(out, freq - 2);
  }
  store<u32>(e, <u32>out, DATA_NEXT);
}

function header(e: usize): void {
  const at = <usize>load<u32>(e, HEADERS_NEXT);
  const waiting = load<u32>(e, WAITING_DOCS);
  store<u32>(at, load<u32>(e + (<usize>(waiting - 1) << 2), DOC));
  store<u32>(at, load<u32>(e, DATA_NEXT) - load<u32>(e, DATA_START), 4);
  if (!load<u32>(e, WITH_FREQS)) {
    store<u32>(e, <u32>at + DOCS_HEADER_BYTES, HEADERS_NEXT);
    return;
  }
  store<u32>(at, load<u32>(e, BLOCK_GROUP), 8);
  store<u32>(at, load<u32>(e, BLOCK_POSITIONS), 12);
  store<u64>(at, 0, 16);
  impacts(e, at + 16);
  store<u32>(e, <u32>at + FULL_HEADER_BYTES, HEADERS_NEXT);
}

function freqToByte(freq: u32): u32 {
  if (freq < 24) return freq;
  const over = freq - 24;
  const bits = 32 - <u32>clz(over);
  if (bits < 4) return 24 + over;
  const shift = bits - 4;
  const code = 24 + (((over >> shift) & 7) | ((shift + 1) << 3));
  return (over & ((1 << shift) - 1)) != 0 ? code + 1 : code;
}

/** Writes count and pairs at `out`, returns the place behind. */
function impacts(e: usize, out: usize): usize {
  const norms = <usize>load<u32>(e, NORMS);
  const waiting = load<u32>(e, WAITING_DOCS);
  let mostA: u32 = 0, mostB: u32 = 0, mostC: u32 = 0;
  let normA: u32 = 256, normB: u32 = 256, normC: u32 = 256;
  for (let i: u32 = 0; i < waiting; i++) {
    const freq = load<u32>(e + (<usize>i << 2), FREQ);
    const norm: u32 = norms == 0 ? 1 : <u32>load<u8>(norms + <usize>load<u32>(e + (<usize>i << 2), DOC));
    if (freq <= FIRST_CLASS) {
      mostA = max(mostA, freq);
      normA = min(normA, norm);
    } else if (freq <= SECOND_CLASS) {
      mostB = max(mostB, freq);
      normB = min(normB, norm);
    } else {
      mostC = max(mostC, freq);
      normC = min(normC, norm);
    }
  }
  let next = out + 1;
  if (normC < 256) next = pair(next, mostC, normC);
  if (normB < normC) next = pair(next, mostB, normB);
  if (normA < min(normB, normC)) next = pair(next, mostA, normA);
  store<u8>(out, <u8>((next - out - 1) >> 1));
  return next;
}

// @ts-ignore: decorator
@inline
function pair(out: usize, freq: u32, norm: u32): usize {
  store<u8>(out, <u8>freqToByte(freq));
  store<u8>(out, <u8>norm, 1);
  return out + 2;
}
