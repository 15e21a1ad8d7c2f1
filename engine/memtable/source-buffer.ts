import { BlockStream } from "../source/blocks.js";
import { SourceWriter } from "../source/source-writer.js";
import { Growing } from "../store/growing.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";

/** `_source` of a write buffer, packed as it comes: so it takes little room, and sealing only copies. */
export class SourceBuffer {
  readonly #writer: SourceWriter;
  readonly #packed: Growing<"u8">;
  readonly #stream: BlockStream;

  constructor(readonly storage: Storage) {
    this.#packed = new Growing(storage.arena, "u8");
    this.#writer = new SourceWriter(storage, (bytes) => this.#keep(bytes));
    this.#stream = new BlockStream(storage, "write buffer", {
      offsets: () => this.#writer.blocks.filled(),
      copyPacked: (from, into) => into.set(this.#packed.view.subarray(from, from + into.length)),
    });
  }

  get bytes(): number {
    return this.#packed.bytes + this.#writer.bytes;
  }

  add(source: Uint8Array): void {
    this.#writer.add(source);
  }

  /** A copy of a document's bytes. */
  get(doc: number): Uint8Array {
    const writer = this.#writer;
    const from = writer.starts.view[doc];
    const to = writer.starts.view[doc + 1];
    const pendingStart = writer.rawBytes - writer.pending;
    if (from < pendingStart) return this.#stream.view(from, to).slice();
    const at = writer.pendingAddress - pendingStart;
    return this.storage.arena.u8.slice(at + from, at + to);
  }

  /** Writes the source sections. Nothing may be added afterwards. */
  flush(sink: SectionSink): void {
    this.#writer.endBlock();
    sink.begin(SectionKind.sourceData, NO_FIELD);
    sink.append(this.#packed.filled());
    sink.end();
    this.#writer.finish(sink);
  }

  close(): void {
    this.#writer.close();
    this.#packed.close();
  }

  #keep(bytes: Uint8Array): void {
    const at = this.#packed.length;
    this.#packed.reserve(at + bytes.length);
    this.#packed.view.set(bytes, at);
    this.#packed.length = at + bytes.length;
  }
}
