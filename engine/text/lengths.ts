/** Lengths of documents in a text field: one byte each for scoring (norms), exact ones for what asks. */
import { CorruptionError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { SectionKind, type SectionSink, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { LENGTHS_HEADER_BYTES } from "./format.js";
import { LONGEST_EXACT, normsOf, normToLength } from "./norms.js";

/**
 * Writes norms (if the field keeps them) and exact lengths, unless norms tell them; `lengths` has one number per
 * document, 0: none.
 */
export function writeLengths(sink: SectionSink, field: Field, lengths: Uint32Array): void {
  let longest = 0;
  for (const length of lengths) if (length > longest) longest = length;
  if (longest === 0) return;
  if (field.norms) writeSection(sink, SectionKind.norms, field, normsOf(lengths));
  if (field.norms && longest <= LONGEST_EXACT) return;
  const header = new Uint8Array(LENGTHS_HEADER_BYTES);
  header[0] = longest < 256 ? 1 : longest < 65_536 ? 2 : 4;
  const values = header[0] === 1 ? new Uint8Array(lengths) : header[0] === 2 ? new Uint16Array(lengths) : lengths;
  sink.begin(SectionKind.fieldLengths, field.ordinal);
  sink.append(header);
  sink.append(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  sink.end();
}

function writeSection(sink: SectionSink, kind: SectionKind, field: Field, bytes: Uint8Array): void {
  sink.begin(kind, field.ordinal);
  sink.append(bytes);
  sink.end();
}

/** Exact lengths by document. */
export interface Lengths {
  /** Number of tokens; 0 where the document has none. */
  get(doc: number): number;
}

/** Lengths of a field in a segment. */
export function openLengths(source: SectionSource, storage: Storage, field: Field): Lengths {
  const extent = source.pin(SectionKind.fieldLengths, field.ordinal);
  if (extent === null) return lengthsOfNorms(source, storage, field);
  const { u8, memory } = storage.arena;
  const at = extent.address + LENGTHS_HEADER_BYTES;
  const bytes = extent.length - LENGTHS_HEADER_BYTES;
  const values = viewOf(memory.buffer, u8[extent.address], at, bytes);
  if (values === null) {
    throw new CorruptionError(`field lengths of "${field.path}"`, 0, "width 1, 2 or 4", `${u8[extent.address]}`);
  }
  return { get: (doc) => values[doc] };
}

function lengthsOfNorms(source: SectionSource, storage: Storage, field: Field): Lengths {
  const norms = source.pin(SectionKind.norms, field.ordinal);
  if (norms === null) return { get: () => 0 };
  const { u8 } = storage.arena;
  return { get: (doc) => normToLength(u8[norms.address + doc]) };
}

function viewOf(buffer: ArrayBufferLike, width: number, at: number, bytes: number) {
  if (width === 1) return new Uint8Array(buffer, at, bytes);
  if (width === 2) return new Uint16Array(buffer, at, bytes / 2);
  return width === 4 ? new Uint32Array(buffer, at, bytes / 4) : null;
}
