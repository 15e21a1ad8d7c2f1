/** What tests of dictionaries and postings need: fields, prepared tokens, sections in memory that can be read again. */
import type { Field } from "../mapping/field-table.js";
import type { FieldType } from "../mapping/mapping.js";
import { NO_MORE_DOCS, type PostingsIterator, type TermDictionary, type TermState } from "../segment/types.js";
import type { Extent, SectionKind, SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import type { MemorySink } from "../store/testing.js";

/** A field as the inverted structures see it. */
export function testField(ordinal: number, type: FieldType): Field {
  const isText = type === "text";
  return {
    ordinal,
    path: `${type}${ordinal}`,
    type,
    mapping: { type },
    inverted: true,
    positions: isText,
    norms: isText,
    column: isText ? null : "ordinals",
    trigrams: false,
  };
}

/** Reads what a sink kept, from the arena. */
export class MemorySource implements SectionSource {
  readonly #extents = new Map<string, Extent>();

  constructor(
    readonly storage: Storage,
    readonly sink: MemorySink,
  ) {}

  pin(kind: SectionKind, field: number): Extent | null {
    const name = `${kind}/${field}`;
    const bytes = this.sink.sections.get(name);
    if (bytes === undefined) return null;
    const found = this.#extents.get(name);
    if (found !== undefined) return found;
    const extent = { address: this.storage.arena.alloc(bytes.length + 16), length: bytes.length };
    this.storage.arena.u8.set(bytes, extent.address);
    this.#extents.set(name, extent);
    return extent;
  }

  read(kind: SectionKind, field: number, offset: number, length: number): Uint8Array {
    return this.sink.sections.get(`${kind}/${field}`)!.slice(offset, offset + length);
  }

  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void {
    into.set(this.sink.sections.get(`${kind}/${field}`)!.subarray(offset, offset + into.length));
  }

  sectionSize(kind: SectionKind, field: number): number {
    return this.sink.sections.get(`${kind}/${field}`)?.length ?? -1;
  }

  close(): void {
    for (const { address } of this.#extents.values()) this.storage.arena.free(address);
    this.#extents.clear();
  }
}

/** Postings as tests compare them: [document, frequency, positions]. */
export type Posting = [number, number, number[]];

/** Everything an iterator gives. */
export function drain(iterator: PostingsIterator, withPositions: boolean): Posting[] {
  const found: Posting[] = [];
  for (let doc = iterator.next(); doc !== NO_MORE_DOCS; doc = iterator.next()) {
    const positions = new Uint32Array(withPositions ? iterator.freq() : 0);
    if (withPositions) iterator.positions(positions);
    found.push([doc, iterator.freq(), [...positions]]);
  }
  return found;
}

/** Every term of a dictionary with its postings. */
export function allPostings(
  terms: TermDictionary,
  open: (state: TermState) => PostingsIterator,
  withPositions: boolean,
): Map<string, Posting[]> {
  const found = new Map<string, Posting[]>();
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    found.set(Buffer.from(terms.term(ordinal)).toString("latin1"), drain(open(terms.state(ordinal)), withPositions));
  }
  return found;
}
