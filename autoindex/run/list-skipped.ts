import type { Client } from "../../client/index.js";
import { type FileEntry, fileEntries } from "../catalog/manifest.js";
import { explainStatus, type SkipReason } from "../skip.js";

/** Something that was left out of the index. */
export interface SkippedPath {
  /** Inside the folder; a folder that was left out as a whole ends with `/`. */
  path: string;
  reason: SkipReason;
  /** The sentence for the reason. */
  explanation: string;
  /** The rule that excludes it, the system's message, what the node said. */
  detail: string;
  size: number;
}

/** All that the last run left out of an indexed folder, in the order of the paths: for every reason or for one. */
export async function listSkipped(client: Client, root: string, reason?: SkipReason): Promise<SkippedPath[]> {
  const only = reason ? { filter: [{ term: { status: reason } }] } : { must_not: [{ term: { status: "indexed" } }] };
  const skipped: SkippedPath[] = [];
  for await (const entry of fileEntries(client, root, only)) skipped.push(describe(entry));
  return skipped;
}

function describe({ path, status, detail, size }: FileEntry): SkippedPath {
  return { path, reason: status as SkipReason, explanation: explainStatus(status), detail, size };
}
