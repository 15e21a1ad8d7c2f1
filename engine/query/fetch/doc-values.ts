/** Column values of single documents, as hits show them. */
import { type Field, IGNORED_FIELD, mappedFields } from "../../mapping/field-table.js";
import { decodePoint } from "../../mapping/geo-point.js";
import { matchesPattern } from "../../mapping/patterns.js";
import { columnValue, formatValue, isDateType, type RawValue } from "../../mapping/values.js";
import type { SortValue } from "../../search.js";
import type { Column } from "../../segment/types.js";
import { checkSortable } from "../../sort/index.js";
import { hasBit } from "../exec/bits.js";
import type { LeafContext, ReaderContext } from "../exec/context.js";
import { columnOf, withFielddata } from "../exec/uninverted.js";

/** A field whose values are wanted, and how they are printed. */
export interface WantedField {
  /** As the request says it. */
  readonly name: string;
  readonly field: Field;
  readonly format: string | undefined;
}

/** Fields that the names and patterns of a request mean in one index. */
export function wantedFields(
  context: ReaderContext,
  wanted: readonly { field: string; format?: string }[],
): WantedField[] {
  const found: WantedField[] = [];
  for (const { field: pattern, format } of wanted) {
    if (pattern.includes("*")) {
      for (const field of mappedFields(context.reader.fields)) {
        const readable = field.column !== null && field.mapping.docValues !== false;
        if (readable && matchesPattern(pattern, field.path)) found.push({ name: field.path, field, format });
      }
      continue;
    }
    const named = context.reader.fields.get(pattern);
    if (named === undefined) continue;
    const field = withFielddata(named);
    checkSortable(field);
    // An alias is shown under its own name.
    found.push({ name: pattern, field, format });
  }
  return found;
}

/** Values of the wanted fields that a document has. */
export function docValues(leaf: LeafContext, doc: number, wanted: readonly WantedField[]): Record<string, SortValue[]> {
  const values: Record<string, SortValue[]> = {};
  for (const { name, field, format } of wanted) {
    const raw = rawValues(leaf, field, doc);
    if (raw.length === 0) continue;
    const known = values[name] ?? [];
    values[name] = [...known, ...raw.map((value) => shown(field, value, format))];
  }
  return values;
}

function shown(field: Field, raw: RawValue, format: string | undefined): SortValue {
  if (field.type === "geo_point") {
    const { lat, lon } = decodePoint(BigInt(raw as bigint));
    return `${lat}, ${lon}`;
  }
  return isDateType(field.type) || format !== undefined ? formatValue(field, raw, format) : columnValue(field, raw);
}

/** Fields of which values of a document were left out of the index; undefined: none. */
export function ignoredFields(leaf: LeafContext, doc: number): string[] | undefined {
  const field = leaf.context.reader.fields.get(IGNORED_FIELD);
  const raw = field === undefined ? [] : rawValues(leaf, field, doc);
  return raw.length === 0 ? undefined : raw.map((value) => String(columnValue(field as Field, value)));
}

/** All values of a document in a field's column, ascending. */
export function rawValues(leaf: LeafContext, field: Field, doc: number): RawValue[] {
  const column = columnOf(leaf, field);
  if (column === null || (column.presence.bits !== null && !hasBit(column.presence.bits, doc))) return [];
  const from = column.offsets === null ? doc : column.offsets[doc];
  const to = column.offsets === null ? doc + 1 : column.offsets[doc + 1];
  const read = rowReader(leaf, field, column);
  return Array.from({ length: to - from }, (_, i) => read(from + i));
}

function rowReader(leaf: LeafContext, field: Field, column: Column): (row: number) => RawValue {
  if (column.kind === "double") return (row) => column.values[row];
  if (column.kind === "long") return (row) => column.base + BigInt(column.raw[row]) * column.step;
  const dictionary = leaf.segment.terms(field);
  return (row) => (dictionary === null ? new Uint8Array(0) : dictionary.term(column.ordinals[row]));
}
