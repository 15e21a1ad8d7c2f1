/** `highlight` of a search body. */
import type { HighlightField } from "../../engine/index.js";
import { type BodyOf, oneOf, readShape, shape } from "../body/shape.js";
import { notSupported, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { readQuery } from "../query/index.js";

const OPTIONS = {
  pre_tags: "strings",
  post_tags: "strings",
  fragment_size: "integer",
  number_of_fragments: "integer",
  no_match_size: "integer",
  require_field_match: "boolean",
  order: "string",
  encoder: "string",
  highlight_query: "object",
  type: "string",
  boundary_scanner: "string",
  boundary_scanner_locale: "string",
} as const;
const REFUSED = [
  "boundary_chars",
  "boundary_max_scan",
  "force_source",
  "fragmenter",
  "fragment_offset",
  "highlight_filter",
  "matched_fields",
  "max_analyzed_offset",
  "max_fragment_length",
  "options",
  "phrase_limit",
  "tags_schema",
];
const FIELD = shape("highlight_field", "object", OPTIONS, REFUSED);
const SHAPE = shape("highlight", "object", { ...OPTIONS, fields: "any" }, REFUSED);

type Options = BodyOf<typeof FIELD>;

/** One entry per field, global options filled in. */
export function readHighlight(given: Json | undefined): HighlightField[] {
  if (given === undefined) return [];
  const { fields, ...global } = readShape(given, SHAPE);
  if (fields === undefined) return [];
  return entriesOf(fields).map(([field, own]) => highlightField(field, { ...global, ...readShape(own, FIELD) }));
}

/** `fields` is an object, or a list of objects to fix the order. */
function entriesOf(fields: Json): [string, Json][] {
  if (isObject(fields)) return Object.entries(fields);
  if (Array.isArray(fields)) return fields.flatMap((one) => (isObject(one) ? Object.entries(one) : []));
  throw parsingError("[highlight] [fields] must be an object or an array of objects", "fields");
}

function highlightField(field: string, options: Options): HighlightField {
  const type = oneOf(options.type ?? "unified", ["unified", "plain", "fvh"] as const, "[highlight] type");
  if (type !== "unified") throw notSupported(`[highlight] of type [${type}]`);
  const scanner = options.boundary_scanner ?? "sentence";
  if (scanner !== "sentence") throw notSupported(`[boundary_scanner] with value [${scanner}]`);
  const highlight: HighlightField = {
    field,
    preTag: options.pre_tags?.[0] ?? "<em>",
    postTag: options.post_tags?.[0] ?? "</em>",
    fragmentSize: options.fragment_size ?? 100,
    numberOfFragments: options.number_of_fragments ?? 5,
    noMatchSize: options.no_match_size ?? 0,
    requireFieldMatch: options.require_field_match ?? true,
    order: oneOf(options.order ?? "none", ["none", "score"] as const, "[highlight] order"),
    encoder: oneOf(options.encoder ?? "default", ["default", "html"] as const, "[highlight] encoder"),
  };
  if (options.highlight_query !== undefined) highlight.highlightQuery = readQuery(options.highlight_query);
  return highlight;
}
