import { isRacy, withoutRacy, withRacy } from "../../code/index.js";
import type { Commit } from "../catalog/commit.js";
import { type FileEntry, RACY_MS } from "../catalog/manifest.js";
import type { Claims } from "../git/claims.js";
import type { GitFacts } from "../git/facts.js";
import type { FileJob, FileResult } from "../process/protocol.js";
import type { FileStatus } from "../skip.js";
import { type FileStamp, NO_STAMP } from "../stamp.js";
import { unsettled, versionFor } from "../version.js";
import type { WalkEntry } from "../walk/index.js";

/** Which folder and under which name. */
export interface Place {
  root: string;
  repo: string;
  /** Branch that is checked out, empty when there is none. */
  branch: string;
  /** Whether an earlier run was cut off, so that documents may lie in the index that no entry knows of. */
  leftovers: "none" | "possible";
  /** Who else has documents under this name; nobody when absent. */
  claims?: Claims;
  facts?: GitFacts;
  /** Name that data sets are called after, `repo` when absent. */
  datasetRepo?: string;
}

/** Endings after which a file is tried again although it did not change. */
const NOT_FINAL: ReadonlySet<string> = new Set<FileStatus>(["not_written", "unreadable", "vanished"]);

/** States of which documents may be in the index; the node may have refused to delete what it had taken. */
const WITH_DOCUMENTS: ReadonlySet<string> = new Set<FileStatus>(["indexed", "binary", "not_written", "rejected"]);

/** What is to be done for a path: nothing, name another branch, read it, or only write that it is left out. */
export type Step =
  | { kind: "unchanged"; entry: FileEntry }
  | { kind: "branch"; path: string; entry: FileEntry; prior: FileEntry }
  | { kind: "read"; path: string; stamp: FileStamp; prior: FileEntry | undefined }
  | { kind: "write"; path: string; entry: FileEntry; prior: FileEntry | undefined };

/** A file to be read. */
export type ReadStep = Extract<Step, { kind: "read" }>;

/** Decides by what the walk met and what the catalog has; reads nothing. */
export function planStep(met: WalkEntry, prior: FileEntry | undefined, place: Place, maxFileBytes: number): Step {
  if (met.kind === "skip") return planSkip(met, prior, place);
  const { path, size, mtimeMs, ctimeMs, inode } = met;
  const stamp = { size, mtimeMs, ctimeMs, inode };
  if (stamp.size > maxFileBytes) {
    const detail = `${stamp.size} bytes`;
    return planSkip({ ...met, kind: "skip", reason: "too_large", detail }, prior, place);
  }
  if (!prior || !isCurrent(prior, stamp, place)) return { kind: "read", path, stamp, prior };
  const namesBranch = prior.status === "indexed" || prior.documents !== undefined;
  if (!namesBranch || prior.branch === place.branch) return { kind: "unchanged", entry: prior };
  return { kind: "branch", path, entry: { ...prior, branch: place.branch }, prior };
}

function planSkip(met: Extract<WalkEntry, { kind: "skip" }>, prior: FileEntry | undefined, place: Place): Step {
  const { path, reason, detail } = met;
  const entry: FileEntry = { ...blank(place, path), ...stamped(met), status: reason, detail };
  if (prior && isSame(prior, entry)) return { kind: "unchanged", entry: prior };
  return { kind: "write", path, entry, prior };
}

function isCurrent(prior: FileEntry, met: FileStamp, { repo }: Place): boolean {
  const { size, mtime_ms, ctime_ms, inode } = stamped(met);
  if (prior.size !== size || prior.mtime_ms !== mtime_ms || prior.repo !== repo) return false;
  if (prior.ctime_ms !== ctime_ms || prior.inode !== inode) return false;
  if (isRacy(prior.detail) || NOT_FINAL.has(prior.status)) return false;
  if (prior.status === "too_large" || prior.status === "ignored" || prior.status === "hidden") return false;
  // Earlier versions gave binaries neither a version nor a document, and no version to files whose process had ended.
  if (prior.version === "" && (prior.status === "binary" || prior.status.startsWith("extractor_"))) return false;
  return prior.version === "" || prior.version === versionFor(prior.language);
}

/** A stamp as an entry has it. */
function stamped({
  size,
  mtimeMs,
  ctimeMs,
  inode,
}: FileStamp): Pick<FileEntry, "size" | "mtime_ms" | "ctime_ms" | "inode"> {
  return { size, mtime_ms: mtimeMs, ctime_ms: ctimeMs, inode };
}

/** Whether two entries say the same. */
export function isSame(a: FileEntry, b: FileEntry): boolean {
  return (Object.keys(b) as (keyof FileEntry)[]).every((key) => isEqual(a[key], b[key]));
}

function isEqual(a: unknown, b: unknown): boolean {
  return (
    a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, at) => each === b[at]))
  );
}

/** The entry of a path that has documents of a run that was cut off, and maybe a data set, but no entry. */
export function strayEntry(place: Place, path: string, datasets: string[]): FileEntry {
  return { ...blank(place, path), status: "not_written", datasets };
}

/** Whether an entry is one of those. */
export function isStray({ status, blob, size, mtime_ms }: FileEntry): boolean {
  return status === "not_written" && blob === "" && size === 0 && mtime_ms === 0;
}

function blank({ root, repo }: Place, path: string): FileEntry {
  return {
    entry: "file",
    root,
    repo,
    path,
    ...stamped(NO_STAMP),
    blob: "",
    version: "",
    language: "",
    status: "indexed",
    detail: "",
    declarations: 0,
    datasets: [],
    records: 0,
    reader: "",
    records_note: "",
    branch: "",
  };
}

/** The manifest entry that a file's reading gives. */
export function entryFor(result: FileResult, step: ReadStep, place: Place): FileEntry {
  const { stamp, blob, language, version } = result;
  const facts = { ...blank(place, step.path), ...stamped(stamp), blob, language, version };
  const { branch } = place;
  if (result.kind === "same") {
    const known = step.prior?.blob === blob ? step.prior : undefined;
    return { ...facts, ...(known ? kept(known) : adopted(result, place)), branch, detail: detailOf(result, known) };
  }
  if (result.kind === "indexed") {
    const { declarations, datasets, recordsNote, documents } = result;
    const records = datasets.reduce((sum, dataset) => sum + dataset.records, 0);
    const read = { records, reader: datasets[0]?.reader ?? "", records_note: recordsNote };
    const detail = detailOf(result, undefined);
    const names = datasets.map(({ name }) => name);
    return { ...facts, declarations, datasets: names, ...read, branch, detail, documents };
  }
  const skipped = {
    ...facts,
    status: result.reason,
    detail: result.parts ? detailOf(result, undefined) : result.detail,
    ...(result.documents && { documents: result.documents, branch: place.branch }),
  };
  // A process that died told nothing of the file; what the walk saw says when it has changed.
  if (result.blob === "" && result.reason.startsWith("extractor_"))
    return {
      ...skipped,
      ...stamped(step.stamp),
      version: isFirstEnd(result.reason, step) ? unsettled("") : versionFor(""),
    };
  return skipped;
}

/**
 * On a busy machine a file may take too long that is read at once on an idle one, and a process may be ended by somebody else
 * (the system, for want of memory): the file is tried once more before that is final.
 */
function isFirstEnd(reason: FileStatus, { prior, stamp }: ReadStep): boolean {
  const { mtime_ms, ctime_ms, size } = stamped(stamp);
  const isSame = prior?.mtime_ms === mtime_ms && prior.ctime_ms === ctime_ms && prior.size === size;
  return !(prior?.status === reason && prior.version === unsettled("") && isSame);
}

function kept(known: FileEntry): Partial<FileEntry> {
  const { status, declarations, datasets, records, reader, records_note, documents } = known;
  return { status, declarations, datasets, records, reader, records_note, ...(documents && { documents }) };
}

/** What the others say of documents that are there for them. */
function adopted({ path, blob }: FileResult, { claims }: Place): Partial<FileEntry> {
  const { status, declarations, documents } = claims!.at(path).get(blob)!.documents!;
  return { status, declarations, datasets: [], records: 0, ...(documents && { documents }) };
}

/** What was left out of the file, and whether it may have changed since it was read. */
function detailOf(result: FileResult, prior: FileEntry | undefined): string {
  const { stamp, readAtMs } = result;
  const detail = result.kind === "same" ? withoutRacy(prior?.detail ?? "") : result.detail;
  return stamp.mtimeMs > readAtMs - RACY_MS ? withRacy(detail) : detail;
}

/** What an extractor process is asked to do for a file. */
export function jobFor({ path, prior }: ReadStep, { repo, claims }: Place, records: FileJob["records"]): FileJob {
  const isKnown = prior !== undefined && prior.status === "indexed" && prior.repo === repo;
  const others = [...(claims?.at(path) ?? [])].flatMap(([blob, { documents }]) =>
    documents?.status === "indexed" ? [{ blob, version: documents.version }] : [],
  );
  const known = { knownBlob: isKnown ? prior.blob : "", knownVersion: isKnown ? prior.version : "" };
  return { path, ...known, records, ...(others.length > 0 && { others }) };
}

/** A change of the manifest alone, or with the removal of documents that an earlier state left. */
export function commitEntry(
  path: string,
  entry: FileEntry | undefined,
  prior: FileEntry | undefined,
  place: Place,
): Commit {
  const hadDocuments = prior !== undefined && WITH_DOCUMENTS.has(prior.status);
  return {
    path,
    hasEntry: prior !== undefined,
    oldRepo: hadDocuments ? prior.repo : place.leftovers === "possible" ? place.repo : "",
    oldBlob: hadDocuments ? prior.blob : "",
    oldDatasets: prior?.datasets ?? [],
    parts: [],
    datasets: [],
    branches: undefined,
    entry,
  };
}

/** A change of the manifest alone for a file whose documents stay; they are told of another branch. */
export function commitKept(entry: FileEntry, prior: FileEntry, place: Place): Commit {
  const isSwitched = prior.branch !== place.branch;
  const branches = isSwitched ? branchesOf(place) : undefined;
  return { ...commitEntry(entry.path, entry, prior, place), oldRepo: "", oldDatasets: [], branches };
}

/** The branches that the documents of a place name. */
export function branchesOf({ branch }: Place): string[] {
  return branch === "" ? [] : [branch];
}

/** The whole change that a file's reading gives; nothing when the catalog has it all already. */
export function commitResult(
  result: FileResult,
  step: ReadStep,
  place: Place,
): { entry: FileEntry; commit: Commit | undefined } {
  const entry = entryFor(result, step, place);
  const { path, prior } = step;
  if (prior && isSame(prior, entry)) return { entry, commit: undefined };
  const commit = commitEntry(path, entry, prior, place);
  if (result.kind === "same") {
    if (prior && prior.blob === entry.blob && prior.repo === entry.repo)
      return { entry, commit: commitKept(entry, prior, place) };
    // Documents that are there for others name this folder's branch from now on; those of its earlier state go.
    return { entry, commit: { ...commit, branches: branchesOf(place) } };
  }
  if (result.kind === "indexed")
    return { entry, commit: { ...commit, parts: result.parts, datasets: result.datasets } };
  if (result.parts) return { entry, commit: { ...commit, parts: result.parts } };
  return { entry, commit };
}
