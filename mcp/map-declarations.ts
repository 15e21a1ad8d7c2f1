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
  /** Declarations that use its name, shared among the declarations of that name. */
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
  const first = await rank(options.client, scope);
  const isRenewed = await check(workspace, first.ranked.slice(from, from + CHECKED));
  if (!isRenewed) return first;
  const second = await rank(options.client, scope);
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

async function rank(client: Client, scope: MapScope): Promise<{ ranked: RankedDeclaration[]; isCounted: boolean }> {
  const uses = await countUses(client, scope);
  const declared = uses.size === 0 ? [] : await declarationsNamed(client, scope, [...uses.keys()]);
  // Overloads and prototypes of one file are one symbol.
  const symbols = [...new Map(declared.map((one) => [keyOf(one), one])).values()];
  const byName = groupBy(symbols, ({ name }) => name);
  const telling = symbols.filter(({ name }) => {
    return byName.get(name)!.length <= AMBIGUOUS && !COMMON_NAMES.has(name.toLowerCase());
  });
  const edges = telling.flatMap((one) => edgesTo(one, uses.get(one.name)!, byName.get(one.name)!.length));
  const ranks = rankFiles(edges.filter(({ from, to }) => from !== to));
  const scores = new Map<string, number>();
  for (const { from, to, weight, symbol } of edges) {
    const share = from === to ? OWN_WEIGHT : (ranks.get(from) ?? 1);
    scores.set(symbol, (scores.get(symbol) ?? 0) + weight * share);
  }
  const ranked = telling.map((one) => {
    const among = byName.get(one.name)!.length;
    const users = uses.get(one.name)!.users / among;
    return { ...one, users, score: scores.get(keyOf(one)) ?? users, isStale: false };
  });
  ranked.sort(
    (a, b) => b.score - a.score || b.users - a.users || compare(a.path, b.path) || a.start_line - b.start_line,
  );
  return { ranked, isCounted: uses.size > 0 };
}

function edgesTo(one: Declared, uses: Uses, among: number): (FileEdge & { symbol: string })[] {
  return [...uses.files].map(([from, weight]) => ({ from, to: one.path, weight: weight / among, symbol: keyOf(one) }));
}

function keyOf({ repo, path, qualified_name }: Declared): string {
  return `${repo}\0${path}\0${qualified_name}`;
}

/** How many declarations use a name, and what its uses in each file count for. */
interface Uses {
  users: number;
  files: Map<string, number>;
}

async function countUses(client: Client, scope: MapScope): Promise<Map<string, Uses>> {
  const names = scope.path === "" ? undefined : await namesIn(client, scope);
  if (names?.length === 0) return new Map();
  const source = { term: { class: "source" } };
  const asked = [
    { filter: [source], weight: 1 },
    { must_not: [source], weight: OTHER_WEIGHT },
  ];
  const counted = new Map<string, Uses>();
  for (const { weight, ...clauses } of asked) {
    for (const { key, doc_count: users, files } of await usesWhere(client, scope, { names, ...clauses })) {
      const known = counted.get(key) ?? { users: 0, files: new Map<string, number>() };
      known.users += users;
      // A file that uses something twice does not need it twice as much.
      for (const file of files?.buckets ?? []) known.files.set(file.key, weight * (1 + Math.log2(file.doc_count)));
      counted.set(key, known);
    }
  }
  return counted;
}

interface UsesClauses {
  names: readonly string[] | undefined;
  filter?: object[];
  must_not?: object[];
}

async function usesWhere(client: Client, { repo }: MapScope, clauses: UsesClauses): Promise<NameUses[]> {
  const { names, filter = [], must_not = [] } = clauses;
  const named = names === undefined ? [] : [{ terms: { name: names } }];
  const query = { bool: { filter: [within({ repo, path: "" }), ...filter, ...named], must_not } };
  const body = { query, size: 0, aggs: { names: usesByName(MOST_NAMES, "file") } };
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
