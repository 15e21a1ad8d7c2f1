import { InternalError } from "../errors.js";
import type { Column, DoubleColumn, LongColumn, OrdinalColumn, Presence } from "../segment/types.js";
import type { Arena } from "../store/arena.js";
import { SectionKind, type SectionSource } from "../store/section.js";
import { COLUMN_META_BYTES, ColumnKind, type ColumnMeta, decodeColumnMeta, FLAG_MULTI, FLAG_SAFE } from "./format.js";

/**
 * The column of a field, its arrays views of the arena (valid as long as the segment is in use); null: the segment
 * has no value of it.
 */
export function readColumn(source: SectionSource, arena: Arena, field: number): Column | null {
  if (source.sectionSize(SectionKind.columnMeta, field) < 0) return null;
  const meta = decodeColumnMeta(source.read(SectionKind.columnMeta, field, 0, COLUMN_META_BYTES));
  const parts = new ColumnParts(source, arena, field);
  const shape = {
    docCount: meta.docs,
    presence: { bits: parts.words(SectionKind.columnPresence), count: meta.present },
    offsets: meta.flags & FLAG_MULTI ? parts.words(SectionKind.columnOffsets) : null,
  };
  if (meta.kind === ColumnKind.long) return longColumn(parts, meta, shape);
  if (meta.kind === ColumnKind.double) return doubleColumn(parts, meta, shape);
  if (meta.kind === ColumnKind.ordinals) return ordinalColumn(parts, meta, shape);
  throw new InternalError(`column of field ${field} is of unknown kind ${meta.kind}`);
}

type Shape = { docCount: number; presence: Presence; offsets: Uint32Array | null };

/** Views of one column's sections. */
class ColumnParts {
  constructor(
    readonly source: SectionSource,
    readonly arena: Arena,
    readonly field: number,
  ) {}

  words(kind: SectionKind): Uint32Array | null {
    const extent = this.source.pin(kind, this.field);
    return extent && new Uint32Array(this.arena.memory.buffer, extent.address, extent.length / 4);
  }

  values(): { address: number; buffer: ArrayBufferLike } {
    const extent = this.source.pin(SectionKind.columnValues, this.field);
    if (extent === null) throw new InternalError(`column of field ${this.field} has no values section`);
    return { address: extent.address, buffer: this.arena.memory.buffer };
  }
}

function longColumn(parts: ColumnParts, meta: ColumnMeta, shape: Shape): LongColumn {
  const { address, buffer } = parts.values();
  return {
    kind: "long",
    ...shape,
    raw: meta.width === 8 ? new BigUint64Array(buffer, address, meta.values) : unsigned(buffer, address, meta),
    rawAddress: address,
    base: meta.base,
    step: meta.step,
    safe: (meta.flags & FLAG_SAFE) !== 0,
    min: meta.min as bigint,
    max: meta.max as bigint,
    blockMin: parts.words(SectionKind.columnBlockMin),
    blockMax: parts.words(SectionKind.columnBlockMax),
  };
}

function doubleColumn(parts: ColumnParts, meta: ColumnMeta, shape: Shape): DoubleColumn {
  const { address, buffer } = parts.values();
  return {
    kind: "double",
    ...shape,
    values:
      meta.width === 4
        ? new Float32Array(buffer, address, meta.values)
        : new Float64Array(buffer, address, meta.values),
    valuesAddress: address,
    min: meta.min as number,
    max: meta.max as number,
  };
}

function ordinalColumn(parts: ColumnParts, meta: ColumnMeta, shape: Shape): OrdinalColumn {
  const { address, buffer } = parts.values();
  return { kind: "ordinals", ...shape, ordinals: unsigned(buffer, address, meta), ordinalsAddress: address };
}

function unsigned(buffer: ArrayBufferLike, address: number, meta: ColumnMeta): Uint8Array | Uint16Array | Uint32Array {
  if (meta.width === 1) return new Uint8Array(buffer, address, meta.values);
  if (meta.width === 2) return new Uint16Array(buffer, address, meta.values);
  return new Uint32Array(buffer, address, meta.values);
}
