import { type Client, WireError } from "../client/index.js";
import { type FileEdge, INDEX, LEADING_KINDS, type NameUses, rankFiles, usesByName } from "../code/index.js";
import { COMMON_NAMES } from "./common-names.js";
import { groupBy } from "./group-by.js";
import { type MapScope, within } from "./map-scope.js";
import { searchIndex, sources } from "./node.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** Names whose uses are counted, and declarations that are ranked. */
const MOST_NAMES = 400;
const MOST_DECLARED = 10_000;
/** A name declared more often says nothing about which declaration is meant. */
const AMBIGUOUS = 3;
/** What a file's own uses, and uses by tests, vendored and generated files count for. */
const OWN_WEIGHT = 0.2;
const OTHER_WEIGHT = 0.25;
/** Ranked declarations whose files are checked before they are shown. */
const CHECKED = 60;

/** A declaration, and how much it is used. */
export interface RankedDeclaration {
  name: string;
  qualified_name: string;
  kind: string;
  path: string;
  repo: string;
  blob: string;
  start_line: number;
  /** Declarations of its repository that use its name, shared among the declarations of that name there. */
  users: number;
  /** What it is ranked by. */
  score: number;
  /** Whether its file differs from what the index read. */
  isStale: boolean;
}

/**
 * The declarations that matter most: those that files which matter themselves refer to. Files are ranked by who uses whom
 * (rank-files.ts), uses by tests and the like count less, names that standard libraries have not at all. Files of the
 * first ones from `from` on are brought up to date. `counted` is false where the node cannot count uses.
 */
export async function rankDeclarations(
  options: WorkspaceOptions,
  scope: MapScope,
  from: number,
): Promise<{ ranked: RankedDeclaration[]; isCounted: boolean }> {
  const workspace = await Workspace.open(options);
  const repos = scope.repo === undefined ? (workspace.folders ?? []).map(({ repo }) => repo) : [scope.repo];
  const asked = { scope, repos: [...new Set(repos)].sort() };
  const first = await rank(options.client, asked);
  const isRenewed = await check(workspace, first.ranked.slice(from, from + CHECKED));
  if (!isRenewed) return first;
  const second = await rank(options.client, asked);
  await check(workspace, second.ranked.slice(from, from + CHECKED));
  return second;
}

/** Marks what changed since it was indexed; whether any of it is now up to date in the index. */
async function check(workspace: Workspace, ranked: readonly RankedDeclaration[]): Promise<boolean> {
  let isRenewed = false;
  for (const one of ranked) {
    const file = await workspace.file(one.repo, one.path);
    one.isStale = file.state === "absent" || (file.state === "present" && file.blob !== one.blob);
    if (one.isStale && file.state !== "out of sight" && (await workspace.reindex(file.root, one.path)))
      isRenewed = true;
  }
  return isRenewed;
}

type Declared = Omit<RankedDeclaration, "users" | "score" | "isStale">;

/** What is mapped, and the repositories that it is in. */
interface Asked {
  scope: MapScope;
  repos: readonly string[];
}

async function rank(client: Client, asked: Asked): Promise<{ ranked: RankedDeclaration[]; isCounted: boolean }> {
  const { scope } = asked;
  const uses = await countUses(client, asked);
  const names = [...new Set([...uses.values()].map(({ name }) => name))].filter(
    (name) => !COMMON_NAMES.has(name.toLowerCase()),
  );
  // A name may mean what lies outside of the mapped folder as well: it is shared with that, whatever is mapped.
  const declared = names.length === 0 ? [] : await declarationsNamed(client, { repo: scope.repo, path: "" }, names);
  // Overloads and prototypes of one file are one symbol.
  const symbols = [...new Map(declared.map((one) => [keyOf(one), one])).values()];
  const byName = groupBy(symbols, nameKey);
  const telling = symbols.filter((one) => {
    return isWithin(one.path, scope.path) && uses.has(nameKey(one)) && byName.get(nameKey(one))!.length <= AMBIGUOUS;
  });
  const edges = telling.flatMap((one) => edgesTo(one, uses.get(nameKey(one))!, byName.get(nameKey(one))!.length));
  const ranks = rankFiles(edges.filter(({ from, to }) => from !== to));
  const scores = new Map<string, number>();
  for (const { from, to, weight, symbol } of edges) {
    const share = from === to ? OWN_WEIGHT : (ranks.get(from) ?? 1);
    scores.set(symbol, (scores.get(symbol) ?? 0) + weight * share);
  }
  const ranked = telling.map((one) => {
    const users = uses.get(nameKey(one))!.users / byName.get(nameKey(one))!.length;
    return { ...one, users, score: scores.get(keyOf(one)) ?? users, isStale: false };
  });
  ranked.sort(
    (a, b) => b.score - a.score || b.users - a.users || compare(a.path, b.path) || a.start_line - b.start_line,
  );
  return { ranked, isCounted: uses.size > 0 };
}

function edgesTo(one: Declared, uses: Uses, among: number): (FileEdge & { symbol: string })[] {
  const [to, symbol] = [fileKey(one.repo, one.path), keyOf(one)];
  return [...uses.files].map(([from, weight]) => ({ from, to, weight: weight / among, symbol }));
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function fileKey(repo: string, path: string): string {
  return `${repo}\0${path}`;
}

/** A name of one repository means another's only where there is none of its own: uses are counted apart. */
function nameKey({ repo, name }: { repo: string; name: string }): string {
  return `${repo}\0${name}`;
}

function keyOf({ repo, path, qualified_name }: Declared): string {
  return `${repo}\0${path}\0${qualified_name}`;
}

/** How many declarations of a repository use a name, and what its uses in each file count for. */
interface Uses {
  name: string;
  users: number;
  files: Map<string, number>;
}

async function countUses(client: Client, { scope, repos }: Asked): Promise<Map<string, Uses>> {
  const names = scope.path === "" ? undefined : await namesIn(client, scope);
  if (names?.length === 0) return new Map();
  const source = { term: { class: "source" } };
  const asked = [
    { filter: [source], weight: 1 },
    { must_not: [source], weight: OTHER_WEIGHT },
  ];
  const counted = new Map<string, Uses>();
  for (const { weight, ...clauses } of asked) {
    for (const found of await usesWhere(client, { scope, repos }, { names, ...clauses })) {
      const name = found.key;
      const apart = found.repos?.buckets ?? repos.slice(0, 1).map((repo) => ({ ...found, key: repo }));
      for (const { key: repo, doc_count: users, files } of apart) {
        const known = counted.get(nameKey({ repo, name })) ?? { name, users: 0, files: new Map<string, number>() };
        known.users += users;
        for (const file of files?.buckets ?? []) {
          // A file that uses something twice does not need it twice as much.
          known.files.set(fileKey(repo, file.key), weight * (1 + Math.log2(file.doc_count)));
        }
        counted.set(nameKey({ repo, name }), known);
      }
    }
  }
  return counted;
}

interface UsesClauses {
  names: readonly string[] | undefined;
  filter?: object[];
  must_not?: object[];
}

async function usesWhere(client: Client, { scope, repos }: Asked, clauses: UsesClauses): Promise<NameUses[]> {
  const { names, filter = [], must_not = [] } = clauses;
  const named = names === undefined ? [] : [{ terms: { name: names } }];
  const query = { bool: { filter: [within({ repo: scope.repo, path: "" }), ...filter, ...named], must_not } };
  const body = { query, size: 0, aggs: { names: usesByName(MOST_NAMES, "file", repos.length) } };
  try {
    const answer = await searchIndex(client, INDEX.references, body);
    return (answer?.aggregations?.names?.buckets ?? []) as NameUses[];
  } catch (error) {
    // A node without this aggregation still has a map; its title then says that there are no counts.
    if (error instanceof WireError && error.status === 400) return [];
    throw error;
  }
}

/** Names declared below a folder. */
async function namesIn(client: Client, scope: MapScope): Promise<string[]> {
  const query = { bool: { filter: [within(scope), { terms: { kind: [...LEADING_KINDS] } }] } };
  const body = { query, size: 0, aggs: { names: { terms: { field: "name", size: MOST_DECLARED } } } };
  const answer = await searchIndex(client, INDEX.declarations, body);
  return (answer?.aggregations?.names?.buckets ?? []).map(({ key }) => key);
}

async function declarationsNamed(client: Client, scope: MapScope, names: string[]): Promise<Declared[]> {
  const kinds = { terms: { kind: [...LEADING_KINDS] } };
  const filter = [within(scope), { terms: { name: names } }, kinds, { term: { class: "source" } }];
  return sources<Declared>(client, INDEX.declarations, {
    query: { bool: { filter } },
    size: MOST_DECLARED,
    sort: [{ name: "asc" }, { path: "asc" }, { start_line: "asc" }],
    _source: ["name", "qualified_name", "kind", "path", "repo", "blob", "start_line"],
  });
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
