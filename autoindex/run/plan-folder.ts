import { type Client, WireError } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { Commit } from "../catalog/commit.js";
import { readFolder } from "../catalog/folder-lock.js";
import { type FileEntry, readManifest } from "../catalog/manifest.js";
import { readFacts } from "../git/facts.js";
import type { AutoindexOptions, OnProgress } from "../options.js";
import { isSkipReason, type SkipReason } from "../skip.js";
import { walk } from "../walk/index.js";
import { type KnownFolder, repoCandidates, resolveRoot } from "./identity.js";
import { findLosses, markLost } from "./losses.js";
import { Pass, type Sink } from "./pass.js";
import { Tally } from "./tally.js";

/** What a run over a folder would do. */
export interface FolderPlan {
  root: string;
  /** Its name in the index; for a folder that is new there, the one it gets unless another folder has it. */
  repo: string;
  /** Files whose documents would be written, in the order of their paths. */
  index: { path: string; change: "new" | "changed"; language: string; declarations: number; records: number }[];
  /** Paths whose documents would go. */
  remove: string[];
  /** Everything that is left out, whether it was before or not. A folder left out as a whole ends with `/`. */
  skip: { path: string; reason: SkipReason; detail: string }[];
  /** Files that need nothing. */
  unchanged: number;
  seconds: number;
}

/**
 * Says what `autoindex` would do. The files are read as it reads them, so that what is binary or would become records is
 * told as it would be; nothing is written to the node, and the folder is not held: a run may change it meanwhile.
 */
export async function planFolder(options: AutoindexOptions, onProgress: OnProgress = () => {}): Promise<FolderPlan> {
  const started = performance.now();
  const { client, hidden = "skip", globalIgnore = "user" } = options;
  const root = resolveRoot(options.folder);
  const isThere = (await client.request("HEAD", `/${INDEX.catalog}`)).status === 200;
  const known = isThere ? await knownEntries(client, root) : { folder: {}, entries: new Map<string, FileEntry>() };
  const repo = repoCandidates(root, known.folder, options.repo)[0]!;
  const tally = new Tally(onProgress);
  tally.enter("walking");
  const sink = new PlannedChanges();
  const unmet = new Map(known.entries);
  const facts = readFacts(root);
  const place = { root, repo, branch: facts.branch, facts, leftovers: "none" } as const;
  if (isThere) markLost(await findLosses({ client, place, manifest: unmet, claims: "not asked" }), place, unmet);
  const pass = new Pass({ options, place, unmet, tally, sink, signal: options.signal });
  if (await pass.compare(walk(root, { hidden, globalIgnore }))) await pass.apply();
  const plan = describe(known.entries, sink.entries, sink.withDocuments);
  return { root, repo, ...plan, seconds: (performance.now() - started) / 1000 };
}

async function knownEntries(
  client: Client,
  root: string,
): Promise<{ folder: KnownFolder; entries: Map<string, FileEntry> }> {
  try {
    return { folder: (await readFolder(client, root)) ?? {}, entries: await readManifest(client, root) };
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return { folder: {}, entries: new Map() };
    throw error;
  }
}

/** Keeps of every change what it is about, and writes nothing. */
class PlannedChanges implements Sink {
  readonly entries = new Map<string, FileEntry | undefined>();
  /** Paths whose documents would be written. */
  readonly withDocuments = new Set<string>();

  async add(...commits: Commit[]): Promise<void> {
    for (const { path, entry, parts } of commits) {
      this.entries.set(path, entry);
      if (parts.length > 0) this.withDocuments.add(path);
    }
  }

  async finish(): Promise<void> {}
  async stop(): Promise<void> {}
}

function describe(
  known: ReadonlyMap<string, FileEntry>,
  changes: ReadonlyMap<string, FileEntry | undefined>,
  withDocuments: ReadonlySet<string>,
): Pick<FolderPlan, "index" | "remove" | "skip" | "unchanged"> {
  const plan: Pick<FolderPlan, "index" | "remove" | "skip" | "unchanged"> = {
    ...{ index: [], remove: [], skip: [], unchanged: 0 },
  };
  for (const path of [...new Set([...known.keys(), ...changes.keys()])].sort()) {
    const before = known.get(path);
    const after = changes.has(path) ? changes.get(path) : before;
    if (after && isSkipReason(after.status)) plan.skip.push({ path, reason: after.status, detail: after.detail });
    // A binary has a document too, by which its name is found; to whoever asks what is read it is left out.
    if (after?.status === "indexed" && withDocuments.has(path)) {
      const { language, declarations, records } = after;
      const change = before?.status === "indexed" ? "changed" : "new";
      plan.index.push({ path, change, language, declarations, records });
    } else if (after?.status === "indexed") plan.unchanged++;
    else if (before?.status === "indexed") plan.remove.push(path);
  }
  return plan;
}
