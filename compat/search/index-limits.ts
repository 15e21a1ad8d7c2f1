/** Limits of requests that an index's settings say: one row each, with Elasticsearch's words for passing it. */
import type { EngineFace, Query, SearchRequest } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";

interface Limit {
  readonly limit: number;
  /** Up to what must be changed. */
  readonly words: (limit: number, asked: number) => string;
}

/** Settings without `index.`, sorted; what passes `limit` is refused. */
export const INDEX_LIMITS = {
  max_docvalue_fields_search: {
    limit: 100,
    words: (limit, asked) =>
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${limit}] but was [${asked}]. This limit`,
  },
  max_regex_length: {
    limit: 1_000,
    words: (limit, asked) =>
      `The length of regex [${asked}] used in the Regexp Query request has exceeded the allowed maximum of [${limit}]. This maximum`,
  },
  max_slices_per_scroll: {
    limit: 1_024,
    words: (limit, asked) =>
      `The number of slices [${asked}] is too large. It must be less than [${limit}]. This limit`,
  },
  max_terms_count: {
    limit: 65_536,
    words: (limit, asked) =>
      `The number of terms [${asked}] used in the Terms Query request has exceeded the allowed maximum of [${limit}]. This maximum`,
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitSetting = keyof typeof INDEX_LIMITS;

/** Throws ApiError 400 when a request asks one of the indices for more than it allows. */
export function checkLimit(
  engine: EngineFace,
  indices: readonly { readonly index: string }[],
  { setting, asked }: { setting: LimitSetting; asked: number },
): void {
  const { limit: usual, words } = INDEX_LIMITS[setting];
  for (const { index } of indices) {
    const limit = Number(engine.index(index)?.definition.settings[setting] ?? usual);
    if (asked > limit) {
      throw illegalArgument(
        `${words(limit, asked)} can be set by changing the [index.${setting}] index level setting.`,
      );
    }
  }
}

/** Throws ApiError 400 for a search whose columns, patterns or values are more than one of the indices allows. */
export function checkSearchLimits(
  engine: EngineFace,
  indices: readonly { readonly index: string }[],
  { docValueFields, query, postFilter }: Pick<SearchRequest, "docValueFields" | "query" | "postFilter">,
): void {
  checkLimit(engine, indices, { setting: "max_docvalue_fields_search", asked: docValueFields.length });
  for (const part of [query, postFilter]) if (part !== undefined) checkQuery(engine, indices, part);
}

function checkQuery(engine: EngineFace, indices: readonly { readonly index: string }[], query: Query): void {
  const check = (setting: LimitSetting, asked: number) => checkLimit(engine, indices, { setting, asked });
  switch (query.kind) {
    case "regexp":
      check("max_regex_length", query.value.length);
      return;
    case "terms":
      check("max_terms_count", query.values.length);
      return;
    default:
      for (const inner of innerQueries(query)) checkQuery(engine, indices, inner);
  }
}

function innerQueries(query: Query): readonly Query[] {
  switch (query.kind) {
    case "bool":
      return [...query.must, ...query.should, ...query.filter, ...query.mustNot];
    case "dis_max":
      return query.queries;
    case "constant_score":
      return [query.filter];
    case "each_field":
      return [query.query];
    default:
      return [];
  }
}
