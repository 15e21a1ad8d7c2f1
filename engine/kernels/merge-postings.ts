/**
 * Appending one segment's postings of a term to an encoder, documents renumbered, deleted ones left out.
 *
 * Source, one segment's postings of one term:
 *
 *   offset  bytes  name           meaning
 *   0       4      data           address of the next block's data (of the first block's documents, behind any impacts)
 *   4       4      docsLeft       documents not read yet
 *   8       4      base           last document of the block before, -1 at first
 *   12      4      positions      address of the next group
 *   16      4      positionsLeft  positions in groups not read yet
 *   20      4      groupAt        next position in the group that was read
 *   24      4      groupCount     positions in it
 *   28      4      docMap         address of an i32 per old document: the new one, -1: deleted
 *   32      4      withFreqs      as in the encoder
 *   36      4      singletonDoc   the only document, where there is one and no data; else 0xffffffff
 *   40      4      blockDocs      documents of a block that was read but not appended yet for want of room
 *   64      512    doc            128 u32
 *   576     512    freq
 *   1088    512    position       deltas
 */
import { decodePositions, decodePostings } from "./decode-postings.js";
import { BLOCK, Encoder, NO_SINGLETON, PostingsEncoder } from "./encode-postings.js";
import type { MemoryViews } from "./memory.js";

export const MergeSource = {
  data: 0,
  docsLeft: 4,
  base: 8,
  positions: 12,
  positionsLeft: 16,
  groupAt: 20,
  groupCount: 24,
  docMap: 28,
  withFreqs: 32,
  singletonDoc: 36,
  blockDocs: 40,
  doc: 64,
  freq: 576,
  position: 1088,
  bytes: 1600,
} as const;

/** Room for the postings of one block and what `finishTerm` may still write, positions apart. */
export const BLOCK_DATA_ROOM = 4096;
export const BLOCK_HEADERS_ROOM = 64;

/** Room for the positions of a block with so many, and for those that wait. */
export function positionRoom(positions: number): number {
  return 5 * positions + 1536;
}

/** See Kernels.mergePostings. */
export function mergePostings(memory: MemoryViews, encoderAt: number, source: number, maxBlocks: number): number {
  const { view } = memory;
  const encoder = new PostingsEncoder(memory, encoderAt);
  const get = (offset: number): number => view.getUint32(source + offset, true);
  for (let block = 0; block < maxBlocks; block++) {
    if (get(MergeSource.blockDocs) === 0) readBlock(memory, source);
    const count = get(MergeSource.blockDocs);
    if (count === 0) return 0;
    let positions = 0;
    for (let i = 0; i < count; i++) positions += get(MergeSource.freq + 4 * i);
    if (!hasRoomForBlock(encoder, positions)) break;
    for (let i = 0; i < count; i++) appendDoc(memory, encoder, source, i);
    view.setUint32(source + MergeSource.blockDocs, 0, true);
  }
  return get(MergeSource.docsLeft) + get(MergeSource.blockDocs);
}

function hasRoomForBlock(encoder: PostingsEncoder, positions: number): boolean {
  return (
    encoder.get(Encoder.dataEnd) - encoder.get(Encoder.dataNext) >= BLOCK_DATA_ROOM &&
    encoder.get(Encoder.headersEnd) - encoder.get(Encoder.headersNext) >= BLOCK_HEADERS_ROOM &&
    encoder.get(Encoder.positionsEnd) - encoder.get(Encoder.positionsNext) >= positionRoom(positions)
  );
}

function readBlock(memory: MemoryViews, source: number): void {
  const { view } = memory;
  const get = (name: keyof typeof MergeSource): number => view.getUint32(source + MergeSource[name], true);
  const set = (name: keyof typeof MergeSource, value: number): void =>
    view.setUint32(source + MergeSource[name], value, true);
  const count = Math.min(BLOCK, get("docsLeft"));
  set("docsLeft", get("docsLeft") - count);
  set("blockDocs", count);
  if (count === 0) return;
  if (get("singletonDoc") !== NO_SINGLETON) {
    set("doc", get("singletonDoc"));
    set("freq", get("withFreqs") === 1 ? get("positionsLeft") : 1);
    return;
  }
  const bytes = decodePostings(memory, {
    data: get("data"),
    base: get("base") | 0,
    count,
    withFreqs: get("withFreqs") === 1,
    docs: source + MergeSource.doc,
    freqs: source + MergeSource.freq,
  });
  set("data", get("data") + bytes);
  set("base", view.getUint32(source + MergeSource.doc + 4 * (count - 1), true));
}

function appendDoc(memory: MemoryViews, encoder: PostingsEncoder, source: number, i: number): void {
  const { view } = memory;
  const old = view.getUint32(source + MergeSource.doc + 4 * i, true);
  const freq = view.getUint32(source + MergeSource.freq + 4 * i, true);
  const doc = view.getInt32(view.getUint32(source + MergeSource.docMap, true) + 4 * old, true);
  if (doc >= 0) encoder.startDoc();
  if (view.getUint32(source + MergeSource.withFreqs, true) === 1) {
    for (let k = 0; k < freq; k++) {
      const delta = nextPosition(memory, source);
      if (doc >= 0) encoder.position(delta);
    }
  }
  if (doc >= 0) encoder.endDoc(doc, freq);
}

function nextPosition(memory: MemoryViews, source: number): number {
  const { view } = memory;
  const get = (offset: number): number => view.getUint32(source + offset, true);
  if (get(MergeSource.groupAt) === get(MergeSource.groupCount)) {
    const count = Math.min(BLOCK, get(MergeSource.positionsLeft));
    const address = get(MergeSource.positions);
    const bytes = decodePositions(memory, address, count, source + MergeSource.position);
    view.setUint32(source + MergeSource.positions, address + bytes, true);
    view.setUint32(source + MergeSource.positionsLeft, get(MergeSource.positionsLeft) - count, true);
    view.setUint32(source + MergeSource.groupAt, 0, true);
    view.setUint32(source + MergeSource.groupCount, count, true);
  }
  const at = get(MergeSource.groupAt);
  view.setUint32(source + MergeSource.groupAt, at + 1, true);
  return get(MergeSource.position + 4 * at);
}
