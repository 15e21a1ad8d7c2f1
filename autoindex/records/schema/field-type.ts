import type { DatasetField } from "../../../code/index.js";
import { counted } from "../bounds.js";
import { epochUnit } from "./dates.js";
import { coordinateOf } from "./entities.js";
import type { FieldProfile, NumberFacts, TextFacts } from "./profile.js";

/** A field as the catalog shows it and as the index is told of it. */
export interface TypedField {
  field: DatasetField;
  mapping: Record<string, unknown>;
}

/** Elasticsearch refuses keywords above 32,766 bytes; a UTF-16 unit has at most three. */
const KEYWORD = { type: "keyword", ignore_above: 8191 } as const;
const TEXT = { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } } as const;
const PROSE = { type: "text" } as const;

/** Above these means a text is searched by its words; below, it is a name of something. */
const NAME_WORDS = 1.5;
/** A few words that come again and again are a name too: `New York`. */
const REPEATED_WORDS = 4;
const REPEATED_SHARE = 0.05;
const NAME_CHARS = 64;
/** What reads like sentences: worth searching by meaning. */
const SEMANTIC = { words: 8, chars: 48 } as const;
/** Texts this long are not sorted by or grouped by. */
const PROSE_CHARS = 1000;

/** Distinct values from which on a field may be a key of another data set. */
const KEY_DISTINCT = 10;
const KEY_CHARS = 128;

/** Type, mapping and facts of one field, by all its values. */
export function typeField(path: string, profile: FieldProfile, records: number): TypedField {
  const typed = typeValues(path, profile, records);
  const { unprintable } = profile;
  if (unprintable === 0) return typed;
  const notes = [`${counted(unprintable, "number")} that JSON does not have (infinite, NaN) became null`];
  if (typed.field.note) notes.unshift(typed.field.note);
  return { ...typed, field: { ...typed.field, note: notes.join("; ") } };
}

function typeValues(path: string, profile: FieldProfile, records: number): TypedField {
  const { count, booleans, numbers, texts, examples } = profile;
  const field: DatasetField = {
    name: path,
    type: "keyword",
    present: count,
    null_share: records === 0 ? 0 : round(Math.max(0, records - count) / records),
    distinct: profile.distinct.estimate(),
    examples,
  };
  if (count === booleans) return { field: { ...field, type: "boolean" }, mapping: { type: "boolean" } };
  if (numbers && numbers.count === count) return withKey(typeNumbers(field, numbers), profile);
  if (texts && texts.count === count) return withKey(typeTexts(field, texts), profile);
  return { field, mapping: KEYWORD };
}

function typeNumbers(field: DatasetField, { fractions, min, max, isSorted }: NumberFacts): TypedField {
  const unit =
    fractions === 0 ? epochUnit({ name: field.name, min, max, distinct: field.distinct, isSorted }) : undefined;
  if (unit) {
    const scale = unit === "epoch_second" ? 1000 : 1;
    const range = { min: iso(min * scale), max: iso(max * scale) };
    return { field: { ...field, type: "date", format: unit, ...range }, mapping: { type: "date", format: unit } };
  }
  const type = fractions === 0 ? "long" : "double";
  const entity = coordinateOf(field.name, min, max);
  return { field: { ...field, type, ...(entity && { entity }), min, max }, mapping: { type } };
}

function typeTexts(field: DatasetField, texts: TextFacts): TypedField {
  const dates = texts.dates.settle();
  if (dates) {
    const { format } = dates;
    const range = { min: iso(dates.min), max: iso(dates.max) };
    return { field: { ...field, type: "date", format, ...range }, mapping: { type: "date", format } };
  }
  const found = texts.entities.found();
  if (found?.entity === "ip" && found.isWhole)
    return { field: { ...field, type: "ip", entity: "ip" }, mapping: { type: "ip" } };
  const note = texts.dates.isAmbiguous
    ? { note: "dates, but nothing tells whether the day or the month comes first" }
    : {};
  if (found) return { field: { ...field, entity: found.entity, ...note }, mapping: KEYWORD };
  return { field: { ...field, ...note, ...wordsOf(field, texts).facts }, mapping: wordsOf(field, texts).mapping };
}

function wordsOf(
  { distinct, present }: DatasetField,
  texts: TextFacts,
): {
  facts: Pick<DatasetField, "type" | "semantic">;
  mapping: Record<string, unknown>;
} {
  const isRepeated = texts.meanWords <= REPEATED_WORDS && distinct < present * REPEATED_SHARE;
  const isName = texts.meanWords <= NAME_WORDS || (texts.longest <= NAME_CHARS && isRepeated);
  if (isName && texts.longest <= KEYWORD.ignore_above) return { facts: { type: "keyword" }, mapping: KEYWORD };
  const isSemantic = texts.meanWords >= SEMANTIC.words && texts.meanLength >= SEMANTIC.chars;
  const mapping = texts.meanLength > PROSE_CHARS ? PROSE : TEXT;
  return { facts: { type: "text", ...(isSemantic && { semantic: true }) }, mapping };
}

/** A field that may point to another data set keeps a sketch of its values. */
function withKey({ field, mapping }: TypedField, { distinct, texts }: FieldProfile): TypedField {
  const isKey = field.type === "long" || field.type === "keyword" || field.type === "ip";
  if (!isKey || field.distinct < KEY_DISTINCT || (texts && texts.longest > KEY_CHARS)) return { field, mapping };
  return { field: { ...field, sketch: distinct.print() }, mapping };
}

function iso(millis: number): string {
  return new Date(millis).toISOString();
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
