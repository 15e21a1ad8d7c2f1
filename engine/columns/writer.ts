/** Writes columns from the entries of a write buffer (see buffer.ts: document, low word, high word). */
import { SectionKind, type SectionSink } from "../store/section.js";
import { ColumnKind, type ColumnMeta, encodeColumnMeta, FLAG_MULTI, FLAG_SAFE } from "./format.js";
import { BigRowWriter, RowWriter, unsignedWidth } from "./row-writer.js";
import { type ColumnShapeData, ShapeBuilder, writeShape } from "./shape.js";

const WORDS = 3;
const TWO_32 = 2 ** 32;

/** Takes a row for each value, or nothing for a document without one. */
interface Rows<T> {
  push(row: T): void;
  pushAbsent(): void;
}

/** Writes the meta section: what a reader looks at first. */
export function writeMeta(sink: SectionSink, field: number, meta: ColumnMeta): void {
  sink.begin(SectionKind.columnMeta, field);
  sink.append(encodeColumnMeta(meta));
  sink.end();
}

/** The shape's part of a column's meta. */
export function shapeMeta(shape: ColumnShapeData): Pick<ColumnMeta, "docs" | "present" | "values" | "flags"> {
  const { docs, present, values } = shape;
  return { docs, present, values, flags: shape.offsets === null ? 0 : FLAG_MULTI };
}

/** Whole numbers: entries hold an i64. */
export function encodeLongs(sink: SectionSink, field: number, docs: number, entries: Uint32Array): void {
  const shape = shapeOf(docs, entries);
  writeShape(sink, field, shape);
  const facts = surveyLongs(entries);
  const width = facts === null ? 8 : unsignedWidth((facts.max - facts.min) / facts.step);
  if (facts === null || width === 8) {
    encodeBigLongs(sink, field, shape, entries);
    return;
  }
  const { min, max, step } = facts;
  const rows = new RowWriter(sink, field, { width, floating: false, blocks: true });
  const numbers = new Float64Array(entries.length / WORDS);
  for (let i = 0; i < numbers.length; i++) numbers[i] = (longAt(entries, i * WORDS) - min) / step;
  writeRows(rows, shape, entries, numbers);
  rows.finish();
  const meta = shapeMeta(shape);
  writeMeta(sink, field, {
    ...meta,
    kind: ColumnKind.long,
    width,
    flags: meta.flags | FLAG_SAFE,
    base: BigInt(min),
    step: BigInt(step),
    min: BigInt(min),
    max: BigInt(max),
  });
}

/** Fractions: entries hold an f64. Kept in 32 bits where that loses nothing. */
export function encodeDoubles(sink: SectionSink, field: number, docs: number, entries: Uint32Array): void {
  const shape = shapeOf(docs, entries);
  writeShape(sink, field, shape);
  const values = doublesOf(entries);
  const short = values.every((value) => Object.is(Math.fround(value), value));
  const rows = new RowWriter(sink, field, { width: short ? 4 : 8, floating: true, blocks: false });
  writeRows(rows, shape, entries, values);
  rows.finish();
  const meta = { ...shapeMeta(shape), kind: ColumnKind.double, width: short ? 4 : 8, base: 0n, step: 0n };
  writeMeta(sink, field, { ...meta, min: rows.least, max: rows.most });
}

/** What a write buffer's term numbers become: a term's rank in its field's dictionary, which has `count` terms. */
export interface TermOrdinals {
  readonly byTerm: Uint32Array;
  readonly count: number;
}

/** Terms: entries hold a term number. Equal terms of a document count once. */
export function encodeOrdinals(
  sink: SectionSink,
  field: number,
  docs: number,
  terms: { entries: Uint32Array } & TermOrdinals,
): void {
  const entries = distinctOrdinals(terms.entries, terms.byTerm);
  const shape = shapeOf(docs, entries);
  writeShape(sink, field, shape);
  const width = unsignedWidth(Math.max(0, terms.count - 1));
  const rows = new RowWriter(sink, field, { width, floating: false, blocks: false });
  const ordinals = new Float64Array(entries.length / WORDS);
  for (let i = 0; i < ordinals.length; i++) ordinals[i] = entries[i * WORDS + 1];
  writeRows(rows, shape, entries, ordinals);
  rows.finish();
  writeMeta(sink, field, {
    ...shapeMeta(shape),
    kind: ColumnKind.ordinals,
    width,
    base: 0n,
    step: 0n,
    min: 0n,
    max: 0n,
  });
}

function encodeBigLongs(sink: SectionSink, field: number, shape: ColumnShapeData, entries: Uint32Array): void {
  const values = bigLongsOf(entries);
  let [min, max] = [values[0], values[0]];
  let safe = true;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
    safe &&= Number.isSafeInteger(Number(value));
  }
  const rows = new BigRowWriter(sink, field);
  writeRows(
    rows,
    shape,
    entries,
    BigUint64Array.from(values, (value) => value - min),
  );
  rows.finish();
  const meta = shapeMeta(shape);
  const flags = meta.flags | (safe ? FLAG_SAFE : 0);
  writeMeta(sink, field, { ...meta, kind: ColumnKind.long, width: 8, flags, base: min, step: 1n, min, max });
}

function longAt(entries: Uint32Array, at: number): number {
  return (entries[at + 2] | 0) * TWO_32 + entries[at + 1];
}

function bigLongsOf(entries: Uint32Array): BigInt64Array {
  const values = new BigInt64Array(entries.length / WORDS);
  const words = new Uint32Array(values.buffer);
  copyWords(entries, words);
  return values;
}

function doublesOf(entries: Uint32Array): Float64Array {
  const values = new Float64Array(entries.length / WORDS);
  copyWords(entries, new Uint32Array(values.buffer));
  return values;
}

/** Low and high words of all values, side by side. */
function copyWords(entries: Uint32Array, words: Uint32Array): void {
  for (let at = 0, to = 0; at < entries.length; at += WORDS, to += 2) {
    words[to] = entries[at + 1];
    words[to + 1] = entries[at + 2];
  }
}

/** Minimum, maximum and step of values; null when they or their range leave what a number holds exactly. */
function surveyLongs(entries: Uint32Array): { min: number; max: number; step: number } | null {
  const first = longAt(entries, 0);
  let [min, max, step] = [first, first, 0];
  for (let at = 0; at < entries.length; at += WORDS) {
    const value = longAt(entries, at);
    if (value < min) min = value;
    else if (value > max) max = value;
    if (step !== 1) step = commonDivisor(step, Math.abs(value - first));
  }
  const exact = Number.isSafeInteger(min) && Number.isSafeInteger(max) && Number.isSafeInteger(max - min);
  return exact ? { min, max, step: step || 1 } : null;
}

/** Greatest common divisor; of 0 and b it is b. */
export function commonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Shape of entries: how many each document has. */
function shapeOf(docs: number, entries: Uint32Array): ColumnShapeData {
  let multi = false;
  for (let at = WORDS; at < entries.length && !multi; at += WORDS) multi = entries[at] === entries[at - WORDS];
  const builder = new ShapeBuilder(docs, multi);
  let at = 0;
  for (let doc = 0; doc < docs; doc++) {
    const from = at;
    while (at < entries.length && entries[at] === doc) at += WORDS;
    builder.add((at - from) / WORDS);
  }
  return builder.finish();
}

/** Rows in document order, several values of a document ascending; `values` has one for each entry. */
function writeRows<T extends number | bigint>(
  rows: Rows<T>,
  shape: ColumnShapeData,
  entries: Uint32Array,
  values: { readonly [entry: number]: T; readonly length: number },
): void {
  if (shape.offsets !== null) {
    writeGroups(rows, entries, values);
    return;
  }
  let next = 0;
  for (let i = 0; i < values.length; i++, next++) {
    for (const doc = entries[i * WORDS]; next < doc; next++) rows.pushAbsent();
    rows.push(values[i]);
  }
  for (; next < shape.docs; next++) rows.pushAbsent();
}

function writeGroups<T extends number | bigint>(
  rows: Rows<T>,
  entries: Uint32Array,
  values: { readonly [entry: number]: T; readonly length: number },
): void {
  for (let i = 0; i < values.length; ) {
    const doc = entries[i * WORDS];
    const from = i++;
    while (i < values.length && entries[i * WORDS] === doc) i++;
    if (i - from === 1) rows.push(values[from]);
    else for (const row of sortedGroup(values, from, i)) rows.push(row);
  }
}

function sortedGroup<T extends number | bigint>(
  values: { readonly [entry: number]: T },
  from: number,
  to: number,
): T[] {
  const group: T[] = [];
  for (let i = from; i < to; i++) group.push(values[i]);
  return group.sort(ascending);
}

/** By value; -0 before 0 and NaN last, as Lucene's sortable doubles. */
function ascending(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (Object.is(a, b)) return 0;
  if (Object.is(a, -0)) return -1;
  if (Object.is(b, -0)) return 1;
  return Number.isNaN(a) ? 1 : -1;
}

/** Entries with term numbers replaced by ordinals, equal ones of a document once. */
function distinctOrdinals(entries: Uint32Array, ordinals: Uint32Array): Uint32Array {
  const distinct = new Uint32Array(entries.length);
  let length = 0;
  for (let at = 0; at < entries.length; ) {
    const doc = entries[at];
    const from = at;
    while (at < entries.length && entries[at] === doc) at += WORDS;
    if (at - from === WORDS) {
      distinct[length] = doc;
      distinct[length + 1] = ordinals[entries[from + 1]];
      length += WORDS;
      continue;
    }
    for (const ordinal of ordinalsOf(entries.subarray(from, at), ordinals)) {
      distinct[length] = doc;
      distinct[length + 1] = ordinal;
      length += WORDS;
    }
  }
  return distinct.subarray(0, length);
}

/** Different ordinals of one document's entries, ascending. */
function ordinalsOf(entries: Uint32Array, ordinals: Uint32Array): Uint32Array {
  const group = new Uint32Array(entries.length / WORDS);
  for (let i = 0; i < group.length; i++) group[i] = ordinals[entries[i * WORDS + 1]];
  group.sort();
  return group.filter((ordinal, i) => i === 0 || ordinal !== group[i - 1]);
}
