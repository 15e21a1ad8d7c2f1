import { InternalError } from "../errors.js";
import { Cursor } from "../kernels/phrase.js";
import { NO_MORE_DOCS, type PostingsIterator, type TermState } from "../segment/types.js";
import type { Storage } from "../store/storage.js";
import { BLOCK, byteToFreq, DOCS_HEADER_BYTES, FULL_HEADER_BYTES, Header } from "./format.js";
import { PositionReader } from "./positions.js";

/** Addresses of a field's sections, 0 where there is none, and what they hold. */
export interface PostingsPlace {
  readonly data: number;
  readonly headers: number;
  readonly positions: number;
  readonly norms: number;
  readonly withFreqs: boolean;
}

const NO_BLOCK = -1;
/** Who reads whole blocks needs no copy of one. */
const NOTHING = new Uint32Array(0);

/** One term's postings (contract: segment/types.ts). Blocks are decoded through the thread's scratch, then copied out. */
export class BlockPostings implements PostingsIterator {
  readonly docFreq: number;
  readonly blockCount: number;
  doc = -1;
  readonly #storage: Storage;
  readonly #place: PostingsPlace;
  readonly #state: TermState;
  readonly #headerBytes: number;
  #docs: Uint32Array = NOTHING;
  #freqs: Uint32Array | null = null;
  #freqsBlock = NO_BLOCK;
  #block = NO_BLOCK;
  #count = 0;
  #index = 0;
  #positions: PositionReader | null = null;
  /** The block that `#positions` was told of. */
  #positionsBlock = NO_BLOCK;

  constructor(storage: Storage, place: PostingsPlace, state: TermState) {
    this.#storage = storage;
    this.#place = place;
    this.#state = state;
    this.docFreq = state.docFreq;
    this.blockCount = Math.ceil(state.docFreq / BLOCK);
    this.#headerBytes = place.withFreqs ? FULL_HEADER_BYTES : DOCS_HEADER_BYTES;
  }

  next(): number {
    const index = this.#index + 1;
    if (index < this.#count) {
      this.#index = index;
      this.doc = this.#docs[index];
      return this.doc;
    }
    if (this.doc === NO_MORE_DOCS || this.#block + 1 >= this.blockCount) return this.#end();
    this.#load(this.#block + 1);
    return this.#moveTo(0);
  }

  advance(target: number): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    if (this.#block === NO_BLOCK || this.#docs[this.#count - 1] < target) {
      const block = this.#blockOf(target);
      if (block >= this.blockCount) return this.#end();
      this.#load(block);
      if (this.#docs[this.#count - 1] < target) return this.#end();
      this.#index = -1;
    }
    return this.#moveTo(this.#search(target));
  }

  freq(): number {
    if (!this.#place.withFreqs) return 1;
    if (this.docFreq === 1) return this.#state.totalTermFreq;
    return this.#loadFreqs()[this.#index];
  }

  positions(into: Uint32Array): number {
    if (this.#place.positions === 0) throw new InternalError("positions are asked of an iterator made without them");
    this.#positions ??= new PositionReader(
      this.#storage,
      this.#place.positions + this.#state.positionOffset,
      this.#state,
    );
    if (this.#positionsBlock !== this.#block) this.#beginPositions(this.#positions);
    return this.#positions.read(this.#loadFreqs(), this.#index, into);
  }

  blockLastDoc(block: number): number {
    if (this.docFreq >= BLOCK) return this.#header(block, Header.lastDoc);
    if (this.docFreq === 1) return this.#state.singletonDoc;
    // One short block: decoding it is cheap, and it will be wanted anyway.
    const { docs } = this.#scratch();
    const count = this.decodeBlock(0, docs, 0);
    return this.#storage.arena.u32[(docs >>> 2) + count - 1];
  }

  findBlock(from: number, target: number): number {
    if (from >= this.blockCount) return this.blockCount;
    if (this.docFreq >= BLOCK) return this.#blockFrom(from, target);
    return this.blockLastDoc(0) < target ? 1 : 0;
  }

  blockImpacts(block: number, freqs: Uint32Array, norms: Uint8Array): number {
    if (!this.#place.withFreqs || this.docFreq === 1) return this.#onlyImpact(freqs, norms);
    const { u8 } = this.#storage.arena;
    const at =
      this.docFreq >= BLOCK ? this.#headerAt(block) + Header.impacts : this.#place.data + this.#state.dataOffset;
    const count = u8[at];
    for (let i = 0; i < count; i++) {
      freqs[i] = byteToFreq(u8[at + 1 + 2 * i]);
      norms[i] = u8[at + 2 + 2 * i];
    }
    return count;
  }

  decodeBlock(block: number, docsAddress: number, freqsAddress: number): number {
    const { arena, kernels } = this.#storage;
    const { withFreqs } = this.#place;
    if (this.docFreq === 1) {
      arena.u32[docsAddress >>> 2] = this.#state.singletonDoc;
      if (freqsAddress !== 0) arena.u32[freqsAddress >>> 2] = withFreqs ? this.#state.totalTermFreq : 1;
      return 1;
    }
    const count = Math.min(BLOCK, this.docFreq - BLOCK * block);
    let data = this.#place.data + this.#state.dataOffset;
    if (this.docFreq >= BLOCK) data += this.#header(block, Header.dataOffset);
    else if (withFreqs) data += 1 + 2 * arena.u8[data];
    const base = block === 0 ? -1 : this.#header(block - 1, Header.lastDoc);
    kernels.decodePostings({ data, base, count, withFreqs, docs: docsAddress, freqs: freqsAddress });
    return count;
  }

  placeCursor(block: number, cursor: number): void {
    if (this.#place.positions === 0) throw new InternalError("positions are asked of an iterator made without them");
    const { view } = this.#storage.arena;
    const hasHeader = this.docFreq >= BLOCK;
    const before = hasHeader ? this.#header(block, Header.positions) : 0;
    const groupOffset = hasHeader ? this.#header(block, Header.groupOffset) : 0;
    view.setUint32(cursor + Cursor.group, Math.floor(before / BLOCK), true);
    view.setUint32(cursor + Cursor.groupAt, this.#place.positions + this.#state.positionOffset + groupOffset, true);
    view.setUint32(cursor + Cursor.fullGroups, Math.floor(this.#state.totalTermFreq / BLOCK), true);
    view.setUint32(cursor + Cursor.rest, this.#state.totalTermFreq % BLOCK, true);
    view.setUint32(cursor + Cursor.before, before, true);
    view.setUint32(cursor + Cursor.summed, 0, true);
  }

  #headerAt(block: number): number {
    return this.#place.headers + this.#state.headerOffset + this.#headerBytes * block;
  }

  #header(block: number, field: number): number {
    return this.#storage.arena.view.getUint32(this.#headerAt(block) + field, true);
  }

  #beginPositions(positions: PositionReader): void {
    const hasHeader = this.docFreq >= BLOCK;
    const groupOffset = hasHeader ? this.#header(this.#block, Header.groupOffset) : 0;
    positions.beginBlock(groupOffset, hasHeader ? this.#header(this.#block, Header.positions) : 0);
    this.#positionsBlock = this.#block;
  }

  /** Frequency and norm of the only document, or of all where neither is kept. */
  #onlyImpact(freqs: Uint32Array, norms: Uint8Array): number {
    freqs[0] = this.#place.withFreqs ? this.#state.totalTermFreq : 1;
    const hasNorms = this.#place.norms !== 0 && this.docFreq === 1;
    norms[0] = hasNorms ? this.#storage.arena.u8[this.#place.norms + this.#state.singletonDoc] : 1;
    return 1;
  }

  #moveTo(index: number): number {
    this.#index = index;
    this.doc = this.#docs[index];
    return this.doc;
  }

  #end(): number {
    this.#index = this.#count;
    this.doc = NO_MORE_DOCS;
    return NO_MORE_DOCS;
  }

  /** First block from the current one on whose last document is not less; `blockCount` if none. Gallops, then bisects. */
  #blockOf(target: number): number {
    return this.docFreq < BLOCK ? this.#block + 1 : this.#blockFrom(this.#block + 1, target);
  }

  /** The same from a given block on, of a list with headers. */
  #blockFrom(from: number, target: number): number {
    let low = from;
    let high = from;
    for (let step = 1; high < this.blockCount && this.#header(high, Header.lastDoc) < target; step *= 2) {
      low = high + 1;
      high += step;
    }
    high = Math.min(high, this.blockCount);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#header(middle, Header.lastDoc) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index of the first document >= target behind the current one; there is one in this block. */
  #search(target: number): number {
    const docs = this.#docs;
    let low = this.#index + 1;
    // Most advances are short.
    for (const near = Math.min(low + 4, this.#count); low < near; low++) if (docs[low] >= target) return low;
    let high = this.#count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle] < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #scratch(): { docs: number; freqs: number } {
    const docs = this.#storage.scratch.region("postings", 8 * BLOCK);
    return { docs, freqs: docs + 4 * BLOCK };
  }

  #load(block: number): void {
    const { docs } = this.#scratch();
    this.#count = this.decodeBlock(block, docs, 0);
    this.#block = block;
    this.#index = -1;
    if (this.#docs === NOTHING) this.#docs = new Uint32Array(BLOCK);
    const { u32 } = this.#storage.arena;
    for (let i = 0, at = docs >>> 2; i < this.#count; i++) this.#docs[i] = u32[at + i];
  }

  /** Frequencies of the current block; decoded when first asked for. */
  #loadFreqs(): Uint32Array {
    this.#freqs ??= new Uint32Array(BLOCK);
    if (this.#freqsBlock === this.#block) return this.#freqs;
    const { docs, freqs } = this.#scratch();
    const count = this.decodeBlock(this.#block, docs, freqs);
    const { u32 } = this.#storage.arena;
    for (let i = 0, at = freqs >>> 2; i < count; i++) this.#freqs[i] = u32[at + i];
    this.#freqsBlock = this.#block;
    return this.#freqs;
  }
}
