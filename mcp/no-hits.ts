import {
  INDEX,
  KNOWN_LANGUAGES,
  languageNames,
  nearest,
  printQuery,
  rankNearNames,
  toNearNamesSearch,
  wantedTexts,
} from "../code/index.js";
import { skippedFiles } from "./catalog.js";
import { type AskedQuery, findHits } from "./find-hits.js";
import { searchIndex, sources, totalOf } from "./node.js";
import { cutText, Page } from "./page.js";
import type { Workspace } from "./workspace.js";

const NEAR_NAMES = 8;
const MOST_LANGUAGES = 1000;

/** What to say when nothing was found: whether there was anything to search, what was left out, and what is near. */
export async function explainNoHits(workspace: Workspace, queries: AskedQuery[], maxTokens: number): Promise<string> {
  const page = new Page(maxTokens);
  page.addCut(cutText(`no hits for ${queries.map(({ text }) => text).join("; ")}`, Math.floor(page.room / 3)));
  const lines = [
    await describeIndex(workspace),
    ...(await unknownLanguages(workspace, queries)),
    ...(await nearNames(workspace, queries)),
    ...(await withoutKeys(workspace, queries)),
    ...describeSkipped(workspace),
    ...workspace.warnings,
  ];
  for (const line of lines) page.addCut(line);
  return page.text();
}

async function describeIndex({ client, folders }: Workspace): Promise<string> {
  const answer = await searchIndex(client, INDEX.declarations, {
    query: { match_all: {} },
    size: 0,
    track_total_hits: true,
  });
  const declarations = totalOf(answer);
  if (declarations === 0) return "the index is empty: `pinakes up FOLDER` makes a folder searchable";
  const repos = (folders ?? []).map(({ repo }) => repo);
  const unfinished = (folders ?? []).filter(({ state }) => state === "unfinished").map(({ repo }) => repo);
  const partly = unfinished.length === 0 ? "" : `; not indexed to the end: ${unfinished.join(", ")}`;
  return `searched ${declarations} declarations${repos.length === 0 ? "" : ` in ${repos.join(", ")}`}${partly}`;
}

/** Languages asked for of which the index has no file: a slip of the pen, or a language that is not there. */
async function unknownLanguages({ client }: Workspace, queries: AskedQuery[]): Promise<string[]> {
  const terms = queries.flatMap(({ query }) => query.terms);
  const asked = terms.flatMap((term) => (term.type === "key" && term.key === "lang" ? term.values : []));
  if (asked.length === 0) return [];
  const aggs = { languages: { terms: { field: "language", size: MOST_LANGUAGES } } };
  const answer = await searchIndex(client, INDEX.files, { query: { match_all: {} }, size: 0, aggs });
  const there = (answer?.aggregations?.languages?.buckets ?? []).map(({ key }) => key);
  const missing = asked.filter((name) => !languageNames(name).some((known) => there.includes(known)));
  return [...new Set(missing)].map((name) => {
    const near = nearest(name, [...new Set([...there, ...KNOWN_LANGUAGES])], 3).filter((other) => other !== name);
    const meant = near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
    return `no file of language ${name}${meant}; there are: ${there.join(", ")}`;
  });
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

/** Keys and negations are the usual reason for nothing; says so only where it is true. */
async function withoutKeys({ client }: Workspace, queries: AskedQuery[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { query } of queries) {
    const kept = query.terms.filter((term) => !term.negated && term.type !== "key");
    if (kept.length === 0 || kept.length === query.terms.length) continue;
    const text = printQuery({ terms: kept, ignored: [] });
    const { queries: asked } = await findHits(client, [text], { offset: 0, limit: 1 });
    if (asked[0].total > 0) lines.push(`without keys and negations: ${asked[0].total} hits for ${text}`);
  }
  return lines;
}

function describeSkipped({ folders }: Workspace): string[] {
  const { count, reasons } = skippedFiles(folders ?? []);
  if (count === 0) return [];
  const shown = reasons.map(([reason, files]) => `${reason} ${files}`).join(", ");
  return [`not in the index: ${count} files (${shown}); \`pinakes why PATH\` tells about one`];
}
