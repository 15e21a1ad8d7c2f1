import type { Client } from "../client/index.js";
import { counted, INDEX } from "../code/index.js";
import { type Folder, skippedFiles } from "./catalog.js";
import { rankDeclarations } from "./map-declarations.js";
import { type MapScope, within } from "./map-scope.js";
import { searchIndex, totalOf } from "./node.js";
import type { WorkspaceOptions } from "./workspace.js";

/** Names of the sections of a map, in their order. */
export const SECTIONS = ["repos", "languages", "directories", "declarations", "datasets"] as const;

/** Name of a section. */
export type SectionName = (typeof SECTIONS)[number];

/** A titled list; every item is one line without its end. */
export interface Section {
  name: SectionName;
  title: string;
  items: string[];
}

/** Paths fetched to count directories. */
const MOST_PATHS = 10_000;

/** The folders that were indexed, and what was left out of them. */
export function repoSection(folders: readonly Folder[]): Section {
  const items = folders.map(
    (folder) =>
      `${folder.repo}: ${counted(folder.files, "file")}, ${counted(folder.declarations, "declaration")}, ` +
      `${counted(folder.records, "record")}, in ${folder.root}`,
  );
  const { count, reasons } = skippedFiles(folders);
  if (count > 0)
    items.push(
      `left out: ${counted(count, "file")} (${reasons.map(([reason, files]) => `${reason} ${files}`).join(", ")})`,
    );
  return { name: "repos", title: `folders: ${folders.length}`, items };
}

/** Files by language and by class. */
export async function languageSection(client: Client, scope: MapScope): Promise<Section> {
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
export async function directorySection(client: Client, scope: MapScope): Promise<Section> {
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

/** The declarations that are referred to most; those from an item on are checked against their files. */
export async function declarationSection(options: WorkspaceOptions, scope: MapScope, from: number): Promise<Section> {
  const { ranked, isCounted } = await rankDeclarations(options, scope, from);
  const items = ranked.map(({ path, start_line, kind, qualified_name, users, isStale }) => {
    const stale = isStale ? ", changed since it was indexed" : "";
    return `${path}:${start_line}: ${kind} ${qualified_name}${stale} (used by ${Math.round(users)})`;
  });
  return {
    name: "declarations",
    title: isCounted ? "declarations referred to most, and by how many" : "no reference counts in this index",
    items,
  };
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

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
