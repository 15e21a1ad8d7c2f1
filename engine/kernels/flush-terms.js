/**
 * From the write buffer's streams (accumulate.ts) to encoded postings, term by term.
 */
import { sliceBytes, TermRecord } from "./accumulate.js";
import { Encoder, FULL_HEADER_BYTES, PostingsEncoder, TermRow } from "./encode-postings.js";
import { readVarint } from "./varint.js";
/** Room that a term's postings can take at most, in bytes. */
export function roomFor(docFreq, totalTermFreq) {
  const blocks = (docFreq >>> 7) + 1;
  return {
    data: 10 * docFreq + 2 * blocks + 64,
    headers: FULL_HEADER_BYTES * blocks,
    positions: 5 * totalTermFreq + 520,
  };
}
/** See Kernels.flushTerms. */
export function flushTerms(memory, run) {
  const { view } = memory;
  const encoder = new PostingsEncoder(memory, run.encoder);
  for (let i = run.from; i < run.count; i++) {
    const record = run.records + TermRecord.bytes * view.getUint32(run.ids + 4 * i, true);
    const docFreq = view.getUint32(record + TermRecord.docFreq, true);
    if (!hasRoom(encoder, docFreq, view.getUint32(record + TermRecord.totalTermFreq, true))) return i;
    const stream = readStream(memory, record);
    encoder.begin();
    if (encoder.get(Encoder.withFreqs) === 1) encodeWithPositions(encoder, stream);
    else encodeDocs(encoder, stream);
    encoder.finish(run.rows + TermRow.bytes * i);
  }
  return run.count;
}
function hasRoom(encoder, docFreq, totalTermFreq) {
  const room = roomFor(docFreq, totalTermFreq);
  return (
    encoder.get(Encoder.dataEnd) - encoder.get(Encoder.dataNext) >= room.data &&
    encoder.get(Encoder.headersEnd) - encoder.get(Encoder.headersNext) >= room.headers &&
    encoder.get(Encoder.positionsEnd) - encoder.get(Encoder.positionsNext) >= room.positions &&
    encoder.get(Encoder.streamEnd) - encoder.get(Encoder.stream) >= room.data + room.positions
  );
}
/** The varints of a term's stream (accumulate.ts), its slices joined. */
function readStream(memory, record) {
  const { view, u8 } = memory;
  const end = view.getUint32(record + TermRecord.cursor, true);
  const joined = [];
  let slice = view.getUint32(record + TermRecord.first, true);
  for (let level = 0; level < view.getUint32(record + TermRecord.level, true); level++) {
    const limit = slice + sliceBytes(level) - 4;
    const isLast = limit === view.getUint32(record + TermRecord.limit, true);
    joined.push(...u8.subarray(slice, isLast ? end : limit));
    slice = view.getUint32(limit, true);
  }
  const bytes = Uint8Array.from(joined);
  const numbers = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, next } = readVarint(bytes, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}
function encodeDocs(encoder, gaps) {
  let doc = -1;
  for (const gap of gaps) {
    doc += gap;
    encoder.startDoc();
    encoder.endDoc(doc, 1);
  }
}
function encodeWithPositions(encoder, stream) {
  let doc = -1;
  for (let at = 0; at < stream.length; ) {
    doc += stream[at] >>> 1;
    encoder.startDoc();
    encoder.position(stream[at + 1]);
    let freq = 1;
    at += 2;
    for (; at < stream.length && (stream[at] & 1) === 0; at++) {
      encoder.position(stream[at] >>> 1);
      freq++;
    }
    encoder.endDoc(doc, freq);
  }
}
//# sourceMappingURL=flush-terms.js.map
