import { type Client, WireError } from "../../client/index.js";
import { type CommitDocument, INDEX } from "../../code/index.js";
import { BulkRequest } from "../catalog/bulk-request.js";
import { ensureCommitsIndex, refreshIndices } from "../catalog/indices.js";
import { commitId } from "../documents/ids.js";
import { BulkLines } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import { type Branch, MOST_BRANCHES } from "./branches.js";
import { GitError, gitPieces } from "./command.js";
import { type Commit, readCommits } from "./read-commits.js";

/** How many of the latest commits are kept as documents when nothing is said. */
export const DEFAULT_HISTORY = "1000";

/** What commits are to be in the index. */
export interface CommitsRequest {
  client: Client;
  repo: string;
  /** Where git runs, and the name of its object database. */
  folder: string;
  store: string;
  /** Heads whose commits are wanted; a detached one has no name. */
  heads: readonly Branch[];
  /** A number of commits, the latest of all heads together; `all`; `none`. */
  history: string;
  guard: () => void;
}

/** Commits of the index after a run, and how many of them it wrote. */
export interface CommitTotals {
  commits: number;
  written: number;
  removed: number;
  /** Why the lines of some of them could not be read. */
  linesUnread?: string;
}

/** Commits that are read together. */
const GROUP = 200;
const PAGE = 5000;

type Known = Pick<CommitDocument, "sha" | "stores" | "claims">;

/** A text that says how much history is wanted, or why it does not. */
export function checkHistory(text: string): string {
  if (text === "all" || text === "none" || /^[1-9]\d{0,8}$/.test(text)) return text;
  throw new GitError("failed", `history is a number of commits, "all" or "none", not "${text}"`);
}

/**
 * Brings the commits of a repository up to date: the latest ones that the heads lead to, each once however many branches
 * and clones have it. Only new ones are read; those that are too old by now, or that nothing leads to any more, go.
 */
export async function indexCommits(request: CommitsRequest): Promise<CommitTotals> {
  const { client } = request;
  await ensureCommitsIndex(client);
  await refreshIndices(client, [INDEX.commits]);
  const wanted = await wantedCommits(request);
  const known = await readKnown(client, request.repo);
  const isNew = [...wanted.keys()].filter((sha) => !known.has(sha));
  const removed = await updateKnown(request, wanted, known);
  let linesUnread: string | undefined;
  const groups = readCommits(request.folder, isNew, GROUP, ({ message }) => {
    linesUnread = message;
  });
  for await (const commits of readAhead(groups)) await writeNew(request, wanted, commits);
  await refreshIndices(client, [INDEX.commits]);
  const totals = { commits: wanted.size, written: isNew.length, removed };
  return linesUnread === undefined ? totals : { ...totals, linesUnread };
}

/** Whether at least so many commits of a store are in the index; an index that was deleted has none. */
export async function hasCommits(
  of: Pick<CommitsRequest, "client" | "repo" | "store">,
  least: number,
): Promise<boolean> {
  const filter = [{ term: { repo: of.repo } }, { term: { stores: of.store } }];
  const body = { size: 0, track_total_hits: true, query: { bool: { filter } } };
  if (least === 0) return true;
  const reply = await of.client.request("POST", `/${INDEX.commits}/_search`, JSON.stringify(body));
  if (reply.status === 404) return false;
  if (reply.status >= 400) throw new WireError(reply.status, "exception", `POST /${INDEX.commits}/_search`, reply.text);
  const { total } = (JSON.parse(reply.text) as { hits: { total: { value: number } } }).hits;
  return total.value >= least;
}

/** Takes a store's claims on commits back: those that no other clone has go. */
export async function leaveCommits(of: Pick<CommitsRequest, "client" | "repo" | "store" | "guard">): Promise<void> {
  const reply = await of.client.request("HEAD", `/${INDEX.commits}`);
  if (reply.status === 200) await indexCommits({ ...of, folder: "", heads: [], history: "none" });
}

/** The commits by id, latest first, with the branches that have them. */
async function wantedCommits({ folder, heads, history }: CommitsRequest): Promise<Map<string, string[]>> {
  const wanted = new Map<string, string[]>();
  const used = heads.filter(({ commit }) => commit !== "").slice(0, MOST_BRANCHES + 1);
  if (history === "none" || used.length === 0) return wanted;
  const limit = history === "all" ? [] : [`--max-count=${history}`];
  for await (const sha of revisions(folder, [...limit, ...used.map(({ commit }) => commit)])) wanted.set(sha, []);
  const byCommit = new Map<string, string[]>();
  for (const { name, commit } of used) if (name) byCommit.set(commit, [...(byCommit.get(commit) ?? []), name]);
  for (const [commit, names] of byCommit) {
    for await (const sha of revisions(folder, [...limit, commit])) wanted.get(sha)?.push(...names);
  }
  return wanted;
}

async function* revisions(folder: string, args: readonly string[]): AsyncGenerator<string> {
  for await (const line of gitPieces(folder, ["rev-list", ...args], { ending: 10 })) {
    yield line.toString("latin1");
  }
}

async function readKnown(client: Client, repo: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (let after: unknown[] | undefined; ; ) {
    const answer = await client.json<{ hits: { hits: { _source: Known; sort: unknown[] }[] } }>(
      "POST",
      `/${INDEX.commits}/_search`,
      {
        size: PAGE,
        _source: ["sha", "stores", "claims"],
        track_total_hits: false,
        query: { bool: { filter: [{ term: { repo } }] } },
        sort: [{ sha: "asc" }],
        ...(after && { search_after: after }),
      },
    );
    const { hits } = answer.hits;
    for (const { _source } of hits) known.set(_source.sha, { ..._source, claims: withoutGone(_source.claims) });
    if (hits.length < PAGE) return known;
    after = hits.at(-1)!.sort;
  }
}

/** A store that was taken out stays behind as null. */
function withoutGone(claims: Record<string, string[] | null>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(claims).flatMap(([store, names]) => (names ? [[store, names]] : [])));
}

/** Commits that are there: their branches, and who has them; answers how many nobody has any more. */
async function updateKnown(
  { client, repo, store, guard }: CommitsRequest,
  wanted: ReadonlyMap<string, string[]>,
  known: ReadonlyMap<string, Known>,
): Promise<number> {
  const lines = new BulkLines();
  let removed = 0;
  for (const [sha, { claims, stores }] of known) {
    const branches = wanted.get(sha);
    if (!branches && !stores.includes(store)) continue;
    const { [store]: mine, ...others } = claims;
    const next = branches ? { ...others, [store]: [...branches].sort() } : others;
    if (Object.keys(next).length === 0) {
      removed++;
      lines.delete(INDEX.commits, commitId(repo, sha));
    } else if (!branches || mine?.join("\0") !== next[store]!.join("\0")) {
      // An update would join the objects, so that a store could not be taken out: each is said.
      const all = branches ? next : { ...next, [store]: null };
      lines.update(INDEX.commits, commitId(repo, sha), { ...claimedBy(next), claims: all });
    }
  }
  guard();
  await send(client, lines);
  return removed;
}

function claimedBy(claims: Record<string, string[]>): Pick<CommitDocument, "branches" | "stores"> {
  return { branches: [...new Set(Object.values(claims).flat())].sort(), stores: Object.keys(claims).sort() };
}

/** The next one is made while the one before is used. */
async function* readAhead<T>(groups: AsyncGenerator<T>): AsyncGenerator<T> {
  const read = () => {
    const group = groups.next();
    // Whoever waits for it gets the error; nobody does after a failure to write.
    group.catch(() => {});
    return group;
  };
  try {
    for (let group = await read(); !group.done; ) {
      const next = read();
      yield group.value;
      group = await next;
    }
  } finally {
    await groups.return(undefined);
  }
}

async function writeNew(
  { client, repo, store, guard }: CommitsRequest,
  wanted: ReadonlyMap<string, string[]>,
  commits: readonly Commit[],
): Promise<void> {
  const lines = new BulkLines();
  for (const commit of commits) {
    const claims = { [store]: [...(wanted.get(commit.sha) ?? [])].sort() };
    const document: CommitDocument = { repo, ...commit, ...claimedBy(claims), claims };
    lines.index(INDEX.commits, commitId(repo, commit.sha), JSON.stringify(document));
  }
  guard();
  await send(client, lines);
}

async function send(client: Client, lines: BulkLines): Promise<void> {
  const request = new BulkRequest<never>();
  request.add(undefined, lines.take());
  const [first] = await request.send(client, "");
  if (first) throw new AutoindexError("bulk_failed", `the node refused a commit: ${first.failure.reason}`);
}
