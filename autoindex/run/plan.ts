import type { Commit } from "../catalog/committer.js";
import { type FileEntry, RACY_DETAIL, RACY_MS } from "../catalog/manifest.js";
import type { FileJob, FileResult } from "../process/protocol.js";
import type { FileStatus } from "../skip.js";
import { versionFor } from "../version.js";
import type { WalkEntry } from "../walk/index.js";

/** Which folder and under which name. */
export interface Place {
  root: string;
  repo: string;
  /** Whether an earlier run was cut off, so that documents may lie in the index that no entry knows of. */
  leftovers: "none" | "possible";
}

/** Endings after which a file is tried again although it did not change. */
const NOT_FINAL: ReadonlySet<string> = new Set<FileStatus>(["rejected", "unreadable", "vanished"]);

/** What is to be done for a path: nothing, read it, or only write that it is left out. */
export type Step =
  | { kind: "unchanged"; entry: FileEntry }
  | { kind: "read"; path: string; size: number; mtimeMs: number; prior: FileEntry | undefined }
  | { kind: "write"; path: string; entry: FileEntry; prior: FileEntry | undefined };

/** A file to be read. */
export type ReadStep = Extract<Step, { kind: "read" }>;

/** Decides by what the walk met and what the catalog has; reads nothing. */
export function planStep(met: WalkEntry, prior: FileEntry | undefined, place: Place, maxFileBytes: number): Step {
  if (met.kind === "skip") return planSkip(met, prior, place);
  const { path, size, mtimeMs } = met;
  if (size > maxFileBytes) {
    const detail = `${size} bytes`;
    return planSkip({ ...met, kind: "skip", reason: "too_large", detail }, prior, place);
  }
  if (prior && isCurrent(prior, met, place)) return { kind: "unchanged", entry: prior };
  return { kind: "read", path, size, mtimeMs, prior };
}

function planSkip(met: Extract<WalkEntry, { kind: "skip" }>, prior: FileEntry | undefined, place: Place): Step {
  const { path, size, mtimeMs, reason, detail } = met;
  const entry: FileEntry = { ...blank(place, path), size, mtime_ms: mtimeMs, status: reason, detail };
  if (prior && isSame(prior, entry)) return { kind: "unchanged", entry: prior };
  return { kind: "write", path, entry, prior };
}

function isCurrent(prior: FileEntry, met: { size: number; mtimeMs: number }, { repo }: Place): boolean {
  if (prior.size !== met.size || prior.mtime_ms !== met.mtimeMs || prior.repo !== repo) return false;
  if (prior.detail === RACY_DETAIL || NOT_FINAL.has(prior.status)) return false;
  if (prior.status === "too_large" || prior.status === "ignored" || prior.status === "hidden") return false;
  return prior.version === "" || prior.version === versionFor(prior.language);
}

/** Whether two entries say the same. */
export function isSame(a: FileEntry, b: FileEntry): boolean {
  return (Object.keys(b) as (keyof FileEntry)[]).every((key) => a[key] === b[key]);
}

function blank({ root, repo }: Place, path: string): FileEntry {
  return {
    entry: "file",
    root,
    repo,
    path,
    size: 0,
    mtime_ms: 0,
    blob: "",
    version: "",
    language: "",
    status: "indexed",
    detail: "",
    declarations: 0,
    dataset: "",
    records: 0,
  };
}

/** The manifest entry that a file's reading gives. */
export function entryFor(result: FileResult, step: ReadStep, place: Place): FileEntry {
  const { size, mtimeMs, blob, language, version } = result;
  const facts = { ...blank(place, step.path), size, mtime_ms: mtimeMs, blob, language, version };
  if (result.kind === "same") return { ...step.prior!, ...facts, ...kept(step.prior!), detail: racyDetail(result) };
  if (result.kind === "indexed") {
    const { declarations, dataset } = result;
    const records = dataset?.records ?? 0;
    return { ...facts, declarations, dataset: dataset?.name ?? "", records, detail: racyDetail(result) };
  }
  const skipped = { ...facts, status: result.reason, detail: result.detail };
  // A process that died told nothing of the file; what the walk saw says when it has changed.
  if (result.blob === "" && result.reason.startsWith("extractor_")) {
    return { ...skipped, size: step.size, mtime_ms: step.mtimeMs };
  }
  return skipped;
}

function kept({ status, declarations, dataset, records }: FileEntry): Partial<FileEntry> {
  return { status, declarations, dataset, records };
}

function racyDetail({ mtimeMs, readAtMs }: FileResult): string {
  return mtimeMs > readAtMs - RACY_MS ? RACY_DETAIL : "";
}

/** What an extractor process is asked to do for a file. */
export function jobFor({ path, prior }: ReadStep, { repo }: Place, records: FileJob["records"]): FileJob {
  const isKnown = prior !== undefined && prior.status === "indexed" && prior.repo === repo;
  return { path, knownBlob: isKnown ? prior.blob : "", knownVersion: isKnown ? prior.version : "", records };
}

/** A change of the manifest alone, or with the removal of documents that an earlier state left. */
export function commitEntry(
  path: string,
  entry: FileEntry | undefined,
  prior: FileEntry | undefined,
  place: Place,
): Commit {
  const hadDocuments = prior !== undefined && (prior.status === "indexed" || prior.status === "rejected");
  return {
    path,
    oldRepo: hadDocuments ? prior.repo : place.leftovers === "possible" ? place.repo : "",
    oldDataset: prior?.dataset ?? "",
    parts: [],
    dataset: undefined,
    entry,
  };
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
  if (result.kind === "same") return { entry, commit: { ...commit, oldRepo: "", oldDataset: "" } };
  if (result.kind === "indexed") return { entry, commit: { ...commit, parts: result.parts, dataset: result.dataset } };
  return { entry, commit };
}
