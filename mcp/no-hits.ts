import {
  type CodeQuery,
  counted,
  INDEX,
  isLineQuery,
  isOneCjkLetter,
  placeClause,
  placeTerms,
  printQuery,
  type QueryTerm,
  rankNearNames,
  toNearNamesSearch,
  wantedPatterns,
  wantedTexts,
} from "../code/index.js";
import { skippedFiles } from "./catalog.js";
import { datasetHints, hintLines } from "./dataset-hints.js";
import { type AskedQuery, findHits } from "./find-hits.js";
import { lackingNotes } from "./missing-documents.js";
import { searchIndex, sources, totalOf } from "./node.js";
import { cutText, type Page } from "./page.js";
import type { Workspace } from "./workspace.js";

const NEAR_NAMES = 8;

/** What to say when nothing was found: whether there was anything to search, what was left out, and what is near. */
export async function explainNoHits(workspace: Workspace, queries: AskedQuery[], page: Page): Promise<string> {
  page.addCut(cutText(`no hits for ${queries.map(({ text }) => text).join("; ")}`, Math.floor(page.room / 3)));
  const lacking = await lackingNotes(workspace);
  const lines = [
    await describeIndex(workspace, queries, lacking.length > 0),
    ...lacking,
    ...hintLines(await datasetHints(workspace, queries)),
    ...workspace.warnings,
    ...(await nearNames(workspace, queries)),
    ...(await otherwise(workspace, queries)),
    ...(await describeUnparsed(workspace, queries)),
    ...describeSkipped(workspace),
  ];
  for (const line of lines) page.addCut(line);
  return page.text();
}

async function describeIndex(
  { client, folders }: Workspace,
  queries: AskedQuery[],
  isLacking: boolean,
): Promise<string> {
  const count = async (index: string, query: object) =>
    totalOf(await searchIndex(client, index, { query, size: 0, track_total_hits: true }));
  const isOfLines = queries.every(({ query }) => isLineQuery(query));
  const index = isOfLines ? INDEX.files : INDEX.declarations;
  const { query, places } = placesOf(queries);
  const searchedCount = await count(index, query);
  if (searchedCount === 0 && !isLacking) {
    const all = { match_all: {} };
    if ((await count(INDEX.declarations, all)) + (isOfLines ? await count(INDEX.files, all) : 0) === 0)
      return "the index is empty: `pinakes up FOLDER` makes a folder searchable";
  }
  const repos = [...new Set((folders ?? []).map(({ repo }) => repo))];
  const cutOff = (folders ?? []).filter(({ state }) => state === "unfinished");
  const unfinished = [...new Set(cutOff.map(({ repo }) => repo))];
  const partly = unfinished.length === 0 ? "" : `; not indexed to the end: ${unfinished.join(", ")}`;
  const searched = isOfLines ? `the lines of ${counted(searchedCount, "file")}` : counted(searchedCount, "declaration");
  const where = repos.length === 0 ? "" : ` in ${repos.join(", ")}`;
  return `searched ${searched}${places === "" ? where : ` of ${places}`}${partly}`;
}

/** Where queries search, as a query and as it was written; all of the index, where one of them says nothing of it. */
function placesOf(queries: readonly AskedQuery[]): { query: object; places: string } {
  const asked = queries.map(({ query }) => placeTerms(query));
  if (asked.some((terms) => terms.length === 0)) return { query: { match_all: {} }, places: "" };
  const places = [...new Set(asked.map((terms) => printQuery({ terms })))].join("; ");
  return { query: { bool: { should: asked.map(placeClause), minimum_should_match: 1 } }, places };
}

async function nearNames({ client }: Workspace, queries: AskedQuery[]): Promise<string[]> {
  const wanted = queries.flatMap(({ query }) => wantedTexts(query));
  const body = toNearNamesSearch(wanted);
  if (body === undefined) return [];
  const names = await sources<{ name: string }>(client, INDEX.declarations, body);
  const near = rankNearNames(
    wanted,
    names.map(({ name }) => name),
    NEAR_NAMES,
  );
  return near.length === 0 ? ["no name in the index is near"] : [`near names: ${near.join(", ")}`];
}

/** Keys, negations and the case are the usual reasons for nothing; says so only where it is true. */
async function otherwise(workspace: Workspace, queries: AskedQuery[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { query } of queries) {
    for (const [what, terms] of alternatives(query)) {
      const text = printQuery({ terms });
      const { queries: asked } = await findHits(workspace, [text], { offset: 0, limit: 1 });
      // What holds only most of the words is no hit of the query that would be named.
      if (asked[0].words === "all" && asked[0].total > 0) lines.push(`${what}: ${asked[0].total} hits for ${text}`);
    }
  }
  return lines;
}

/** Queries that ask for less than one that found nothing. */
function alternatives(query: CodeQuery): [string, QueryTerm[]][] {
  const kept = query.terms.filter((term) => !term.negated && !narrows(term));
  const asking: [string, QueryTerm[]][] =
    kept.length === 0 || kept.length === query.terms.length ? [] : [["without keys and negations", kept]];
  if (query.terms.some(isOneLetter)) asking.push(["inside longer words", query.terms.map(asPiece)]);
  if (!query.terms.some((term) => term.type === "key" && term.key === "branch"))
    asking.push(["on branches that are not checked out", [...query.terms, keyTerm("branch", "*")]]);
  const isSensitive = wantedPatterns(query).some((pattern) => !pattern.case_insensitive);
  if (!isSensitive) return asking;
  const rest = query.terms.filter((term) => term.type !== "key" || term.key !== "case");
  return [...asking, ["whatever the case", [...rest, keyTerm("case", "no")]]];
}

function keyTerm(key: Extract<QueryTerm, { type: "key" }>["key"], value: string): QueryTerm {
  return { type: "key", key, values: [value], negated: false };
}

/** A word of a single letter of Chinese, Japanese or Korean: within a run of them the index has it in pairs. */
function isOneLetter(term: QueryTerm): boolean {
  return term.type === "word" && !term.negated && isOneCjkLetter(term.text);
}

/** The same letter wherever it stands on a line. */
function asPiece(term: QueryTerm): QueryTerm {
  return term.type === "word" && isOneLetter(term) ? { type: "literal", text: term.text, negated: false } : term;
}

/** Whether a term only narrows what others find. */
function narrows(term: QueryTerm): boolean {
  return term.type === "key" || (term.type === "regex" && term.on !== "lines");
}

/** Files that the index has as text only: a search for declarations finds none in them. */
async function describeUnparsed({ client }: Workspace, queries: AskedQuery[]): Promise<string[]> {
  if (queries.every(({ query }) => isLineQuery(query))) return [];
  const query = { bool: { filter: [{ terms: { parsed: ["partial", "windows"] } }, { term: { class: "source" } }] } };
  const aggs = { languages: { terms: { field: "language", size: 5 } } };
  const answer = await searchIndex(client, INDEX.files, { query, size: 0, track_total_hits: true, aggs });
  const count = totalOf(answer);
  if (count === 0) return [];
  const most = (answer?.aggregations?.languages?.buckets ?? []).map(({ key, doc_count: n }) => `${key} ${n}`);
  return [
    `not parsed, or only in part: ${count} source files (${most.join(", ")}): /regex/ and content: search their lines`,
  ];
}

function describeSkipped({ folders }: Workspace): string[] {
  const { count, reasons } = skippedFiles(folders ?? []);
  if (count === 0) return [];
  const shown = reasons.map(([reason, files]) => `${reason} ${files}`).join(", ");
  return [`not in the index: ${count} files (${shown}); \`pinakes why PATH\` tells about one`];
}
