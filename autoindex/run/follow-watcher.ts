import path from "node:path";
import type { Client } from "../../client/index.js";
import { CODE_INDICES, refreshIndices } from "../catalog/indices.js";
import { type FileEntry, readFileEntry } from "../catalog/manifest.js";
import { DEFAULT_MAX_FILE_BYTES } from "../options.js";
import { readFileBounded } from "../process/read.js";
import type { FileStatus } from "../skip.js";
import { blobId } from "../sniff/blob.js";
import { type WalkEntry, walkOne } from "../walk/index.js";

const PATIENCE_MS = 3000;
const POLL_MS = 20;

/**
 * Waits until the watcher that keeps a folder has brought one file up to date, and makes that visible. Answers the file's
 * status, `gone` when neither folder nor index has it; nothing when the watcher has not come to it in time.
 */
export async function followWatcher(
  client: Client,
  root: string,
  file: string,
): Promise<FileStatus | "gone" | undefined> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const entry = await readFileEntry(client, root, file);
    const hidden = entry?.status === "indexed" ? "index" : "skip";
    const met = walkOne(root, file, { hidden, globalIgnore: "user" });
    if (isUpToDate(root, met?.path === file ? met : undefined, entry)) {
      await refreshIndices(client, CODE_INDICES);
      return entry ? (entry.status as FileStatus) : "gone";
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

/** By the content where there is any: stamps do not tell two changes within one tick of the clock apart. */
function isUpToDate(root: string, met: WalkEntry | undefined, entry: FileEntry | undefined): boolean {
  if (!met || !entry) return !met && !entry;
  if (met.kind === "skip") return entry.status === met.reason;
  if (entry.status === "not_written") return false;
  const found = readFileBounded(path.join(root, met.path), DEFAULT_MAX_FILE_BYTES);
  return found.kind === "skip" ? entry.status === found.reason : entry.blob === blobId(found.bytes);
}
