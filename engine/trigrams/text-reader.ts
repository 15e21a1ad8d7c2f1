import { CorruptionError, InternalError } from "../errors.js";
import { blockAt } from "../source/blocks.js";
import { Numbers } from "../source/numbers.js";
import { type CellSource, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { CHUNK_WORDS, MAX_BLOCK, TABLE_HEADER_BYTES, VALUES_PER_GROUP } from "./format.js";
import { type KeptBlocks, keptBlocks } from "./kept-blocks.js";
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

/** Blocks of a reader that keys tell apart: more than a segment has. */
const BLOCKS_PER_READER = 2 ** 22;
let readers = 0;

/** The text of one field of a segment. Holds views of the arena: valid while the segment is in use. */
export class TextReader {
  readonly valueCount: number;
  readonly chunkCount: number;
  /** Documents of the segment. */
  readonly docCount: number;
  /** Pairs of raw and packed offset. */
  readonly blocks: Float64Array;
  readonly #data: WarmSection;
  readonly #kept: KeptBlocks;
  /** Key of the first block among those that are kept. */
  readonly #firstKey = readers++ * BLOCKS_PER_READER;
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
    const { arena } = storage;
    this.#kept = keptBlocks(arena);
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
   * lies before `ahead` will be asked for next: it is loaded at the same time.
   */
  load(from: number, to: number, ahead = to): number {
    const found = loaded.get(this.storage);
    if (found?.reader === this && found.generation === this.storage.scratch.generation) {
      if (from >= found.from && to <= found.to) return found.address + from - found.from;
    }
    return this.#load(from, ahead);
  }

  /** Packed bytes [from, from + length) as they lie in the file. */
  packed(from: number, length: number): Uint8Array {
    return this.source.read(SectionKind.textData, this.field, from, length);
  }

  #load(from: number, to: number): number {
    const { storage, blocks } = this;
    if (from === to) return storage.scratch.region("text", MAX_BLOCK);
    const first = blockAt(blocks, from);
    const start = blocks[2 * first];
    const last = blockAt(blocks, to - 1);
    const alone = first === last ? this.#keptBlock(first) : 0;
    if (alone !== 0) return alone + from - start;
    loaded.delete(storage);
    const size = blocks[2 * last + 2] - start;
    if (size <= KEPT_BYTES) storage.scratch.trim("text", KEPT_BYTES);
    const address = storage.scratch.region("text", Math.max(size, MAX_BLOCK));
    let end = start;
    for (let block = first; block <= last; block++) {
      const begin = blocks[2 * block];
      const wanted = Math.min(to, blocks[2 * block + 2]) - begin;
      // A block alone was looked for above.
      const kept = first === last ? 0 : this.#keptBlock(block);
      end = begin + this.#read(block, { kept, into: address + begin - start, wanted });
    }
    const { generation } = storage.scratch;
    loaded.set(storage, { reader: this, generation, address, from: start, to: end });
    return address + from - start;
  }

  /** Address of a block that is kept, or is to be kept from now on; 0: it is not. */
  #keptBlock(block: number): number {
    const key = this.#firstKey + block;
    const found = this.#kept.find(key);
    if (found !== 0) return found;
    const size = this.blocks[2 * block + 2] - this.blocks[2 * block];
    if (size > MAX_BLOCK) return 0; // damage, which unpacking names
    const address = this.#kept.room(key, size);
    if (address === 0) return 0;
    try {
      this.#unpack(block, address, size);
      return address;
    } catch (error) {
      this.#kept.drop(key);
      throw error;
    }
  }

  /** As #unpack, from where it is kept if it is. */
  #read(block: number, { kept, into, wanted }: { kept: number; into: number; wanted: number }): number {
    if (kept === 0) return this.#unpack(block, into, wanted);
    const size = this.blocks[2 * block + 2] - this.blocks[2 * block];
    this.storage.arena.u8.copyWithin(into, kept, kept + size);
    return size;
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
