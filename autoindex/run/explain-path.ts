import path from "node:path";
import type { Client } from "../../client/index.js";
import { type FileEntry, type FolderEntry, RACY_DETAIL, readEntry, readFolders } from "../catalog/manifest.js";
import { catalogId } from "../documents/ids.js";
import { explainStatus } from "../skip.js";

/** What became of a path, by the catalog. */
export interface PathExplanation {
  /** The indexed folder it lies in; nothing when it lies in none. */
  root: string | undefined;
  repo: string | undefined;
  /** Path inside the folder. */
  path: string;
  /** A status of skip.ts, `unknown` when the last run did not meet it, `outside` when no indexed folder holds it. */
  status: string;
  explanation: string;
  /** The rule that excludes it, the system's message, ... */
  detail: string;
  /** The path the catalog speaks of: the file itself, or a folder above it that was left out as a whole. */
  decidedBy: string;
  entry: FileEntry | undefined;
}

/** Says what became of a path that is given relative to `folder` (or absolute), from the catalog alone. */
export async function explainPath(client: Client, folder: string, given: string): Promise<PathExplanation> {
  const absolute = path.resolve(folder, given);
  const holder = nearestFolder(await readFolders(client), absolute);
  if (!holder) return outside(absolute);
  const relative = path.relative(holder.root, absolute).split(path.sep).join("/");
  for (const candidate of candidates(relative)) {
    const entry = await readEntry<FileEntry>(client, catalogId("file", holder.root, candidate));
    if (!entry) continue;
    const { status } = entry;
    const detail = entry.detail === RACY_DETAIL ? "" : entry.detail;
    return {
      ...known(holder, relative),
      status,
      detail,
      explanation: explainStatus(status),
      decidedBy: candidate,
      entry,
    };
  }
  const explanation = holder.finished_at
    ? "The last run over this folder did not meet it."
    : "The first run over this folder has not come to its end, or not met it yet.";
  return { ...known(holder, relative), status: "unknown", detail: "", explanation, decidedBy: "", entry: undefined };
}

/** The path, the path as a folder, then the folders above it from the inside out. */
function candidates(relative: string): string[] {
  const names = relative.split("/");
  const above = names.map((_, count) => `${names.slice(0, names.length - count).join("/")}/`);
  return [relative, ...above];
}

function nearestFolder(folders: readonly FolderEntry[], absolute: string): FolderEntry | undefined {
  const holding = folders.filter(({ root }) => absolute === root || absolute.startsWith(withSeparator(root)));
  return holding.sort((a, b) => b.root.length - a.root.length)[0];
}

function withSeparator(root: string): string {
  return root.endsWith(path.sep) ? root : root + path.sep;
}

function known({ root, repo }: FolderEntry, relative: string): Pick<PathExplanation, "root" | "repo" | "path"> {
  return { root, repo, path: relative };
}

function outside(absolute: string): PathExplanation {
  const explanation = "It lies in no indexed folder.";
  const nothing = { root: undefined, repo: undefined, entry: undefined, detail: "", decidedBy: "" };
  return { ...nothing, path: absolute, status: "outside", explanation };
}
