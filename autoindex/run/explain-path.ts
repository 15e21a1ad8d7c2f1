import path from "node:path";
import { type Client, WireError } from "../../client/index.js";
import { counted, type FileDocument, INDEX, replacedPath, withoutRacy } from "../../code/index.js";
import {
  type FileEntry,
  type FolderEntry,
  fileEntries,
  readEntry,
  readFileEntry,
  readFolders,
} from "../catalog/manifest.js";
import { catalogId } from "../documents/ids.js";
import type { VersionsEntry } from "../git/claims.js";
import { explainStatus } from "../skip.js";
import { lookAt } from "../walk/index.js";
import { elsewhereFacts } from "./explain-elsewhere.js";
import { folderExplanation } from "./explain-folder.js";

/** What became of a path, by the catalog. */
export interface PathExplanation {
  /** The indexed folder it lies in; nothing when it lies in none. */
  root: string | undefined;
  repo: string | undefined;
  /** Path inside the folder. */
  path: string;
  /**
   * A status of skip.ts, `folder` for a folder, `git` for what is in `.git`, `unknown` when the last run did not meet it,
   * `outside` when no indexed folder holds it.
   */
  status: string;
  explanation: string;
  /** The rule that excludes it, the system's message, ... */
  detail: string;
  /** The path the catalog speaks of: the file itself, or a folder above it that was left out as a whole. */
  decidedBy: string;
  entry: FileEntry | undefined;
  /** What it was read as, and what came of it. */
  facts: string[];
}

/** Between the path of an archive and that of a file inside it. */
const MEMBER_MARK = "!/";

/**
 * Says what became of a path that is given absolute, relative to `folder`, or below the name of an indexed folder; from the
 * catalog, but for what it cannot know: folders without files.
 */
export async function explainPath(client: Client, folder: string, given: string): Promise<PathExplanation> {
  const folders = await readFolders(client);
  const explained = await explainAbsolute(client, folders, path.resolve(folder, given));
  const isKnown = explained.status !== "outside" && explained.status !== "unknown";
  const below = isKnown || path.isAbsolute(given) ? undefined : belowName(given, folders);
  if (below === undefined) return explained;
  const other = await explainAbsolute(client, folders, below);
  return other.status === "unknown" && explained.status === "unknown" ? explained : other;
}

/** The path on disk of one whose first name is that of one indexed folder alone, or of its repository. */
function belowName(given: string, folders: readonly FolderEntry[]): string | undefined {
  const [first = "", ...rest] = given.replace(/^(?:\.\/+)+/, "").split("/");
  const named = folders.filter(({ repo, root }) => repo === first || path.basename(root) === first);
  return named.length === 1 ? path.join(named[0]!.root, ...rest) : undefined;
}

async function explainAbsolute(
  client: Client,
  folders: readonly FolderEntry[],
  absolute: string,
): Promise<PathExplanation> {
  const holder = nearestFolder(folders, absolute);
  if (!holder) return outside(absolute);
  const relative = path.relative(holder.root, absolute).split(path.sep).join("/");
  const member = await explainMember(client, holder, relative);
  if (member) return member;
  for (const candidate of candidates(relative)) {
    const entry = await readFileEntry(client, holder.root, candidate);
    if (entry) return explainEntry(client, holder, { relative, decidedBy: candidate, entry });
  }
  const odd = relative.includes("\uFFFD") ? await oddlyNamed(client, holder.root, relative) : undefined;
  if (odd) return explainEntry(client, holder, { relative: odd.path, decidedBy: odd.path, entry: odd });
  if (relative.split("/").includes(".git")) return { ...nothingKnown(holder, relative), ...GIT_ITSELF };
  const inside = await folderExplanation(client, holder.root, relative);
  if (inside) return { ...nothingKnown(holder, relative), status: "folder", ...inside };
  const elsewhere = await onBranches(client, holder, relative);
  if (elsewhere) return { ...nothingKnown(holder, relative), ...elsewhere, decidedBy: relative };
  if (holder.finished_at && lookAt(absolute, "show")?.isDirectory())
    return { ...nothingKnown(holder, relative), ...EMPTY_FOLDER };
  const explanation = holder.finished_at
    ? "The last run over this folder did not meet it."
    : "The first run over this folder has not come to its end, or not met it yet.";
  return { ...nothingKnown(holder, relative), status: "unknown", explanation };
}

const GIT_ITSELF = { status: "git", explanation: "It is git's own: what is in .git is never read as files." };
const EMPTY_FOLDER = { status: "folder", explanation: "It is a folder in which the last run met no file." };

async function explainEntry(
  client: Client,
  holder: FolderEntry,
  { relative, decidedBy, entry }: { relative: string; decidedBy: string; entry: FileEntry },
): Promise<PathExplanation> {
  const { status } = entry;
  const detail = withoutRacy(entry.detail);
  const document = status === "indexed" ? await findDocument(client, entry.repo, entry.path) : undefined;
  const isIndexed = status === "indexed";
  const facts = isIndexed
    ? [...factsOf(entry), ...encodingFacts(document), ...parsedFacts(document, detail)]
    : await leftOutFacts(client, holder, { path: relative, status });
  return { ...known(holder, relative), status, detail, explanation: explainStatus(status), decidedBy, entry, facts };
}

/** `read as csv`, `2 records by table: pinakes-data-shop-orders.csv`, `no list of records: ...`. */
function factsOf({ language, declarations, datasets, records, reader, records_note: note }: FileEntry): string[] {
  const shown = datasets.slice(0, 3).map((name) => `${INDEX.dataPrefix}${name}`);
  const more = datasets.length > shown.length ? ` and ${datasets.length - shown.length} more` : "";
  return [
    `${language || "text"}, ${counted(declarations, "declaration")}`,
    ...(datasets.length > 0 ? [`${counted(records, "record")} read as ${reader}: ${shown.join(", ")}${more}`] : []),
    ...(note ? [datasets.length > 0 ? note : `no list of records: ${note}`] : []),
  ];
}

/** A name that is no UTF-8 comes from the command line with each of its odd bytes replaced. */
async function oddlyNamed(client: Client, root: string, relative: string): Promise<FileEntry | undefined> {
  const start = relative.slice(0, relative.indexOf("\uFFFD"));
  const below = start === "" ? {} : { filter: [{ prefix: { path: start } }] };
  for await (const entry of fileEntries(client, root, below)) if (replacedPath(entry.path) === relative) return entry;
  return undefined;
}

/** How much of a file was understood, where its detail does not say it already. */
function parsedFacts(document: FileDocument | undefined, detail: string): string[] {
  if (document === undefined) return ["but its document is not in the index: index the folder again"];
  if (/parsed in part|declarations may be missing|without declarations/.test(detail)) return [];
  return document.parsed === "partial" ? ["parsed in part: declarations may be missing"] : [];
}

/** A binary has a document of its own. */
async function leftOutFacts(
  client: Client,
  { root, repo }: FolderEntry,
  left: { path: string; status: string },
): Promise<string[]> {
  return left.status === "binary" ? [] : elsewhereFacts(client, { root, repo, ...left });
}

/** In what its bytes were read, where that is not what everybody expects, and whether some of them had no meaning in it. */
function encodingFacts(document: FileDocument | undefined): string[] {
  if (document === undefined || document.format !== "text" || document.encoding === "utf-8") return [];
  const { encoding, body } = document;
  const damaged = body.split("\uFFFD").length - 1;
  const replaced = damaged > 0 ? `, ${counted(damaged, "place")} of damaged bytes replaced by U+FFFD` : "";
  return [`read as ${encoding}${replaced}`];
}

/** A file inside an archive has documents of its own; what is said of it otherwise stands with the archive. */
async function explainMember(
  client: Client,
  holder: FolderEntry,
  relative: string,
): Promise<PathExplanation | undefined> {
  const mark = relative.indexOf(MEMBER_MARK);
  if (mark < 0) return undefined;
  const archive = relative.slice(0, mark);
  const entry = await readFileEntry(client, holder.root, archive);
  if (!entry) return undefined;
  const document = await findDocument(client, holder.repo, relative);
  const about = entry.detail.split("; ").filter((note) => note.startsWith(relative));
  const detail = about.join("; ") || (document ? "" : withoutRacy(entry.detail));
  const found = { ...known(holder, relative), detail, decidedBy: archive, entry };
  if (!document) {
    const isRead = entry.status === "indexed";
    const explanation = isRead
      ? "The archive was read; no file of this path was read out of it."
      : `The archive is ${entry.status}, and the index has no such file of it.`;
    return { ...found, status: "unknown", explanation, facts: [] };
  }
  const facts = [`${document.language}, parsed by ${document.parsed}, ${document.size} bytes`];
  return { ...found, status: "indexed", explanation: explainStatus("indexed"), facts };
}

async function findDocument(client: Client, repo: string, filePath: string): Promise<FileDocument | undefined> {
  const body = { size: 1, query: { bool: { filter: [{ term: { repo } }, { term: { path: filePath } }] } } };
  try {
    const answer = await client.json<{ hits: { hits: { _source: FileDocument }[] } }>(
      "POST",
      `/${INDEX.files}/_search`,
      body,
    );
    return answer.hits.hits[0]?._source;
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return undefined;
    throw error;
  }
}

/** What is said of a path that the folder has not, but branches that are indexed have. */
async function onBranches(
  client: Client,
  { store = "" }: FolderEntry,
  relative: string,
): Promise<Pick<PathExplanation, "status" | "explanation" | "detail"> | undefined> {
  if (store === "") return undefined;
  const found = await readEntry<VersionsEntry>(client, catalogId("versions", store, relative));
  const [first] = found?.versions ?? [];
  if (!found || !first) return undefined;
  const branches = [...new Set(found.versions.flatMap((version) => version.branches))].sort().join(", ");
  const { status, detail } = found.versions.find((version) => version.status === "indexed") ?? first;
  return { status, detail, explanation: `${explainStatus(status)} The folder does not have it, but ${branches} does.` };
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

function nothingKnown(holder: FolderEntry, relative: string): Omit<PathExplanation, "status" | "explanation"> {
  return { ...known(holder, relative), detail: "", decidedBy: "", entry: undefined, facts: [] };
}

function outside(absolute: string): PathExplanation {
  const explanation = "It lies in no indexed folder.";
  const nothing = { root: undefined, repo: undefined, entry: undefined, detail: "", decidedBy: "", facts: [] };
  return { ...nothing, path: absolute, status: "outside", explanation };
}
