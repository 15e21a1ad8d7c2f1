import type { Client } from "../client/index.js";
import { WireError } from "../client/index.js";
import { INDEX, LEADING_KINDS } from "../code/index.js";
import { type Folder, skippedFiles } from "./catalog.js";
import { COMMON_NAMES } from "./common-names.js";
import { type SearchAnswer, searchIndex, sources, totalOf } from "./node.js";

/** Names of the sections of a map, in their order. */
export const SECTIONS = ["repos", "languages", "directories", "declarations"] as const;

/** Name of a section. */
export type SectionName = (typeof SECTIONS)[number];

/** A titled list; every item is one line without its end. */
export interface Section {
  name: SectionName;
  title: string;
  items: string[];
}

/** What the map is of: everything, a repository, a folder in it. */
export interface Scope {
  repo?: string;
  /** Folder, without `/` at its ends; empty for all. */
  path: string;
}

/** Paths fetched to count directories. */
const MOST_PATHS = 10_000;
const MOST_NAMES = 300;
/** A name declared more often says nothing about which declaration is meant. */
const AMBIGUOUS = 3;

/** The folders that were indexed, and what was left out of them. */
export function repoSection(folders: readonly Folder[]): Section {
  const items = folders.map(
    (folder) =>
      `${folder.repo}: ${folder.files} files, ${folder.declarations} declarations, ${folder.records} records, in ${folder.root}`,
  );
  const { count, reasons } = skippedFiles(folders);
  if (count > 0)
    items.push(`left out: ${count} files (${reasons.map(([reason, files]) => `${reason} ${files}`).join(", ")})`);
  return { name: "repos", title: `folders: ${folders.length}`, items };
}

/** Files by language and by class. */
export async function languageSection(client: Client, scope: Scope): Promise<Section> {
  const terms = (field: string) => ({ terms: { field, size: 100 } });
  const body = {
    query: within(scope),
    size: 0,
    track_total_hits: true,
    aggs: { languages: terms("language"), classes: terms("class") },
  };
  const answer = await searchIndex(client, INDEX.files, body);
  const buckets = (name: string) => answer?.aggregations?.[name]?.buckets ?? [];
  const classes = buckets("classes").map(({ key, doc_count }) => `${key} ${doc_count}`);
  const items = buckets("languages").map(({ key, doc_count }) => `${key} ${doc_count}`);
  return { name: "languages", title: `files by language: ${totalOf(answer)} (${classes.join(", ")})`, items };
}

/** Directories two levels below the scope, those with most files first. */
export async function directorySection(client: Client, scope: Scope): Promise<Section> {
  const body = {
    query: within(scope),
    size: MOST_PATHS,
    sort: [{ path: "asc" }, { repo: "asc" }],
    track_total_hits: true,
    _source: ["path"],
  };
  const answer = await searchIndex<{ path: string }>(client, INDEX.files, body);
  const paths = (answer?.hits.hits ?? []).map((hit) => hit._source.path);
  const counts = countDirectories(paths, scope.path);
  const total = totalOf(answer);
  const partly = total > paths.length ? `, of the first ${paths.length} of ${total} files` : "";
  return {
    name: "directories",
    title: `directories: ${counts.length}${partly}`,
    items: counts.map(([directory, files]) => `${directory}/ ${files}`),
  };
}

/** The declarations that are referred to most, per declaration of that name. */
export async function declarationSection(client: Client, scope: Scope): Promise<Section> {
  const counts = await referenceCounts(client, scope);
  const declared = await declarationsNamed(client, scope, [...counts.keys()]);
  const declaredAs = new Map<string, number>();
  for (const { name } of declared) declaredAs.set(name, (declaredAs.get(name) ?? 0) + 1);
  const ranked = declared
    .map((declaration) => ({ declaration, among: declaredAs.get(declaration.name) ?? 1 }))
    .filter(({ among, declaration }) => among <= AMBIGUOUS && !COMMON_NAMES.has(declaration.name.toLowerCase()))
    .map(({ declaration, among }) => ({ declaration, references: (counts.get(declaration.name) ?? 0) / among }))
    .sort((a, b) => b.references - a.references || compare(a.declaration.path, b.declaration.path));
  const items = ranked.map(({ declaration, references }) => {
    const { path, start_line, kind, qualified_name } = declaration;
    return `${path}:${start_line}: ${kind} ${qualified_name} (${Math.round(references)} references)`;
  });
  const title = counts.size === 0 ? "no reference counts in this index" : "declarations referred to most";
  return { name: "declarations", title, items };
}

/** Files per directory, one and two levels below `under`; most files first. */
export function countDirectories(paths: readonly string[], under: string): [string, number][] {
  const depth = under === "" ? 0 : under.split("/").length;
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folders = path.split("/").slice(0, -1);
    for (let length = depth + 1; length <= Math.min(folders.length, depth + 2); length++) {
      const directory = folders.slice(0, length).join("/");
      counts.set(directory, (counts.get(directory) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
}

interface NamedDeclaration {
  name: string;
  qualified_name: string;
  kind: string;
  path: string;
  start_line: number;
}

async function referenceCounts(client: Client, scope: Scope): Promise<Map<string, number>> {
  const query = within({ repo: scope.repo, path: "" });
  const body = { query, size: 0, aggs: { names: { terms: { field: "name", size: MOST_NAMES } } } };
  const answer: SearchAnswer<unknown> | undefined = await searchIndex(client, INDEX.references, body).catch(
    (error: unknown) => {
      // A node without this aggregation still has a map; its title then says that there are no counts.
      if (error instanceof WireError && error.status === 400) return undefined;
      throw error;
    },
  );
  return new Map((answer?.aggregations?.names?.buckets ?? []).map(({ key, doc_count }) => [key, doc_count]));
}

async function declarationsNamed(client: Client, scope: Scope, names: string[]): Promise<NamedDeclaration[]> {
  if (names.length === 0) return [];
  const filter = [
    within(scope),
    { terms: { name: names } },
    { terms: { kind: [...LEADING_KINDS] } },
    { term: { class: "source" } },
  ];
  const sort = [{ name: "asc" }, { path: "asc" }, { start_line: "asc" }];
  const _source = ["name", "qualified_name", "kind", "path", "start_line"];
  return sources<NamedDeclaration>(client, INDEX.declarations, {
    query: { bool: { filter } },
    size: MOST_PATHS,
    sort,
    _source,
  });
}

function within({ repo, path }: Scope): Record<string, unknown> {
  const filter = [
    ...(repo === undefined ? [] : [{ term: { repo } }]),
    ...(path === "" ? [] : [{ prefix: { path: `${path}/` } }]),
  ];
  return filter.length === 0 ? { match_all: {} } : { bool: { filter } };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
