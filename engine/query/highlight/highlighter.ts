/**
 * Highlights like Elasticsearch's unified highlighter: the field's values from the source are analysed again, the tokens that
 * the query matches are marked, and the best fragments around marks are shown. Differences: each word of a phrase has tags of
 * its own, and sentences are those of ICU's current rules.
 */
import { type Field, mappedFields } from "../../mapping/field-table.js";
import { matchesPattern } from "../../mapping/patterns.js";
import type { HighlightField } from "../../search.js";
import { compileQuery } from "../compile/compile.js";
import type { ReaderContext } from "../exec/context.js";
import type { Plan } from "../exec/plan.js";
import { type Matcher, matchersOf } from "./matchers.js";
import { cutPassages, type Mark, type Passage, scorePassages, wordBoundaryAfter } from "./passages.js";
import { sourceValues } from "./source-values.js";

/** Highlights documents of one index for one search. */
export interface Highlighter {
  /** Fragments by field; fields without any are left out. `source`: the document's raw JSON. */
  highlight(source: Uint8Array): Record<string, string[]>;
}

/** A field to highlight, with what marks it. */
interface Part {
  readonly field: Field;
  readonly options: HighlightField;
  readonly matchers: readonly Matcher[];
}

/** The highlighter of a search in one index. */
export function createHighlighter(context: ReaderContext, plan: Plan, fields: readonly HighlightField[]): Highlighter {
  const matchers = matchersOf(plan);
  const parts = fields.flatMap((options) => {
    const own =
      options.highlightQuery === undefined ? matchers : matchersOf(compileQuery(context, options.highlightQuery));
    return highlightable(context, options.field).map((field) => ({
      field,
      options,
      matchers: relevant(own, field, options),
    }));
  });
  return {
    highlight: (source) => {
      const document: unknown = JSON.parse(
        Buffer.from(source.buffer, source.byteOffset, source.length).toString("utf8"),
      );
      const result: Record<string, string[]> = {};
      for (const part of parts) {
        const fragments = highlightField(context, part, fieldValues(document, part.field));
        if (fragments.length > 0) result[part.field.path] = fragments;
      }
      return result;
    },
  };
}

/** Patterns mean texts and keywords only. */
function highlightable(context: ReaderContext, pattern: string): Field[] {
  if (!pattern.includes("*")) {
    const field = context.reader.fields.get(pattern);
    return field === undefined ? [] : [field];
  }
  return mappedFields(context.reader.fields).filter(
    (field) => (field.type === "text" || field.type === "keyword") && matchesPattern(pattern, field.path),
  );
}

function relevant(matchers: readonly Matcher[], field: Field, options: HighlightField): Matcher[] {
  return options.requireFieldMatch ? matchers.filter((matcher) => matcher.field === field) : [...matchers];
}

/** A multi-field has the values of the field it belongs to. Keywords that are too long to be indexed are passed over. */
function fieldValues(document: unknown, field: Field): string[] {
  const own = sourceValues(document, field.path);
  const parent = field.path.lastIndexOf(".");
  const values = own.length > 0 || parent < 0 ? own : sourceValues(document, field.path.slice(0, parent));
  const { ignoreAbove } = field.mapping;
  return ignoreAbove === undefined ? values : values.filter((text) => text.length <= ignoreAbove);
}

function highlightField(context: ReaderContext, part: Part, values: readonly string[]): string[] {
  const { field, options } = part;
  const wholeValues = options.numberOfFragments === 0 || field.type !== "text";
  const size = wholeValues ? 0 : Math.max(1, options.fragmentSize);
  const found: { value: number; passage: Passage }[] = [];
  values.forEach((text, value) => {
    const marks = marksOf(context, part, text);
    const passages = cutPassages(text, marks, options.fragmentSize === 0 && !wholeValues ? text.length : size);
    found.push(...passages.map((passage) => ({ value, passage })));
  });
  if (found.length === 0) return noMatch(options, values);
  scoreAll(found, values);
  const kept = wholeValues ? found : best(found, options);
  return kept.map(({ value, passage }) => render(values[value], passage, options).trim()).filter((text) => text !== "");
}

function marksOf(context: ReaderContext, part: Part, text: string): Mark[] {
  const tokens = context.analysis.indexTokens(part.field, text);
  const marked = new Set<number>();
  for (const matcher of part.matchers) matcher.mark(tokens, marked);
  const marks: Mark[] = [];
  for (const index of [...marked].sort((a, b) => a - b)) {
    const { start, end, term } = tokens[index];
    const last = marks.at(-1);
    // Tokens may overlap (a whole identifier and its parts): one mark covers them.
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else marks.push({ start, end, term: Buffer.from(term).toString("latin1") });
  }
  return marks;
}

/** Scores passages by their place in all values joined. */
function scoreAll(found: readonly { value: number; passage: Passage }[], values: readonly string[]): void {
  const starts = values.map((_, i) => values.slice(0, i).reduce((sum, text) => sum + text.length + 1, 0));
  const length = values.reduce((sum, text) => sum + text.length + 1, -1);
  const placed = found.map(({ value, passage }) => ({
    ...passage,
    start: passage.start + starts[value],
    end: passage.end + starts[value],
  }));
  scorePassages(placed, length);
  found.forEach(({ passage }, i) => {
    passage.score = placed[i].score;
  });
}

function best(
  found: readonly { value: number; passage: Passage }[],
  options: HighlightField,
): { value: number; passage: Passage }[] {
  const byScore = found.map((one, order) => ({ ...one, order }));
  byScore.sort((a, b) => b.passage.score - a.passage.score || a.order - b.order);
  const kept = byScore.slice(0, options.numberOfFragments);
  return options.order === "score" ? kept : kept.sort((a, b) => a.order - b.order);
}

function noMatch(options: HighlightField, values: readonly string[]): string[] {
  const [text] = values;
  if (options.noMatchSize <= 0 || text === undefined || text === "") return [];
  const end = options.noMatchSize < text.length ? wordBoundaryAfter(text, options.noMatchSize) : text.length;
  const shown = encode(text.slice(0, end), options).trim();
  return shown === "" ? [] : [shown];
}

function render(text: string, passage: Passage, options: HighlightField): string {
  let out = "";
  let at = passage.start;
  for (const mark of passage.marks) {
    const end = Math.max(mark.end, mark.start);
    out += encode(text.slice(at, mark.start), options);
    out += options.preTag + encode(text.slice(mark.start, end), options) + options.postTag;
    at = end;
  }
  return out + encode(text.slice(at, Math.max(at, passage.end)), options);
}

const HTML: Record<string, string> = {
  '"': "&quot;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#x27;",
  "/": "&#x2F;",
};

function encode(text: string, options: HighlightField): string {
  return options.encoder === "html" ? text.replace(/["&<>'/]/g, (c) => HTML[c]) : text;
}
