import { CorruptionError, InternalError } from "../errors.js";
import { blockAt } from "../source/blocks.js";
import { Numbers } from "../source/numbers.js";
import {
  type CellSource,
  SectionKind,
  type SectionSource,
  UNIT_BYTES,
  type UnitMaker,
  type Units,
} from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { CHUNK_WORDS, MAX_BLOCK, TABLE_HEADER_BYTES, VALUES_PER_GROUP } from "./format.js";
import { WarmSection } from "./warm-section.js";

/** Room for text that a thread keeps: a value of many megabytes holds more only until the next is loaded. */
const KEPT_BYTES = 1 << 20;

/** What the thread's region for text holds now: whoever reads next may find it there. */
interface Loaded {
  readonly reader: TextReader;
  readonly generation: number;
  readonly address: number;
  readonly from: number;
  readonly to: number;
}

const loaded = new WeakMap<Storage, Loaded>();

/** Packed bytes of a unit of blocks that are kept unpacked together, and the most that it may come to. */
const UNIT = UNIT_BYTES.get(SectionKind.textData) as number;
const MOST_UNIT_BYTES = 1 << 20;

/** The text of one field of a segment. Holds views of the arena: valid while the segment is in use. */
export class TextReader implements UnitMaker {
  readonly valueCount: number;
  readonly chunkCount: number;
  /** Documents of the segment. */
  readonly docCount: number;
  /** Pairs of raw and packed offset. */
  readonly blocks: Float64Array;
  readonly #data: WarmSection;
  readonly #units: Units | null;
  /** First block of each unit, and of what follows the last; made when first asked for. */
  #unitBlocks: Uint32Array | null = null;
  readonly #groups: Float64Array;
  readonly #chunkStarts: Float64Array;
  readonly #chunks: Uint32Array;
  readonly #lengths: Numbers;
  readonly #docs: Uint32Array | null;

  constructor(
    readonly source: SectionSource,
    cells: CellSource,
    readonly storage: Storage,
    readonly field: number,
  ) {
    this.#data = new WarmSection(cells, storage, { kind: SectionKind.textData, field });
    this.#units = cells.units?.(SectionKind.textData, field, this) ?? null;
    const { arena } = storage;
    const { buffer } = arena.memory;
    const table = source.pin(SectionKind.textTable, field);
    if (table === null) throw new InternalError(`field ${field} has no text`);
    const header = new Uint32Array(buffer, table.address, TABLE_HEADER_BYTES / 4);
    [this.valueCount, this.chunkCount] = header;
    const blockNumbers = 2 * (header[2] + 1);
    const groups = Math.ceil(this.valueCount / VALUES_PER_GROUP);
    let at = table.address + TABLE_HEADER_BYTES;
    const take = (count: number) => {
      const numbers = new Float64Array(buffer, at, count);
      at += 8 * count;
      return numbers;
    };
    this.blocks = take(blockNumbers);
    this.#groups = take(groups);
    this.#chunkStarts = take(this.chunkCount + 1);
    this.#chunks = new Uint32Array(buffer, at, CHUNK_WORDS * this.chunkCount);
    this.#lengths = new Numbers(source, arena, SectionKind.textLengths, field);
    const docs = source.pin(SectionKind.textDocs, field);
    this.#docs = docs === null ? null : new Uint32Array(buffer, docs.address, docs.length / 4);
    this.docCount = this.#docs === null ? this.valueCount : this.#docs.length - 1;
  }

  /** Bytes of the whole text. */
  get length(): number {
    return this.#chunkStarts[this.chunkCount];
  }

  /** First value of a document; of the document after the last: how many values there are. */
  firstValue(doc: number): number {
    return this.#docs === null ? doc : this.#docs[doc];
  }

  /** The document that a value belongs to. */
  documentOf(value: number): number {
    const docs = this.#docs;
    if (docs === null) return value;
    let [low, high] = [0, docs.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (docs[middle] <= value) low = middle;
      else high = middle;
    }
    return low;
  }

  valueLength(value: number): number {
    return this.#lengths.get(value);
  }

  /** Where a value begins in the text. */
  valueStart(value: number): number {
    const group = Math.floor(value / VALUES_PER_GROUP);
    let start = this.#groups[group];
    for (let before = group * VALUES_PER_GROUP; before < value; before++) start += this.#lengths.get(before);
    return start;
  }

  /** Where a chunk begins in the text; of the chunk after the last: where the text ends. */
  chunkStart(chunk: number): number {
    return this.#chunkStarts[chunk];
  }

  /** The value in which a chunk begins. */
  chunkValue(chunk: number): number {
    return this.#chunks[CHUNK_WORDS * chunk];
  }

  /** Bytes, and line feeds, of that value before the chunk. */
  chunkOffset(chunk: number): number {
    return this.#chunks[CHUNK_WORDS * chunk + 1];
  }

  chunkLine(chunk: number): number {
    return this.#chunks[CHUNK_WORDS * chunk + 2];
  }

  /**
   * Address of the text from `from` to `to`, in the arena; 16 more bytes are readable. Valid until anything else loads text. What
   * lies before `ahead` will be asked for next: it is loaded at the same time, unless it is at hand.
   */
  load(from: number, to: number, ahead = to): number {
    if (from === to) return this.storage.scratch.region("text", MAX_BLOCK);
    const found = loaded.get(this.storage);
    if (found?.reader === this && found.generation === this.storage.scratch.generation) {
      if (from >= found.from && to <= found.to) return found.address + from - found.from;
    }
    const first = blockAt(this.blocks, from);
    const start = this.#unitStart(first, to);
    const unit = start < 0 ? 0 : this.#unitOf(first);
    return unit === 0 ? this.#load(first, from, ahead) : unit + from - start;
  }

  /** Packed bytes [from, from + length) as they lie in the file. */
  packed(from: number, length: number): Uint8Array {
    return this.source.read(SectionKind.textData, this.field, from, length);
  }

  unitBytes(unit: number): number {
    const [first, end] = this.#blocksOf(unit);
    const bytes = this.blocks[2 * end] - this.blocks[2 * first];
    return bytes <= MOST_UNIT_BYTES ? bytes : 0;
  }

  makeUnit(unit: number, address: number): void {
    const [first, end] = this.#blocksOf(unit);
    const start = this.blocks[2 * first];
    for (let block = first; block < end; block++) {
      const size = this.blocks[2 * block + 2] - this.blocks[2 * block];
      this.#unpack(block, address + this.blocks[2 * block] - start, size);
    }
  }

  /** Where the unit of a block begins in the text; -1: text up to `to` is not in it. */
  #unitStart(block: number, to: number): number {
    const [first, end] = this.#blocksOf(this.#unitNumber(block));
    return to <= this.blocks[2 * end] ? this.blocks[2 * first] : -1;
  }

  /** Address of the unit of a block; 0: it is not kept. */
  #unitOf(block: number): number {
    return this.#units === null ? 0 : this.#units.at(this.#unitNumber(block));
  }

  #unitNumber(block: number): number {
    return Math.floor(this.blocks[2 * block + 1] / UNIT);
  }

  /** First block of a unit, and the block behind it. */
  #blocksOf(unit: number): readonly [first: number, end: number] {
    this.#unitBlocks ??= unitBlocks(this.blocks);
    return [this.#unitBlocks[unit], this.#unitBlocks[unit + 1]];
  }

  #load(first: number, from: number, to: number): number {
    const { storage, blocks } = this;
    const start = blocks[2 * first];
    const last = blockAt(blocks, to - 1);
    loaded.delete(storage);
    const size = blocks[2 * last + 2] - start;
    if (size <= KEPT_BYTES) storage.scratch.trim("text", KEPT_BYTES);
    const address = storage.scratch.region("text", Math.max(size, MAX_BLOCK));
    let end = start;
    for (let block = first; block <= last; block++) {
      const begin = blocks[2 * block];
      const wanted = Math.min(to, blocks[2 * block + 2]) - begin;
      end = begin + this.#read(block, address + begin - start, wanted);
    }
    const { generation } = storage.scratch;
    loaded.set(storage, { reader: this, generation, address, from: start, to: end });
    return address + from - start;
  }

  /** As #unpack, from the block's unit if that is kept. */
  #read(block: number, into: number, wanted: number): number {
    const unit = this.#unitOf(block);
    if (unit === 0) return this.#unpack(block, into, wanted);
    const [first] = this.#blocksOf(this.#unitNumber(block));
    const from = unit + this.blocks[2 * block] - this.blocks[2 * first];
    this.storage.arena.u8.copyWithin(into, from, from + wanted);
    return wanted;
  }

  /** Unpacks a block as far as `wanted` bytes of it take; returns how many there are then. */
  #unpack(block: number, into: number, wanted: number): number {
    const { blocks } = this;
    const { kernels } = this.storage;
    const size = blocks[2 * block + 2] - blocks[2 * block];
    const packedFrom = blocks[2 * block + 1];
    const packedBytes = blocks[2 * block + 3] - packedFrom;
    if (!(size <= MAX_BLOCK && packedBytes <= size)) throw this.#damaged(packedFrom, `at most ${MAX_BLOCK}`, size);
    if (packedBytes === size) {
      this.#data.copy(packedFrom, into, size);
      return size;
    }
    const packed = this.#data.at(packedFrom, packedBytes);
    const length = kernels.lz4DecompressPart(packed, packedBytes, into, size, wanted);
    if (length < wanted || length > size) throw this.#damaged(packedFrom, `${size}`, length);
    return length;
  }

  #damaged(at: number, expected: string, found: number): CorruptionError {
    return new CorruptionError(`text of field ${this.field}`, at, `a block of ${expected} bytes`, `${found}`);
  }
}

/** First block of each unit, one after the other, and once more for the end. A unit that no block begins in is empty. */
function unitBlocks(blocks: Float64Array): Uint32Array {
  const count = blocks.length / 2 - 1;
  const firsts = new Uint32Array(Math.ceil(blocks[2 * count + 1] / UNIT) + 1).fill(count);
  for (let block = count - 1; block >= 0; block--) firsts[Math.floor(blocks[2 * block + 1] / UNIT)] = block;
  for (let unit = firsts.length - 2; unit >= 0; unit--) firsts[unit] = Math.min(firsts[unit], firsts[unit + 1]);
  return firsts;
}
