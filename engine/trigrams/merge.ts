/**
 * Merging the text of a field and its grams. Values of live documents are kept in order, packed blocks copied where all of
 * their text stays. Chunks that keep any text are renumbered, small neighbours joined; lists are decoded, mapped and
 * encoded anew, gram by gram, so that nothing is gathered from text again. What was deleted leaves its grams in a chunk
 * that others share: the index leads to no fewer chunks than it should.
 */
import { blockAt } from "../source/blocks.js";
import { isSet } from "../store/bits.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import type { SegmentTrigrams } from "./field.js";
import { COPY_BLOCK, TARGET_CHUNK } from "./format.js";
import { mergeLists } from "./merge-lists.js";
import { TextTable } from "./text-table.js";
import { TextWriter } from "./text-writer.js";

/** One segment's part; `trigrams` null: none of its documents has text. */
export interface TrigramInput {
  readonly trigrams: SegmentTrigrams | null;
  readonly docCount: number;
  /** Bit set: alive. null: all are. */
  readonly live: Uint32Array | null;
}

/** Chunk whose text is all gone. */
const DROPPED = 0xffffffff;
/** Bytes of text handled between two yields. */
const SLICE_BYTES = 1024 * 1024;
const SLICE_DOCS = 8192;

/** Writes the merged field; nothing where no live document has text. Yields after some work. */
export function* mergeTrigrams(
  storage: Storage,
  sink: SectionSink,
  field: number,
  inputs: readonly TrigramInput[],
): Generator<void, void> {
  if (inputs.every(({ trigrams }) => trigrams === null)) return;
  const merge = new TextMerge(storage, sink, field);
  try {
    yield* merge.run(inputs);
  } finally {
    merge.close();
  }
}

/** Text [from, to) of an input. */
interface Stretch {
  from: number;
  to: number;
}

class TextMerge {
  readonly #storage: Storage;
  readonly #sink: SectionSink;
  readonly #field: number;
  readonly #table: TextTable;
  readonly #writer: TextWriter;
  /** The chunk that is being put together: its bytes and where it begins. */
  #open = 0;
  #value = 0;
  #offset = 0;
  #line = 0;

  constructor(storage: Storage, sink: SectionSink, field: number) {
    this.#storage = storage;
    this.#sink = sink;
    this.#field = field;
    this.#table = new TextTable(storage.arena);
    this.#writer = new TextWriter(storage, (packed) => sink.append(packed));
  }

  *run(inputs: readonly TrigramInput[]): Generator<void, void> {
    const sink = this.#sink;
    const maps: Uint32Array[] = [];
    sink.begin(SectionKind.textData, this.#field);
    for (const input of inputs) {
      const { trigrams } = input;
      if (trigrams === null) this.#emptyDocuments(input);
      else {
        const base = this.#table.values;
        const kept = yield* this.#values(input, trigrams);
        yield* this.#text(trigrams, kept.stretches);
        maps.push(this.#chunks(trigrams, kept.stretches, { base, kept: kept.values }));
      }
    }
    this.#endChunk();
    this.#writer.endBlock();
    sink.end();
    this.#table.write(sink, this.#field, this.#writer.blocks);
    const lists = inputs.flatMap(({ trigrams }) => (trigrams === null ? [] : [trigrams.lists()]));
    yield* mergeLists(this.#storage, sink, this.#field, {
      inputs: lists.map((one, i) => ({ lists: one, map: maps[i] })),
      total: this.#table.chunks,
    });
  }

  close(): void {
    this.#table.close();
    this.#writer.close();
  }

  #emptyDocuments({ docCount, live }: TrigramInput): void {
    for (let doc = 0; doc < docCount; doc++) if (isSet(live, doc)) this.#table.beginDocument();
  }

  /** Notes the values that stay; returns their text, and for each old value how many before it stay. */
  *#values(
    { docCount, live }: TrigramInput,
    trigrams: SegmentTrigrams,
  ): Generator<void, { stretches: Stretch[]; values: Uint32Array }> {
    const stretches: Stretch[] = [];
    const values = new Uint32Array(trigrams.valueCount);
    let kept = 0;
    let at = 0;
    for (let doc = 0; doc < docCount; doc++) {
      const alive = isSet(live, doc);
      if (alive) this.#table.beginDocument();
      for (let value = trigrams.firstValue(doc); value < trigrams.endValue(doc); value++) {
        const length = trigrams.valueLength(value);
        values[value] = kept;
        if (alive) {
          kept++;
          this.#table.addValue(length);
          const last = stretches.at(-1);
          if (last?.to === at) last.to += length;
          else if (length > 0) stretches.push({ from: at, to: at + length });
        }
        at += length;
      }
      if (doc % SLICE_DOCS === SLICE_DOCS - 1) yield;
    }
    return { stretches, values };
  }

  *#text({ text }: SegmentTrigrams, stretches: readonly Stretch[]): Generator<void, void> {
    const writer = this.#writer;
    let work = 0;
    for (const { from, to } of stretches) {
      for (let at = from; at < to; ) {
        const block = blockAt(text.blocks, at);
        const end = Math.min(to, text.blocks[2 * block + 2]);
        if (this.#mayCopy(text.blocks, block, at, end)) {
          writer.endBlock();
          const packedFrom = text.blocks[2 * block + 1];
          writer.appendPacked(text.packed(packedFrom, text.blocks[2 * block + 3] - packedFrom), end - at);
        } else {
          writer.append(text.load(at, end), end - at);
          writer.mayBreak();
        }
        work += end - at;
        at = end;
        if (work < SLICE_BYTES) continue;
        work = 0;
        yield;
      }
    }
  }

  /** Whether [at, end) is the whole block, large enough, and what waits before it would make no small one. */
  #mayCopy(blocks: Float64Array, block: number, at: number, end: number): boolean {
    const { pending } = this.#writer;
    const whole = at === blocks[2 * block] && end === blocks[2 * block + 2];
    return whole && end - at >= COPY_BLOCK && (pending === 0 || pending >= COPY_BLOCK);
  }

  /** Numbers the chunks that keep text. */
  #chunks(
    { text }: SegmentTrigrams,
    stretches: readonly Stretch[],
    values: { base: number; kept: Uint32Array },
  ): Uint32Array {
    const map = new Uint32Array(text.chunkCount).fill(DROPPED);
    let next = 0;
    for (let chunk = 0; chunk < map.length; chunk++) {
      const from = text.chunkStart(chunk);
      const to = text.chunkStart(chunk + 1);
      while (next < stretches.length && stretches[next].to <= from) next++;
      let bytes = 0;
      for (let i = next; i < stretches.length && stretches[i].from < to; i++) {
        bytes += Math.min(to, stretches[i].to) - Math.max(from, stretches[i].from);
      }
      if (bytes === 0) continue;
      if (this.#open + bytes > TARGET_CHUNK) this.#endChunk();
      if (this.#open === 0) this.#beginChunk(text, chunk, Math.max(from, stretches[next].from), values);
      map[chunk] = this.#table.chunks;
      this.#open += bytes;
    }
    return map;
  }

  /** The current chunk begins with text of an old one, at `at`. */
  #beginChunk(
    text: SegmentTrigrams["text"],
    chunk: number,
    at: number,
    { base, kept }: { base: number; kept: Uint32Array },
  ): void {
    let value = text.chunkValue(chunk);
    let offset = text.chunkOffset(chunk);
    let line = text.chunkLine(chunk);
    // What was before in the chunk may be gone: then it begins with a value.
    for (let start = text.chunkStart(chunk); start < at || text.valueLength(value) === offset; ) {
      start += text.valueLength(value) - offset;
      value++;
      offset = 0;
      line = 0;
    }
    [this.#value, this.#offset, this.#line] = [base + kept[value], offset, line];
  }

  #endChunk(): void {
    if (this.#open > 0) this.#table.addChunk(this.#open, this.#value, this.#offset, this.#line);
    this.#open = 0;
  }
}
