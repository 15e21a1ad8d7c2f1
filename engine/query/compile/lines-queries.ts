/** Queries about the lines of a field's text. */
import { EngineError } from "../../errors.js";
import { type Field, sourcePathOf } from "../../mapping/field-table.js";
import { compileLinePattern, type LinePattern } from "../../regex/index.js";
import type { ReaderContext } from "../exec/context.js";
import { constantPlan, nonePlan, type Plan } from "../exec/plan.js";
import type { MatchingLines } from "../query.js";
import { findField } from "./fields.js";

/** Patterns kept compiled: a search over several indices, and the next page of it, ask for the same. */
const MAX_KEPT = 32;
/** The least recently used first. */
const kept = new Map<string, LinePattern>();

/** Documents with a line that the pattern matches. Throws `invalid_value` naming the column, `query_unsupported`. */
export function planMatchingLines(context: ReaderContext, query: MatchingLines, boost: number): Plan {
  const pattern = compiledPattern(query);
  const asked = findField(context, query.field);
  if (asked === undefined) return nonePlan(`MatchNoDocsQuery("unmapped field [${query.field}]")`);
  const field = lineField(asked, (path) => findField(context, path));
  const shown = query.syntax === "regex" ? `/${query.pattern}/` : JSON.stringify(query.pattern);
  const text = `${query.field}:${shown}`;
  return constantPlan(
    { kind: "lines", field, asked: query.field, sourcePath: sourcePathOf(context.reader.fields, field.path), pattern },
    boost,
    text,
  );
}

/** Its pattern, compiled now or lately. Throws `invalid_value` naming the column. */
export function compiledPattern(query: MatchingLines): LinePattern {
  let made = ofQuery.get(query);
  if (made === undefined) {
    made = keptPattern(query);
    ofQuery.set(query, made);
  }
  return made;
}

/** A search is estimated, split and run: its pattern is found by its text once. */
const ofQuery = new WeakMap<MatchingLines, LinePattern>();

function keptPattern(query: MatchingLines): LinePattern {
  const { pattern, syntax, caseInsensitive, wholeWord, multiline } = query;
  const extent = multiline ? "lines" : "line";
  const key = JSON.stringify([syntax, caseInsensitive, wholeWord, extent, pattern]);
  const made = kept.get(key) ?? compileLinePattern({ pattern, syntax, caseInsensitive, wholeWord, extent });
  kept.delete(key);
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest);
  return made;
}

/** The field itself, or its multi-field that keeps its text for this. Throws `query_unsupported`. */
export function lineField(asked: Field, find: (path: string) => Field | undefined): Field {
  if (asked.type === "wildcard") return asked;
  if (asked.type !== "text" && asked.type !== "keyword") {
    throw new EngineError(
      "query_unsupported",
      `Can only use matching_lines queries on wildcard, text and keyword fields - not on [${asked.path}] which is of type [${asked.type}]`,
      { field: asked.path, type: asked.type },
    );
  }
  const within = Object.entries(asked.mapping.fields ?? {}).find(([, multi]) => multi.type === "wildcard");
  // One that leaves long values out has not the same lines.
  if (within === undefined || within[1].ignoreAbove !== undefined) return asked;
  return find(`${asked.path}.${within[0]}`) ?? asked;
}
