// Kernel of flush-terms.ts. Differs: a stream of one slice is read in place, others are joined into scratch first; terms of
// one document, which are most, pass by the encoder.
//
//   flushTerms  records, ids, from, count, encoder, rows. Returns the index of the first term not done: room is short.
import { addPosition, beginTerm, endDoc, finishTerm, startDoc } from "./encode-postings.as";
import { readVarint, varintBytes, writeVarint } from "./varint.as";

// Encoder
const DATA_NEXT: usize = 0, DATA_END: usize = 4, HEADERS_NEXT: usize = 8, HEADERS_END: usize = 12;
const POSITIONS_NEXT: usize = 16, POSITIONS_END: usize = 20, WITH_FREQS: usize = 24, STREAM: usize = 76, STREAM_END: usize = 80;
// Term record
const CURSOR: usize = 8, RECORD_DOC_FREQ: usize = 24, RECORD_TTF: usize = 28, FIRST: usize = 32, LEVEL: usize = 36;

const PRESENCE: usize = 72;
// Row
const ROW_DOC_FREQ: usize = 0, ROW_TTF: usize = 4, ROW_DOC: usize = 8, ROW_HEADERS: usize = 12, ROW_DATA: usize = 16;
const ROW_POSITIONS: usize = 20;

const FULL_HEADER_BYTES: u32 = 24;
const GROUP: u32 = 128;

/** The same bounds as roomFor in the twin. */
function hasRoom(e: usize, docFreq: u32, totalTermFreq: u32): bool {
  const blocks: u64 = <u64>((docFreq >> 7) + 1);
  const data: u64 = 10 * <u64>docFreq + 2 * blocks + 64;
  const positions: u64 = 5 * <u64>totalTermFreq + 520;
  return (
    <u64>(load<u32>(e, DATA_END) - load<u32>(e, DATA_NEXT)) >= data &&
    <u64>(load<u32>(e, HEADERS_END) - load<u32>(e, HEADERS_NEXT)) >= FULL_HEADER_BYTES * blocks &&
    <u64>(load<u32>(e, POSITIONS_END) - load<u32>(e, POSITIONS_NEXT)) >= positions &&
    <u64>(load<u32>(e, STREAM_END) - load<u32>(e, STREAM)) >= data + positions
  );
}

export function flushTerms(records: usize, ids: usize, from: u32, count: u32, e: usize, rows: usize): u32 {
  const withFreqs = load<u32>(e, WITH_FREQS);
  for (let i = from; i < count; i++) {
    const record = records + (<usize>load<u32>(ids + (<usize>i << 2)) << 6);
    const docFreq = load<u32>(record, RECORD_DOC_FREQ);
    const totalTermFreq = load<u32>(record, RECORD_TTF);
    if (!hasRoom(e, docFreq, totalTermFreq)) return i;
    const isOneSlice = load<u32>(record, LEVEL) <= 1;
    const stream = <usize>(isOneSlice ? load<u32>(record, FIRST) : load<u32>(e, STREAM));
    const end = isOneSlice ? <usize>load<u32>(record, CURSOR) : joinSlices(record, stream);
    if (docFreq == 1 && totalTermFreq < GROUP && load<u32>(e, PRESENCE) == 0) {
      singleDoc(e, stream, end, rows + <usize>i * 24);
      continue;
    }
    beginTerm(e);
    if (withFreqs) encodeWithPositions(e, stream, end);
    else encodeDocs(e, stream, end);
    finishTerm(e, rows + <usize>i * 24);
  }
  return count;
}

/** Copies the payloads of a term's slices to `out`; returns their end. */
function joinSlices(record: usize, out: usize): usize {
  const last = load<u32>(record, LEVEL) - 1;
  let slice = <usize>load<u32>(record, FIRST);
  for (let level: u32 = 0; level < last; level++) {
    const payload: usize = (level >= 6 ? 1024 : <usize>16 << level) - 4;
    memory.copy(out, slice, payload);
    out += payload;
    slice = <usize>load<u32>(slice + payload);
  }
  const payload = <usize>load<u32>(record, CURSOR) - slice;
  memory.copy(out, slice, payload);
  return out + payload;
}

/** The row of a term of one document, and its positions, fewer than a group: varints. */
// @ts-ignore: decorator
@inline
function singleDoc(e: usize, p: usize, end: usize, row: usize): void {
  const positions = <usize>load<u32>(e, POSITIONS_NEXT);
  const head = readVarint(p);
  let doc = head - 1;
  let freq: u32 = 1;
  let out = positions;
  if (load<u32>(e, WITH_FREQS)) {
    doc = (head >> 1) - 1;
    p += varintBytes(head);
    const first = readVarint(p);
    p += varintBytes(first);
    out = writeVarint(out, first);
    for (; p < end; freq++) {
      const delta = readVarint(p);
      p += varintBytes(delta);
      out = writeVarint(out, delta >> 1);
    }
    store<u32>(e, <u32>out, POSITIONS_NEXT);
  }
  store<u32>(row, 1, ROW_DOC_FREQ);
  store<u32>(row, freq, ROW_TTF);
  store<u32>(row, doc, ROW_DOC);
  store<u32>(row, 0, ROW_HEADERS);
  store<u32>(row, 0, ROW_DATA);
  store<u32>(row, <u32>(out - positions), ROW_POSITIONS);
}

function encodeDocs(e: usize, p: usize, end: usize): void {
  let doc: u32 = -1;
  while (p < end) {
    const gap = readVarint(p);
    p += varintBytes(gap);
    doc += gap;
    startDoc(e);
    endDoc(e, doc, 1);
  }
}

function encodeWithPositions(e: usize, p: usize, end: usize): void {
  let doc: u32 = -1;
  while (p < end) {
    const head = readVarint(p);
    p += varintBytes(head);
    doc += head >> 1;
    startDoc(e);
    const first = readVarint(p);
    p += varintBytes(first);
    addPosition(e, first);
    let freq: u32 = 1;
    // Even: a further position of this document. The lowest bit is in the first byte.
    while (p < end && (load<u8>(p) & 1) == 0) {
      const delta = readVarint(p);
      p += varintBytes(delta);
      addPosition(e, delta >> 1);
      freq++;
    }
    endDoc(e, doc, freq);
  }
}
