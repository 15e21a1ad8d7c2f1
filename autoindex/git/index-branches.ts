import type { Client } from "../../client/index.js";
import { INDEX, type StoredVersion } from "../../code/index.js";
import { findDocumentPaths } from "../catalog/old-ids.js";
import { catalogId } from "../documents/ids.js";
import type { ExtractorPool } from "../process/pool.js";
import type { FileResult, RunContext } from "../process/protocol.js";
import { isSkipReason, type SkipReason } from "../skip.js";
import { BlobReader } from "./blobs.js";
import { type BranchEvidence, type BranchStep, planPath } from "./branch-plan.js";
import { BranchWriter, type ReadBranchStep } from "./branch-writer.js";
import { type Claims, claimed, type RepositoryEntry } from "./claims.js";
import { headLine, type Tracked, type WantedVersion } from "./tracked.js";

/** What a run did about branches that are not checked out. */
export interface BranchTotals {
  /** Branches indexed out of the object database. */
  names: string[];
  /** Blobs at paths that they have in the index. */
  files: number;
  /** Blobs that were read by this run, and those whose documents were there already for somebody else. */
  read: number;
  reused: number;
  skipped: Partial<Record<SkipReason, number>>;
}

/** What indexing branches works with. */
export interface BranchRun {
  client: Client;
  repo: string;
  tracked: Tracked;
  /** Claims of folders, that of this run included, and of other object databases. */
  others: Claims;
  before: BranchEvidence["before"];
  hidden: "skip" | "index";
  context: RunContext;
  guard: () => void;
}

/** Blobs that are asked for before the first of them is done, and how many bytes they may have together. */
const AHEAD_STEPS = 64;
const AHEAD_BYTES = 32 * 1024 * 1024;

/** What is to be done, path by path; none when all is as it should be. */
export function planBranches(run: BranchRun, more: Iterable<string> = []): BranchStep[] {
  const { tracked, repo, others, before, hidden } = run;
  const { stored, desired, treeBranch } = tracked;
  if (!desired) return [];
  const steps: BranchStep[] = [];
  for (const path of [...new Set([...stored.keys(), ...desired.keys(), ...more])].sort(byCodeUnit)) {
    const wanted: readonly WantedVersion[] = desired.get(path) ?? [];
    const step = planPath({ repo, path, stored: stored.get(path), wanted, others, before, hidden, treeBranch });
    if (step) steps.push(step);
  }
  return steps;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Paths with documents that nothing in the catalog leads to: a run over branches was cut off. */
export async function strayPaths({ client, repo, tracked }: BranchRun): Promise<Set<string>> {
  if (tracked.entry?.state !== "unfinished") return new Set();
  return findDocumentPaths(client, repo);
}

/** The entry of a store of which nothing is known yet. */
export function blankEntry(store: string, repo: string): RepositoryEntry {
  const nothing = { wanted: [], heads: [], tree_branch: "", history: "", history_heads: [] };
  return { entry: "repository", root: store, repo, ...nothing, state: "finished" };
}

/** The entry of the store at the end of a run, or at its beginning. */
export function repositoryEntry({ tracked, repo }: BranchRun, state: RepositoryEntry["state"]): RepositoryEntry {
  const { repository, wanted, heads, treeBranch, entry } = tracked;
  const names = heads.map(headLine);
  const base = entry ?? blankEntry(repository.store, repo);
  return { ...base, repo, wanted, heads: names, tree_branch: treeBranch, state };
}

/** Writes the entry of the store. */
export async function writeRepository(client: Client, entry: RepositoryEntry): Promise<void> {
  const id = encodeURIComponent(catalogId("repository", entry.root, ""));
  await client.json("PUT", `/${INDEX.catalog}/_doc/${id}`, entry);
}

/** Reads and writes what has changed about the branches. */
export async function applyBranches(
  run: BranchRun,
  steps: readonly BranchStep[],
  pool: () => ExtractorPool,
): Promise<void> {
  const { client, repo, tracked, guard, context } = run;
  const writer = new BranchWriter({ client, repo, store: tracked.repository.store, guard });
  const needsBlobs = steps.some(({ reads }) => reads.length > 0);
  const reader = needsBlobs ? new BlobReader(tracked.repository.folder, context.maxFileBytes) : undefined;
  try {
    for await (const read of readSteps({ run, reader, pool: needsBlobs ? pool() : undefined }, steps))
      await writer.add(read);
    await writer.finish();
  } finally {
    reader?.close();
  }
}

interface Reading {
  run: BranchRun;
  reader: BlobReader | undefined;
  pool: ExtractorPool | undefined;
}

/** Reads a bounded way ahead and hands the steps out in their order. */
async function* readSteps(reading: Reading, steps: readonly BranchStep[]): AsyncGenerator<ReadBranchStep> {
  const ahead: { size: number; done: Promise<ReadBranchStep> }[] = [];
  let bytes = 0;
  let next = 0;
  for (let at = 0; at < steps.length; at++) {
    while (next < steps.length && (ahead.length === 0 || (ahead.length < AHEAD_STEPS && bytes < AHEAD_BYTES))) {
      const held = { size: 0, done: Promise.resolve(undefined as unknown as ReadBranchStep) };
      const step = steps[next++]!;
      // The size is known only when git has answered, so a step without blobs to read costs nothing to wait for.
      const content = await contentOf(reading, step);
      held.size = content.reduce((sum, { result }) => sum + (result.kind === "bytes" ? result.bytes.length : 0), 0);
      held.done = readStep(reading, step, content);
      held.done.catch(() => {});
      bytes += held.size;
      ahead.push(held);
    }
    const { size, done } = ahead.shift()!;
    yield await done;
    bytes -= size;
  }
}

type Content = { version: StoredVersion; result: Awaited<ReturnType<BlobReader["read"]>> }[];

function contentOf({ reader }: Reading, { reads }: BranchStep): Promise<Content> {
  return Promise.all(reads.map(async (version) => ({ version, result: await reader!.read(version.blob) })));
}

async function readStep(reading: Reading, step: BranchStep, content: Content): Promise<ReadBranchStep> {
  const parts: ReadBranchStep["parts"] = [];
  for (const { version, result } of content) {
    if (result.kind === "missing") {
      version.status = "unreadable";
      version.detail = "the object database does not have it (a partial or damaged clone)";
    } else if (result.kind === "too_large") {
      Object.assign(version, { status: "too_large", detail: `${result.size} bytes`, size: result.size });
    } else {
      const read = await readVersion(reading, step.path, { version, bytes: result.bytes });
      if (read.kind === "indexed") parts.push({ version, parts: read.parts });
    }
  }
  return { step, parts };
}

async function readVersion(
  { run, pool }: Reading,
  path: string,
  { version, bytes }: { version: StoredVersion; bytes: Buffer },
): Promise<FileResult> {
  const { treeBranch } = run.tracked;
  const own = { branches: version.branches, inTree: version.branches.includes(treeBranch) };
  const fields = claimed(run.others.at(path).get(version.blob), own);
  const stored = { bytes, branches: fields.branches, inTree: fields.in_tree };
  const job = { path, knownBlob: "", knownVersion: "", records: "text" as const, stored };
  const result = await pool!.extract(run.context, job);
  const { language, version: made } = result;
  Object.assign(version, { size: bytes.length, language, version: made });
  if (result.kind === "indexed")
    Object.assign(version, { declarations: result.declarations, documents: result.documents });
  if (result.kind === "skipped") Object.assign(version, { status: result.reason, detail: result.detail });
  return result;
}

/** What the branches have in the index after a run. */
export function countBranches({ tracked }: BranchRun, steps: readonly BranchStep[]): BranchTotals {
  const after = new Map(tracked.stored);
  for (const { path, versions } of steps) after.set(path, versions);
  const skipped: Partial<Record<SkipReason, number>> = {};
  let files = 0;
  for (const { status } of [...after.values()].flat()) {
    if (isSkipReason(status)) skipped[status] = (skipped[status] ?? 0) + 1;
    else files++;
  }
  const read = steps.reduce((sum, step) => sum + step.reads.length, 0);
  const reused = steps.reduce((sum, { path, versions, reads }) => {
    const known = new Set((tracked.stored.get(path) ?? []).map(({ blob }) => blob));
    const fresh = versions.filter((version) => version.status === "indexed" && !known.has(version.blob));
    return sum + fresh.length - reads.filter(({ status, blob }) => status === "indexed" && !known.has(blob)).length;
  }, 0);
  return { names: tracked.heads.map(({ name }) => name), files, read, reused, skipped };
}
