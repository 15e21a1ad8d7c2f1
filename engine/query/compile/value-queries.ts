/** Queries on whole values of fields of type wildcard, whose text is kept as it is. All matches score alike, as in Elasticsearch. */
import type { Field } from "../../mapping/field-table.js";
import { allOf, anyOf, type GramQuery, gramsOfBytes } from "../../regex/index.js";
import { type Glob, type GlobPart, glob } from "../exec/glob.js";
import { constantPlan, type Plan, type ValuesFilter } from "../exec/plan.js";
import type { RegexpCase } from "../regexp/parse.js";
import { regexp } from "../regexp/regexp.js";
import { regexpGrams } from "../regexp/regexp-grams.js";

/** How a plan is scored and shown. */
export interface ShownAs {
  readonly boost: number;
  readonly text: string;
}

/** Documents with a value that any of some patterns matches as a whole. */
export function globValues(
  field: Field,
  patterns: readonly (readonly GlobPart[])[],
  folded: boolean,
  shown: ShownAs,
): Plan {
  const globs = patterns.map((parts) => glob(parts, folded));
  return constantPlan(globsFilter(field, patterns, globs), shown.boost, shown.text);
}

/** The same without a score, for values as they are. */
export function exactValues(field: Field, values: readonly string[]): ValuesFilter {
  const patterns = values.map((literal): GlobPart[] => [{ literal }]);
  return globsFilter(
    field,
    patterns,
    patterns.map((parts) => glob(parts, false)),
  );
}

function globsFilter(field: Field, patterns: readonly (readonly GlobPart[])[], globs: readonly Glob[]): ValuesFilter {
  return { kind: "values", field, grams: anyOf(patterns.map(partsGrams)), test: { kind: "globs", globs } };
}

/** Grams are of folded letters: they say the same whether or not case matters. */
function partsGrams(parts: readonly GlobPart[]): GramQuery {
  return allOf(
    parts.map((part) => gramsOfBytes(typeof part === "object" ? Buffer.from(part.literal) : new Uint8Array(0))),
  );
}

/** Documents with a value that a regular expression matches as a whole. Throws what parsing it throws. */
export function regexpValues(field: Field, pattern: string, letters: RegexpCase, shown: ShownAs): Plan {
  regexp(pattern, letters);
  const test = { kind: "regexp", pattern, letters } as const;
  const filter: ValuesFilter = { kind: "values", field, grams: regexpGrams(pattern, letters), test };
  return constantPlan(filter, shown.boost, shown.text);
}
