/**
 * Parameters of a field mapping: Elasticsearch's name, the engine's, the field types that take it, and the kind of its
 * value. One row each; a parameter that is in no row, or not for the type, is refused by name.
 */
import { FIELD_TYPES, type FieldMapping, type FieldType } from "../../engine/index.js";
import type { ValueKind } from "../body/shape.js";

export interface MappingParameter {
  readonly name: string;
  readonly key: keyof FieldMapping;
  readonly kind: ValueKind;
  readonly types: readonly FieldType[] | "all";
  /** Elasticsearch's default: not printed. Absent where Elasticsearch prints whatever was said. */
  readonly otherwise?: string | number | boolean;
}

const WHOLE: readonly FieldType[] = ["long", "integer", "short", "byte", "unsigned_long"];
const NUMBERS: readonly FieldType[] = [...WHOLE, "double", "float", "half_float"];
const DATES: readonly FieldType[] = ["date", "date_nanos"];
const SCALARS: readonly FieldType[] = [...NUMBERS, ...DATES, "boolean", "ip", "keyword"];
const RANGES: readonly FieldType[] = [
  "integer_range",
  "long_range",
  "float_range",
  "double_range",
  "date_range",
  "ip_range",
];

/** Sorted by name. `fields`, `properties` and `type` are the converter's own. */
export const MAPPING_PARAMETERS: readonly MappingParameter[] = [
  { name: "analyzer", key: "analyzer", kind: "string", types: ["text", "completion"] },
  { name: "coerce", key: "coerce", kind: "boolean", types: NUMBERS },
  { name: "copy_to", key: "copyTo", kind: "strings", types: [...SCALARS, "text", "wildcard"] },
  { name: "dims", key: "dims", kind: "integer", types: ["dense_vector"] },
  { name: "doc_values", key: "docValues", kind: "boolean", types: [...SCALARS, "geo_point"], otherwise: true },
  { name: "doc_values", key: "docValues", kind: "boolean", types: ["binary"], otherwise: false },
  { name: "fielddata", key: "fielddata", kind: "boolean", types: ["text"], otherwise: false },
  {
    name: "format",
    key: "format",
    kind: "string",
    types: [...DATES, "date_range"],
    otherwise: "strict_date_optional_time||epoch_millis",
  },
  {
    name: "ignore_above",
    key: "ignoreAbove",
    kind: "integer",
    types: ["keyword", "wildcard"],
    otherwise: 2_147_483_647,
  },
  { name: "ignore_malformed", key: "ignoreMalformed", kind: "boolean", types: NUMBERS },
  {
    name: "ignore_malformed",
    key: "ignoreMalformed",
    kind: "boolean",
    types: ["boolean", ...DATES, "ip", "geo_point"],
    otherwise: false,
  },
  {
    name: "index",
    key: "index",
    kind: "boolean",
    types: [...SCALARS, "text", "dense_vector", "geo_point"],
    otherwise: true,
  },
  { name: "max_input_length", key: "maxInputLength", kind: "integer", types: ["completion"] },
  { name: "meta", key: "meta", kind: "object", types: "all" },
  { name: "normalizer", key: "normalizer", kind: "string", types: ["keyword"] },
  { name: "norms", key: "norms", kind: "boolean", types: ["text"], otherwise: true },
  { name: "norms", key: "norms", kind: "boolean", types: ["keyword"], otherwise: false },
  { name: "null_value", key: "nullValue", kind: "scalar", types: [...SCALARS, "wildcard"] },
  { name: "path", key: "path", kind: "string", types: ["alias"] },
  { name: "position_increment_gap", key: "positionIncrementGap", kind: "integer", types: ["text"] },
  { name: "preserve_separators", key: "preserveSeparators", kind: "boolean", types: ["completion"] },
  { name: "scaling_factor", key: "scale", kind: "number", types: ["double"] },
  { name: "search_analyzer", key: "searchAnalyzer", kind: "string", types: ["text", "completion"] },
  { name: "similarity", key: "similarity", kind: "string", types: ["dense_vector"] },
];

/** Accepted only with the value that changes nothing, which is Elasticsearch's default or says what is so anyway. */
export const DEFAULT_ONLY: readonly {
  readonly name: string;
  readonly types: readonly FieldType[];
  readonly values: readonly unknown[];
  /** Handed back although it is the default. */
  readonly shown?: true;
}[] = [
  { name: "coerce", types: RANGES, values: [true] },
  { name: "doc_values", types: RANGES, values: [true] },
  { name: "element_type", types: ["dense_vector"], values: ["float"] },
  { name: "index", types: RANGES, values: [true] },
  { name: "index_options", types: ["text"], values: ["positions"] },
  { name: "index_options", types: ["keyword"], values: ["docs"] },
  { name: "index_phrases", types: ["text"], values: [false] },
  { name: "preserve_position_increments", types: ["completion"], values: [true], shown: true },
  { name: "similarity", types: ["text", "keyword"], values: ["BM25"], shown: true },
  { name: "split_queries_on_whitespace", types: ["keyword"], values: [false] },
  { name: "time_series_dimension", types: SCALARS, values: [false] },
];

/** Only about speed or precision that is always better here: kept and handed back, but for the default. */
export const KEPT: readonly {
  readonly name: string;
  readonly types: readonly FieldType[];
  readonly otherwise?: unknown;
}[] = [
  { name: "eager_global_ordinals", types: ["keyword", "text"], otherwise: false },
  { name: "index_options", types: ["dense_vector"] },
  { name: "locale", types: [...DATES, "date_range"], otherwise: "ROOT" },
  // Read from `_source`: no second copy is kept.
  { name: "store", types: [...SCALARS, ...RANGES, "text", "binary", "geo_point"], otherwise: false },
  // Made of the text when they are asked for.
  { name: "term_vector", types: ["text"], otherwise: "no" },
];

/** Types that are others with something more said about them: how the engine has them, and what of theirs is not taken. */
export const TYPE_FORMS: Readonly<
  Record<string, { readonly field: FieldMapping; readonly refused: readonly string[] }>
> = {
  constant_keyword: {
    field: { type: "keyword", constant: null, kept: { type: "constant_keyword" } },
    refused: ["copy_to", "doc_values", "ignore_above", "index", "normalizer", "norms", "null_value", "store"],
  },
  flattened: { field: { type: "flat_object", kept: { type: "flattened" } }, refused: [] },
  match_only_text: {
    field: { type: "text", scoring: "constant", kept: { type: "match_only_text" } },
    refused: ["index", "norms", "store", "term_vector", "index_options"],
  },
  scaled_float: { field: { type: "double", kept: { type: "scaled_float" } }, refused: [] },
};

export const KNOWN_TYPES: ReadonlySet<string> = new Set([...FIELD_TYPES, ...Object.keys(TYPE_FORMS), "nested"]);
