import type { StoredVersion } from "../../code/index.js";
import { fileKey } from "../documents/ids.js";
import type { SkipReason } from "../skip.js";
import { versionFor } from "../version.js";
import { type Claim, type Claimed, type Claims, claimed, type KnownDocuments, madeVersion } from "./claims.js";
import type { WantedVersion } from "./tracked.js";

/** What is to be done at one path for branches of an object database. */
export interface BranchStep {
  path: string;
  /** What the catalog is to say; those that are read are completed by what reading gives. */
  versions: StoredVersion[];
  /** Blobs to read, which are among `versions`. */
  reads: StoredVersion[];
  /** What is to become of documents that are there, by the key of their ids; those of other keys go. */
  keep: ReadonlyMap<string, { fields: Claimed; update: "needed" | "not needed" }>;
  /** Whether documents may have to be written, changed or removed. */
  documents: "touched" | "untouched";
  /** Whether the catalog has an entry for the path. */
  hasEntry: boolean;
}

/** What is known when a path is planned. */
export interface BranchEvidence {
  repo: string;
  path: string;
  stored: readonly StoredVersion[] | undefined;
  wanted: readonly WantedVersion[];
  /** Of folders and of other object databases. */
  others: Claims;
  /** Documents of a blob at this path that the folder of this run had before it, and that are still there. */
  before: (path: string, blob: string) => KnownDocuments | undefined;
  hidden: "skip" | "index";
  treeBranch: string;
}

/** Endings after which a blob is tried again although it is the same. */
const NOT_FINAL: ReadonlySet<string> = new Set(["not_written", "extractor_timeout", "vanished"]);

/** Decides for one path; nothing when all is as it should be. */
export function planPath(evidence: BranchEvidence): BranchStep | undefined {
  const { repo, path, stored = [], wanted, others } = evidence;
  const keep = new Map<string, { fields: Claimed; update: "needed" | "not needed" }>();
  for (const [blob, claim] of others.at(path)) {
    const wasOurs = stored.some((version) => version.blob === blob);
    keep.set(fileKey(repo, path, blob), { fields: claimed(claim), update: wasOurs ? "needed" : "not needed" });
  }
  const reads: StoredVersion[] = [];
  const versions = wanted.map((version) => {
    const known = stored.find(({ blob }) => blob === version.blob);
    const { entry, isRead, update } = planVersion(evidence, version, known);
    if (isRead) {
      reads.push(entry);
      keep.delete(fileKey(repo, path, version.blob));
    } else if (entry.status === "indexed" || (entry.status === "binary" && others.at(path).has(version.blob))) {
      const fields = claimed(others.at(path).get(version.blob), ownClaim(evidence, version));
      keep.set(fileKey(repo, path, version.blob), { fields, update });
    }
    return entry;
  });
  const isGone = stored.some(({ blob, status }) => status === "indexed" && !wanted.some((one) => one.blob === blob));
  const isTouched = reads.length > 0 || isGone || [...keep.values()].some(({ update }) => update === "needed");
  // A path without an entry may have documents of a run that was cut off.
  const documents = isTouched || evidence.stored === undefined ? "touched" : "untouched";
  if (documents === "untouched" && sameVersions(stored, versions)) return undefined;
  return { path, versions, reads, keep, documents, hasEntry: evidence.stored !== undefined };
}

function ownClaim({ treeBranch }: BranchEvidence, { branches }: WantedVersion): Claim {
  return { branches, inTree: treeBranch !== "" && branches.includes(treeBranch) };
}

function planVersion(
  evidence: BranchEvidence,
  wanted: WantedVersion,
  known: StoredVersion | undefined,
): { entry: StoredVersion; isRead: boolean; update: "needed" | "not needed" } {
  const { blob } = wanted;
  const branches = [...wanted.branches];
  const reason = leftOut(evidence, wanted);
  if (reason) return { entry: blank(blob, branches, reason), isRead: false, update: "not needed" };
  const { others, path, before } = evidence;
  const there = [others.at(path).get(blob)?.documents, before(path, blob)].find((one) => one && isCurrent(one, "made"));
  if (known && (isCurrent(known, "as it is") || known.version === there?.version)) {
    const isSame = known.branches.join("\0") === branches.join("\0");
    return { entry: { ...known, branches }, isRead: false, update: isSame ? "not needed" : "needed" };
  }
  if (there) return { entry: { ...blank(blob, branches, "indexed"), ...there }, isRead: false, update: "needed" };
  return { entry: blank(blob, branches, "indexed"), isRead: true, update: "not needed" };
}

/** `made`: documents that a folder made in its own way count while it has them. */
function isCurrent({ version, language, status }: KnownDocuments, how: "as it is" | "made"): boolean {
  if (NOT_FINAL.has(status) || status === "hidden") return false;
  return version === "" || (how === "made" ? madeVersion(version) : version) === versionFor(language);
}

/** Why a version is left out by its path and kind alone. */
function leftOut({ path, hidden }: BranchEvidence, { kind, name }: WantedVersion): SkipReason | undefined {
  if (kind !== "file") return kind;
  if (name === "odd bytes") return "bad_name";
  return hidden === "skip" && /(^|\/)\./.test(path) ? "hidden" : undefined;
}

function blank(blob: string, branches: string[], status: string): StoredVersion {
  return { blob, branches, version: "", language: "", status, detail: "", size: 0, declarations: 0 };
}

function sameVersions(a: readonly StoredVersion[], b: readonly StoredVersion[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
