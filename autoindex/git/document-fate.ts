import { fileKey } from "../documents/ids.js";
import { type Claim, type Claimed, type Claims, claimed } from "./claims.js";

/** One folder's change at a path, as far as documents of earlier states are concerned. */
export interface PathChange {
  path: string;
  /** Name that earlier documents lie under. */
  repo: string;
  /** Blob that the folder had, empty when it had none or it is not known. */
  oldBlob: string;
  /** Blob that it has now, empty when none; `written`: its documents come with the same change. */
  newBlob: string;
  documents: "written" | "kept";
  /** Whether documents of other blobs that nobody claims go, or there can be none. */
  others: "removed" | "left";
  /** The folder's own claim on the new blob. */
  own: Claim;
}

/** What is to become of a document that is there. */
export type Fate = "delete" | "leave" | Claimed;

/**
 * Decides about the documents of one path, by the key that their ids begin with: those that others claim stay and name
 * the others' branches, those of a blob that is kept name all branches. What has no fate here goes, or is left where the
 * change is about the kept blob alone.
 */
export function fatesOf(change: PathChange, claims: Claims): Map<string, Fate> {
  const { repo, path, oldBlob, newBlob, documents, others, own } = change;
  const fates = new Map<string, Fate>();
  const oldKey = fileKey(repo, path, oldBlob);
  const claimants = claims.keys(repo, path);
  for (const [key, claim] of others === "left" ? [] : claimants) {
    // Of an old state that is not known, any of them may name this folder's branch.
    fates.set(key, oldBlob === "" || key === oldKey ? claimed(claim) : "leave");
  }
  if (newBlob === "") return fates;
  const newKey = fileKey(repo, path, newBlob);
  return fates.set(newKey, documents === "written" ? "delete" : claimed(claimants.get(newKey), own));
}
