/** Parameters that a field has without being told, as `_mapping/field` shows them with `include_defaults`. */
import { double } from "../json/print.js";

const INDEXED = { index: true, store: false, doc_values: true };
const NUMBER = { ...INDEXED, ignore_malformed: false, coerce: true, null_value: null };

const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  boolean: { ...INDEXED, null_value: null },
  byte: NUMBER,
  date: { ...INDEXED, format: "strict_date_optional_time||epoch_millis", ignore_malformed: false, null_value: null },
  double: NUMBER,
  float: NUMBER,
  half_float: NUMBER,
  integer: NUMBER,
  ip: { ...INDEXED, ignore_malformed: false, null_value: null },
  keyword: {
    ...INDEXED,
    eager_global_ordinals: false,
    ignore_above: 2_147_483_647,
    index_options: "docs",
    norms: false,
    null_value: null,
    normalizer: null,
    split_queries_on_whitespace: false,
  },
  long: NUMBER,
  short: NUMBER,
  text: {
    boost: double(1),
    index: true,
    store: false,
    index_options: "positions",
    analyzer: "default",
    search_analyzer: "default",
    search_quote_analyzer: "default",
    eager_global_ordinals: false,
    fielddata: false,
    norms: true,
    similarity: "BM25",
  },
};

/** Empty for a type that has nothing to show. */
export function defaultsOf(type: string): Readonly<Record<string, unknown>> {
  return Object.hasOwn(DEFAULTS, type) ? DEFAULTS[type] : {};
}
