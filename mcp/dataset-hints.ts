import { WireError } from "../client/index.js";
import { type CodeQuery, INDEX, leavesOf, printable, wantedTexts } from "../code/index.js";
import type { Dataset } from "./catalog.js";
import type { AskedQuery } from "./find-hits.js";
import { searchIndex, sources, totalOf } from "./node.js";
import type { Workspace } from "./workspace.js";

/** A data set whose records have what was searched for. */
export interface DatasetHint {
  index: string;
  dataset: string;
  /** The file it was read from, and the table, sheet or key inside it; empty when the file is one list. */
  path: string;
  part: string;
  /** How many of its records; the least there are where `recordsAre` says so. */
  records: number;
  recordsAre: "exact" | "at least";
}

/** From so many hits in code on, records are no news. */
export const FEW_HITS = 3;
/** Records that are counted, and data sets that are told. */
const COUNTED = 1000;
const TOLD = 5;
/** Words of a query that are looked for; a long text is no value of a record. */
const MOST_WORDS = 8;

/**
 * Data sets with records that hold what queries ask for: values of databases and tables are no lines of a file, so that
 * code search alone would not lead there. Nothing is asked where the folders have no records.
 */
export async function datasetHints(workspace: Workspace, queries: readonly AskedQuery[]): Promise<DatasetHint[]> {
  const hasRecords = (workspace.folders ?? []).some(({ records }) => records > 0);
  const query = hasRecords ? recordQuery(queries) : undefined;
  if (query === undefined) return [];
  const body = { query, size: COUNTED, track_total_hits: true, _source: false };
  const answer = await searchRecords(workspace, body);
  const hits = (answer?.hits.hits ?? []) as { _index?: string }[];
  const counts = new Map<string, number>();
  for (const { _index = "" } of hits) counts.set(_index, (counts.get(_index) ?? 0) + 1);
  const recordsAre = totalOf(answer) > hits.length ? "at least" : "exact";
  return describeAll(workspace, queries, { counts, recordsAre });
}

/** What is said of data sets, a line each. */
export function hintLines(hints: readonly DatasetHint[]): string[] {
  if (hints.length === 0) return [];
  const lines = hints.slice(0, TOLD).map(({ index, dataset, path, part, records, recordsAre }) => {
    const place = part === "" ? path : `${path}, ${part}`;
    const count = `${recordsAre === "exact" ? "" : "at least "}${records} ${records === 1 ? "record" : "records"}`;
    return printable(
      `${count} of ${place} ${records === 1 ? "has" : "have"} it: POST /${index}/_search, \`pinakes datasets ${dataset}\``,
    );
  });
  return [...lines, ...(hints.length > TOLD ? [`${hints.length - TOLD} more data sets have it`] : [])];
}

/** A cluster may refuse to look into so many fields at once: a hint is not worth failing a search for. */
async function searchRecords({ client }: Workspace, body: object) {
  try {
    return await searchIndex<unknown>(client, `${INDEX.dataPrefix}*`, body);
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return undefined;
    throw error;
  }
}

async function describeAll(
  { client }: Workspace,
  queries: readonly AskedQuery[],
  { counts, recordsAre }: { counts: ReadonlyMap<string, number>; recordsAre: DatasetHint["recordsAre"] },
): Promise<DatasetHint[]> {
  if (counts.size === 0) return [];
  const filter = [{ term: { entry: "dataset" } }, { terms: { index: [...counts.keys()] } }, ...repoFilter(queries)];
  const known = await sources<Dataset>(client, INDEX.catalog, {
    query: { bool: { filter } },
    size: counts.size,
    _source: ["index", "dataset", "path", "part"],
  });
  return known
    .map(({ index, dataset, path, part }) => ({ index, dataset, path, part, records: counts.get(index)!, recordsAre }))
    .sort((a, b) => b.records - a.records || (a.index < b.index ? -1 : 1));
}

/** Of queries that name repositories, those alone. */
function repoFilter(queries: readonly AskedQuery[]): object[] {
  const named = queries.flatMap(({ query }) =>
    leavesOf(query.terms).flatMap(({ leaf, wanted }) =>
      wanted && leaf.type === "key" && leaf.key === "repo" ? leaf.values : [],
    ),
  );
  return named.length === 0 || named.some((name) => /[*?/]/.test(name)) ? [] : [{ terms: { repo: named } }];
}

/** Records that have the text of any query as a value, or all its words in some fields; nothing where none has words. */
function recordQuery(queries: readonly AskedQuery[]): object | undefined {
  const should = queries.flatMap(({ query, total }) => {
    if (total > 0 && asksForNames(query)) return [];
    const words = [...new Set(wantedTexts(query).flatMap((text) => text.split(/\s+/)))].filter((word) => word !== "");
    if (words.length === 0 || words.length > MOST_WORDS) return [];
    const whole = wantedTexts(query).join(" ");
    return [...(words.length > 1 ? [anyOf(whole)] : []), { bool: { must: words.map(anyOf) } }];
  });
  return should.length === 0 ? undefined : { bool: { should, minimum_should_match: 1 } };
}

/** Whether only keys were asked for: a declaration that `def:parse` has found is no value of a record. */
function asksForNames({ terms, prose }: CodeQuery): boolean {
  return prose === undefined && leavesOf(terms).every(({ leaf }) => leaf.type === "key");
}

/** Keywords are compared whole and by case: a name is tried as it is mostly written. */
function anyOf(text: string): object {
  const lower = text.toLowerCase();
  const capital = lower.replace(/(^|\s)(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase());
  const forms = [...new Set([text, lower, capital, text.toUpperCase()])];
  const should = forms.map((query) => ({ multi_match: { query, fields: ["*"], lenient: true, operator: "and" } }));
  return { bool: { should, minimum_should_match: 1 } };
}
