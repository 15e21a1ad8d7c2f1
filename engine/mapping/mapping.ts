/** Field types the engine knows. */
export const FIELD_TYPES = [
  "text",
  "keyword",
  "wildcard",
  "long",
  "integer",
  "short",
  "byte",
  "double",
  "float",
  "half_float",
  "boolean",
  "date",
  "ip",
  "dense_vector",
  "unsigned_long",
  "date_nanos",
  "binary",
  "geo_point",
  "integer_range",
  "long_range",
  "float_range",
  "double_range",
  "date_range",
  "ip_range",
  "flat_object",
  "alias",
  "completion",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How two vectors are compared. */
export type VectorSimilarity = "cosine" | "dot_product" | "l2_norm" | "max_inner_product";

/** How one field is indexed. Absent means the type's default, which is Elasticsearch's. */
export interface FieldMapping {
  type: FieldType;
  /** Searchable (default true). */
  index?: boolean;
  /** Columnar values for sorting and aggregations (default true; never for text). */
  docValues?: boolean;
  /** text: analyzer at index time (default "default" of the index, else "standard"). */
  analyzer?: string;
  searchAnalyzer?: string;
  /** keyword: name of the normalizer that every value and every query value passes through. */
  normalizer?: string;
  /** text: keep field lengths for scoring (default true). keyword: default false. */
  norms?: boolean;
  /** keyword, wildcard: longer values (UTF-16 units) are not indexed. */
  ignoreAbove?: number;
  /** Stands in for an explicit null. */
  nullValue?: string | number | boolean;
  /** Values of the wrong shape are left out of the index instead of failing the document (default false). */
  ignoreMalformed?: boolean;
  /** numbers: accept strings and cut fractions (default true). */
  coerce?: boolean;
  /** date: formats joined by `||` (default strict_date_optional_time||epoch_millis). */
  format?: string;
  /** text: gap between values of an array (default 100). */
  positionIncrementGap?: number;
  /** text: may be sorted and aggregated by, which takes memory (default false). */
  fielddata?: boolean;
  /** completion: UTF-16 units of an input that count (default 50). */
  maxInputLength?: number;
  /** completion: words stay apart (default true). */
  preserveSeparators?: boolean;
  /** Fields that receive a copy of this field's values. */
  copyTo?: string[];
  /** dense_vector: number of dimensions; taken from the first document when absent. */
  dims?: number;
  similarity?: VectorSimilarity;
  /** dense_vector: `exact` never uses a graph (default `graph`, where one pays). */
  vectorSearch?: "graph" | "exact";
  /** keyword: the one value that documents may have, and all have; `null`: that of the first document that has any. */
  constant?: string | null;
  /** text: every match scores the boost, as where neither frequencies nor lengths are kept (default `bm25`). */
  scoring?: "bm25" | "constant";
  /** double: values are rounded to multiples of one such part. */
  scale?: number;
  /** alias: the field that is meant. */
  path?: string;
  /** Multi-fields: the same value indexed in other ways under `name.key`. */
  fields?: Record<string, FieldMapping>;
  /** Handed through to readers of the mapping. */
  meta?: Record<string, string>;
  /** Parameters that change nothing in this engine (`index_options` of a vector), handed back as they came. */
  kept?: Record<string, unknown>;
}

/** What happens to fields not in the mapping: added, left out of the index, refused, or refused unless a template names them. */
export type Dynamic = "true" | "false" | "strict" | "strict_allow_templates";

/** An object and what lies in it. */
export interface ObjectMapping {
  type: "object";
  dynamic?: Dynamic;
  /** false: kept in `_source`, never parsed (default true). */
  enabled?: boolean;
  /** Each of its objects is a thing of its own: what lies in it is checked, but cannot be searched as the document's own. */
  nested?: true;
  properties: Record<string, FieldMapping | ObjectMapping>;
}

/** The mapping of an index: its root object plus what applies to all of it. */
export interface Mapping {
  dynamic?: Dynamic;
  properties: Record<string, FieldMapping | ObjectMapping>;
  /** Strings that look like dates become date fields (default true). */
  dateDetection?: boolean;
  /** Strings that look like numbers become numbers (default false). */
  numericDetection?: boolean;
  dynamicDateFormats?: string[];
  /** Tried in order for fields not in the mapping. */
  dynamicTemplates?: DynamicTemplate[];
  /** false: documents are found, but not shown (default true). */
  sourceEnabled?: boolean;
  /** Writes without a routing value are refused. */
  routingRequired?: boolean;
  /** Full path of a date field that every document must have exactly one value of. */
  timestampField?: string;
  /** The user's own notes, handed through untouched. */
  meta?: Record<string, unknown>;
}

/** A mapping for new fields of a kind; keys of `mapping` may be spelled as Elasticsearch or as FieldMapping does. */
export interface DynamicTemplate {
  name: string;
  match?: string[];
  unmatch?: string[];
  pathMatch?: string[];
  pathUnmatch?: string[];
  /** string, long, double, boolean, date, object or `*`. */
  matchMappingType?: string[];
  matchPattern?: "simple" | "regex";
  /** The mapping to use, `{name}` and `{dynamic_type}` replaced. */
  mapping: Record<string, unknown>;
}

/** Analysis settings of an index: its own analyzers by name. */
export interface AnalysisSettings {
  analyzer: Record<string, Record<string, unknown>>;
  tokenizer: Record<string, Record<string, unknown>>;
  filter: Record<string, Record<string, unknown>>;
  charFilter: Record<string, Record<string, unknown>>;
  normalizer: Record<string, Record<string, unknown>>;
}
