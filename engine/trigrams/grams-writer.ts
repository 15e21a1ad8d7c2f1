import { ByteOutput } from "../source/byte-output.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { bitmapBytes, GRAMS_PER_GROUP, INDEX_GROUP_BYTES, INDEX_HEADER_BYTES, LIST_SLACK_BYTES } from "./format.js";

/** Lists gathered before they go to the sink. */
const STAGING_BYTES = 64 * 1024;

/**
 * Writes the index of grams, gram by gram ascending. Lists go to the sink at once (section gramLists is open from the
 * first to `finish`), the rest is kept. Memory is in the arena until `close()`.
 */
export class GramsWriter {
  readonly #storage: Storage;
  readonly #sink: SectionSink;
  readonly #field: number;
  readonly #total: number;
  /** Room for the largest list behind what is gathered. */
  readonly #staging: number;
  #staged = 0;
  #listBytes = 0;
  readonly #data = new ByteOutput();
  readonly #groups: { gram: number; data: number; lists: number }[] = [];
  #grams = 0;
  #last = 0;
  #closed = false;

  /** `total`: chunks there are. */
  constructor(storage: Storage, sink: SectionSink, field: number, total: number) {
    this.#storage = storage;
    this.#sink = sink;
    this.#field = field;
    this.#total = total;
    this.#staging = storage.arena.alloc(STAGING_BYTES + bitmapBytes(total) + LIST_SLACK_BYTES);
    sink.begin(SectionKind.gramLists, field);
  }

  /** The chunks of a gram: `count` u32 at `chunks`, ascending, at least one. */
  add(gram: number, chunks: number, count: number): void {
    const { arena, kernels } = this.#storage;
    const data = this.#data;
    if (this.#grams++ % GRAMS_PER_GROUP === 0) {
      this.#groups.push({ gram, data: data.at, lists: this.#listBytes });
      this.#last = gram;
    }
    data.varint(gram - this.#last);
    this.#last = gram;
    data.varint(count);
    if (count === this.#total) return;
    if (count === 1) {
      data.varint(arena.u32[chunks >>> 2]);
      return;
    }
    const bytes = kernels.encodeChunks(chunks, count, this.#total, this.#staging + this.#staged);
    data.varint(bytes);
    this.#staged += bytes || bitmapBytes(this.#total);
    this.#listBytes += bytes || bitmapBytes(this.#total);
    if (this.#staged >= STAGING_BYTES) this.#flush();
  }

  /** Writes the rest. */
  finish(): void {
    const sink = this.#sink;
    this.#flush();
    sink.end();
    const data = this.#data;
    const index = new Uint8Array(INDEX_HEADER_BYTES + INDEX_GROUP_BYTES * this.#groups.length);
    const view = new DataView(index.buffer);
    view.setUint32(0, this.#grams, true);
    view.setUint32(4, this.#groups.length, true);
    this.#groups.forEach(({ gram, data, lists }, i) => {
      const at = INDEX_HEADER_BYTES + INDEX_GROUP_BYTES * i;
      view.setUint32(at, gram, true);
      view.setUint32(at + 4, data, true);
      view.setFloat64(at + 8, lists, true);
    });
    sink.begin(SectionKind.gramIndex, this.#field);
    sink.append(index);
    sink.end();
    sink.begin(SectionKind.gramData, this.#field);
    sink.append(data.bytes.subarray(0, data.at));
    sink.end();
  }

  close(): void {
    if (!this.#closed) this.#storage.arena.free(this.#staging);
    this.#closed = true;
  }

  #flush(): void {
    if (this.#staged > 0) this.#sink.append(this.#storage.arena.bytes(this.#staging, this.#staged));
    this.#staged = 0;
  }
}
