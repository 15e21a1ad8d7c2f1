import type { SectionKind, SectionSink } from "../store/section.js";

/** Bytes of a section that can't be written yet, because another section of the field is: outside the arena. */
export class ByteChunks {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes a copy. */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes.slice());
    this.#length += bytes.length;
  }

  /** Hands out everything, in order, and forgets it. */
  take(): Uint8Array[] {
    this.#length = 0;
    return this.#chunks.splice(0);
  }

  /** Writes everything as one section and forgets it; nothing when there are no bytes. */
  writeSection(sink: SectionSink, kind: SectionKind, field: number): void {
    if (this.#length === 0) return;
    sink.begin(kind, field);
    for (const chunk of this.take()) sink.append(chunk);
    sink.end();
  }
}
