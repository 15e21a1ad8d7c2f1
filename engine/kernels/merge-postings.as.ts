// Kernel of merge-postings.ts, where a source is described. Differs: positions of a document are copied as a run.
//
//   mergePostings  encoder, source, maxBlocks. Returns the documents left: more than 0 when maxBlocks were done or room is short.
//   beginTerm, finishTerm  encoder; encoder, row (in encode-postings.as.ts)
import { decodePositions, decodePostings } from "./decode-postings.as";
import { addPosition, endDoc, startDoc } from "./encode-postings.as";

// Source
const DATA: usize = 0, DOCS_LEFT: usize = 4, BASE: usize = 8, POSITIONS: usize = 12, POSITIONS_LEFT: usize = 16;
const GROUP_AT: usize = 20, GROUP_COUNT: usize = 24, DOC_MAP: usize = 28, WITH_FREQS: usize = 32, SINGLETON_DOC: usize = 36;
const BLOCK_DOCS: usize = 40, DOC: usize = 64, FREQ: usize = 576, POSITION: usize = 1088;
// Encoder
const DATA_NEXT: usize = 0, DATA_END: usize = 4, HEADERS_NEXT: usize = 8, HEADERS_END: usize = 12;
const POSITIONS_NEXT: usize = 16, POSITIONS_END: usize = 20;

const BLOCK: u32 = 128;
const NO_SINGLETON: u32 = 0xffffffff;
const BLOCK_DATA_ROOM: u32 = 4096;
const BLOCK_HEADERS_ROOM: u32 = 64;

export function mergePostings(e: usize, source: usize, maxBlocks: u32): u32 {
  const withFreqs = load<u32>(source, WITH_FREQS);
  for (let block: u32 = 0; block < maxBlocks; block++) {
    if (load<u32>(source, BLOCK_DOCS) == 0) readBlock(source);
    const count = load<u32>(source, BLOCK_DOCS);
    if (count == 0) return 0;
    if (!hasRoomForBlock(e, source, count)) break;
    if (withFreqs) appendWithPositions(e, source, count);
    else appendDocs(e, source, count);
    store<u32>(source, 0, BLOCK_DOCS);
  }
  return load<u32>(source, DOCS_LEFT) + load<u32>(source, BLOCK_DOCS);
}

// @ts-ignore: decorator
@inline
function hasRoomForBlock(e: usize, source: usize, count: u32): bool {
  let positions: u64 = 0;
  for (let i: u32 = 0; i < count; i++) positions += <u64>load<u32>(source + (<usize>i << 2), FREQ);
  return (
    load<u32>(e, DATA_END) - load<u32>(e, DATA_NEXT) >= BLOCK_DATA_ROOM &&
    load<u32>(e, HEADERS_END) - load<u32>(e, HEADERS_NEXT) >= BLOCK_HEADERS_ROOM &&
    <u64>(load<u32>(e, POSITIONS_END) - load<u32>(e, POSITIONS_NEXT)) >= 5 * positions + 1536
  );
}

function readBlock(source: usize): void {
  const withFreqs = load<u32>(source, WITH_FREQS);
  const count = min(BLOCK, load<u32>(source, DOCS_LEFT));
  store<u32>(source, load<u32>(source, DOCS_LEFT) - count, DOCS_LEFT);
  store<u32>(source, count, BLOCK_DOCS);
  if (count == 0) return;
  if (load<u32>(source, SINGLETON_DOC) != NO_SINGLETON) {
    store<u32>(source, load<u32>(source, SINGLETON_DOC), DOC);
    store<u32>(source, withFreqs ? load<u32>(source, POSITIONS_LEFT) : 1, FREQ);
    return;
  }
  const data = load<u32>(source, DATA);
  const bytes = decodePostings(<usize>data, load<u32>(source, BASE), count, withFreqs, source + DOC, source + FREQ);
  store<u32>(source, data + bytes, DATA);
  store<u32>(source, load<u32>(source + (<usize>(count - 1) << 2), DOC), BASE);
}

// @ts-ignore: decorator
@inline
function newDoc(source: usize, i: u32): i32 {
  const old = <usize>load<u32>(source + (<usize>i << 2), DOC);
  return load<i32>(<usize>load<u32>(source, DOC_MAP) + (old << 2));
}

function appendDocs(e: usize, source: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = newDoc(source, i);
    if (doc < 0) continue;
    startDoc(e);
    endDoc(e, doc, 1);
  }
}

function appendWithPositions(e: usize, source: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = newDoc(source, i);
    const freq = load<u32>(source + (<usize>i << 2), FREQ);
    if (doc < 0) {
      takePositions(e, source, freq, false);
      continue;
    }
    startDoc(e);
    takePositions(e, source, freq, true);
    endDoc(e, doc, freq);
  }
}

/** Reads `freq` positions, and appends them if they are kept. */
// @ts-ignore: decorator
@inline
function takePositions(e: usize, source: usize, freq: u32, kept: bool): void {
  while (freq > 0) {
    let at = load<u32>(source, GROUP_AT);
    if (at == load<u32>(source, GROUP_COUNT)) {
      readGroup(source);
      at = 0;
    }
    const end = min(load<u32>(source, GROUP_COUNT), at + freq);
    freq -= end - at;
    if (kept) {
      for (; at < end; at++) addPosition(e, load<u32>(source + (<usize>at << 2), POSITION));
    }
    store<u32>(source, end, GROUP_AT);
  }
}

function readGroup(source: usize): void {
  const count = min(BLOCK, load<u32>(source, POSITIONS_LEFT));
  const address = load<u32>(source, POSITIONS);
  store<u32>(source, address + decodePositions(<usize>address, count, source + POSITION), POSITIONS);
  store<u32>(source, load<u32>(source, POSITIONS_LEFT) - count, POSITIONS_LEFT);
  store<u32>(source, 0, GROUP_AT);
  store<u32>(source, count, GROUP_COUNT);
}
