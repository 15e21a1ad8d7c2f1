/**
 * Merging the columns of several segments into one: documents in order, deleted ones left out. Generators that yield
 * after some thousand documents, so that the caller can do other work between.
 */
import { InternalError } from "../errors.js";
import type { Column, DoubleColumn, LongColumn, OrdinalColumn } from "../segment/types.js";
import { countBits, isSet } from "../store/bits.js";
import type { SectionSink } from "../store/section.js";
import { ColumnKind, FLAG_SAFE } from "./format.js";
import { BigRowWriter, RowWriter, unsignedWidth } from "./row-writer.js";
import { type ColumnShapeData, ShapeBuilder, writeShape } from "./shape.js";
import { commonDivisor, shapeMeta, writeMeta } from "./writer.js";

/** One segment's part. */
export interface ColumnInput {
  readonly docCount: number;
  /** Bit set: alive; no bits beyond the documents. null: all are. */
  readonly live: Uint32Array | null;
  /** null: no document has a value. */
  readonly column: Column | null;
  /** Ordinal columns: old ordinal to new. */
  readonly ordinals: Uint32Array | null;
}

/** Documents between two yields. */
const SLICE_DOCS = 16_384;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Writes the merged column of a field; nothing when no input has one. `ordinalCount`: size of the merged dictionary. */
export function* mergeColumn(
  sink: SectionSink,
  field: number,
  inputs: readonly ColumnInput[],
  ordinalCount: number,
): Generator<void, void> {
  const kind = inputs.find((input) => input.column !== null)?.column?.kind;
  if (kind === undefined) return;
  const shape = yield* mergeShape(inputs);
  if (shape.present === 0) return;
  writeShape(sink, field, shape);
  const target = { sink, field, shape };
  if (kind === "long") yield* mergeLongs(target, inputs);
  else if (kind === "double") yield* mergeDoubles(target, inputs);
  else yield* mergeOrdinals(target, inputs, ordinalCount);
}

interface Target {
  sink: SectionSink;
  field: number;
  shape: ColumnShapeData;
}

interface Rows<T> {
  push(row: T): void;
  pushAbsent(): void;
}

function* mergeShape(inputs: readonly ColumnInput[]): Generator<void, ColumnShapeData> {
  let docs = 0;
  for (const { docCount, live } of inputs) docs += live === null ? docCount : countBits(live);
  const multi = inputs.some(({ column }) => column !== null && column.offsets !== null);
  const builder = new ShapeBuilder(docs, multi);
  for (const { docCount, live, column } of inputs) {
    for (let doc = 0; doc < docCount; doc++) {
      if (isSet(live, doc)) builder.add(column === null ? 0 : valueCount(column, doc));
      if (doc % SLICE_DOCS === SLICE_DOCS - 1) yield;
    }
  }
  return builder.finish();
}

function* mergeLongs(target: Target, inputs: readonly ColumnInput[]): Generator<void, void> {
  const columns = columnsOf<LongColumn>(inputs, "long");
  const base = extreme(columns, (column, so) => column.min < so.min).min;
  const top = extreme(columns, (column, so) => column.max > so.max).max;
  const small = top - base <= MAX_SAFE && columns.every((column) => column.raw.BYTES_PER_ELEMENT < 8);
  const step = small ? commonStep(columns, base) : 1;
  const width = small ? unsignedWidth(Number(top - base) / step) : 8;
  const meta = shapeMeta(target.shape);
  const safe = columns.every((column) => column.safe) ? FLAG_SAFE : 0;
  const rows =
    width === 8 ? yield* copyBigLongs(target, inputs, base) : yield* copyLongs(target, inputs, { base, step, width });
  writeMeta(target.sink, target.field, {
    ...meta,
    kind: ColumnKind.long,
    width,
    flags: meta.flags | safe,
    base,
    step: BigInt(width === 8 ? 1 : step),
    // Of live documents alone: `base` may be the value of a deleted one.
    min: base + rows.least,
    max: base + rows.most,
  });
}

/** The column that beats all others. */
function extreme(columns: readonly LongColumn[], beats: (column: LongColumn, so: LongColumn) => boolean): LongColumn {
  return columns.reduce((so, column) => (beats(column, so) ? column : so));
}

type Range = { least: bigint; most: bigint };

function* copyLongs(
  { sink, field, shape }: Target,
  inputs: readonly ColumnInput[],
  { base, step, width }: { base: bigint; step: number; width: 1 | 2 | 4 },
): Generator<void, Range> {
  const rows = new RowWriter(sink, field, { width, floating: false, blocks: true });
  yield* copyRows(rows, shape, inputs, (column) => numberRow(column as LongColumn, base, step));
  rows.finish();
  return { least: BigInt(rows.least) * BigInt(step), most: BigInt(rows.most) * BigInt(step) };
}

function* copyBigLongs(
  { sink, field, shape }: Target,
  inputs: readonly ColumnInput[],
  base: bigint,
): Generator<void, Range> {
  const rows = new BigRowWriter(sink, field);
  yield* copyRows(rows, shape, inputs, (column) => bigRow(column as LongColumn, base));
  rows.finish();
  return rows;
}

/** Greatest common divisor of all steps and of the distances between bases. */
function commonStep(columns: readonly LongColumn[], base: bigint): number {
  let step = 0;
  for (const column of columns) {
    // A column of one value has any step.
    const constant = column.max === column.min;
    const distance = Number((constant ? column.min : column.base) - base);
    step = commonDivisor(commonDivisor(step, constant ? 0 : Number(column.step)), Math.abs(distance));
  }
  return step || 1;
}

function numberRow(column: LongColumn, base: bigint, step: number): (row: number) => number {
  const raw = column.raw as Uint32Array;
  if (column.max === column.min) {
    const constant = Number(column.min - base) / step;
    return () => constant;
  }
  const factor = Number(column.step) / step;
  const offset = Number(column.base - base) / step;
  return (row) => raw[row] * factor + offset;
}

function bigRow(column: LongColumn, base: bigint): (row: number) => bigint {
  const { raw, step } = column;
  const offset = column.base - base;
  return (row) => BigInt(raw[row]) * step + offset;
}

function* mergeDoubles(target: Target, inputs: readonly ColumnInput[]): Generator<void, void> {
  const columns = columnsOf<DoubleColumn>(inputs, "double");
  const width = columns.every((column) => column.values.BYTES_PER_ELEMENT === 4) ? 4 : 8;
  const rows = new RowWriter(target.sink, target.field, { width, floating: true, blocks: false });
  yield* copyRows(rows, target.shape, inputs, (column) => {
    const { values } = column as DoubleColumn;
    return (row) => values[row];
  });
  rows.finish();
  const meta = { ...shapeMeta(target.shape), kind: ColumnKind.double, width, base: 0n, step: 0n };
  writeMeta(target.sink, target.field, { ...meta, min: rows.least, max: rows.most });
}

function* mergeOrdinals(target: Target, inputs: readonly ColumnInput[], count: number): Generator<void, void> {
  const width = unsignedWidth(Math.max(0, count - 1));
  const rows = new RowWriter(target.sink, target.field, { width, floating: false, blocks: false });
  const maps = new Map(inputs.map((input) => [input.column, input.ordinals]));
  yield* copyRows(rows, target.shape, inputs, (column) => {
    const map = maps.get(column);
    if (!map) throw new InternalError(`no ordinal map for field ${target.field}`);
    const { ordinals } = column as OrdinalColumn;
    return (row) => map[ordinals[row]];
  });
  rows.finish();
  writeMeta(target.sink, target.field, {
    ...shapeMeta(target.shape),
    kind: ColumnKind.ordinals,
    width,
    base: 0n,
    step: 0n,
    min: 0n,
    max: 0n,
  });
}

/** Copies the live documents' rows. A document's order of values stays: dictionaries and numbers keep their order. */
function* copyRows<T>(
  rows: Rows<T>,
  shape: ColumnShapeData,
  inputs: readonly ColumnInput[],
  rowsOf: (column: Column) => (row: number) => T,
): Generator<void, void> {
  const single = shape.offsets === null;
  for (const { docCount, live, column } of inputs) {
    const rowAt = column === null ? null : rowsOf(column);
    for (let from = 0; from < docCount; from += SLICE_DOCS) {
      const to = Math.min(docCount, from + SLICE_DOCS);
      for (let doc = from; doc < to; doc++) {
        if (!isSet(live, doc)) continue;
        if (column === null || rowAt === null || !isSet(column.presence.bits, doc)) {
          if (single) rows.pushAbsent();
        } else if (column.offsets === null) {
          rows.push(rowAt(doc));
        } else {
          for (let row = column.offsets[doc]; row < column.offsets[doc + 1]; row++) rows.push(rowAt(row));
        }
      }
      yield;
    }
  }
}

function columnsOf<C extends Column>(inputs: readonly ColumnInput[], kind: C["kind"]): C[] {
  const columns: C[] = [];
  for (const { column } of inputs) {
    if (column === null) continue;
    if (column.kind !== kind) throw new InternalError(`columns of kinds ${kind} and ${column.kind} cannot be merged`);
    columns.push(column as C);
  }
  return columns;
}

function valueCount(column: Column, doc: number): number {
  if (!isSet(column.presence.bits, doc)) return 0;
  return column.offsets === null ? 1 : column.offsets[doc + 1] - column.offsets[doc];
}
