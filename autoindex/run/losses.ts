import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { countByPath, countDocuments, countRecords } from "../catalog/document-counts.js";
import { type FileEntry, readDatasetEntries } from "../catalog/manifest.js";
import { sharers } from "../catalog/repo-names.js";
import { addCounts, type DocumentCounts } from "../documents/counted-lines.js";
import { dataIndex } from "../documents/ids.js";
import type { Claims } from "../git/claims.js";
import { type Place, strayEntry } from "./plan.js";

/** A folder whose catalog entries are held against the indices. */
export interface HeldEntries {
  client: Client;
  place: Place;
  manifest: Map<string, FileEntry>;
  /** Claims of all others on documents of the folder's name, its own branches among them; without them, strays are nobody's matter. */
  claims: Claims | "not asked";
}

/** States of which documents are in the index. */
const WITH_DOCUMENTS: ReadonlySet<string> = new Set(["indexed", "binary"]);

/**
 * Paths whose documents or records are not all in the indices any more, though the catalog says so: an index was deleted,
 * documents were removed by hand, or `pinakes repair` gave them up. Paths that have more documents than anybody knows of
 * are among them, where the folder has its name to itself. Nothing that is as it should be costs more than three counts.
 */
export async function findLosses(held: HeldEntries): Promise<Set<string>> {
  const { client, place, manifest } = held;
  const wanted = new Expected(held);
  const lost = await lostRecords(client, place.root, manifest);
  const sum = wanted.sum();
  const there = await countDocuments(client, place.repo);
  if (sum?.every((count, at) => count === there[at])) return lost;
  const { own, members } = await countByPath(client, place.repo);
  for (const [path, blobs] of wanted.paths) {
    const inside = members.get(path);
    if (inside) {
      const all = [...(own.get(path)?.values() ?? []), inside];
      if (lacks(total(all), total([...blobs.values()]))) lost.add(path);
    } else {
      for (const [blob, counts] of blobs) if (lacks(own.get(path)?.get(blob), counts)) lost.add(path);
    }
  }
  const isAlone = held.claims !== "not asked" && (await sharers(client, place.root, place.repo)).length === 0;
  if (isAlone) for (const path of strays(wanted, { own, members })) lost.add(path);
  return lost;
}

/** Marks entries so that their files are read again, whatever they are; a path without one gets one. */
export function markLost(lost: ReadonlySet<string>, place: Place, manifest: Map<string, FileEntry>): void {
  for (const path of lost) {
    const entry = manifest.get(path);
    if (entry) {
      const { documents: _, ...known } = entry;
      manifest.set(path, { ...known, status: "not_written" });
    } else manifest.set(path, strayEntry(place, path, []));
  }
}

/** What is said of losses to whoever runs; nothing when there are none. */
export function lossNotes(lost: ReadonlySet<string>): string[] {
  if (lost.size === 0) return [];
  const [first] = [...lost].sort();
  const files = lost.size === 1 ? first! : `${lost.size} files (${first}, ...)`;
  return [`the indices did not hold what the catalog says of ${files}: read again`];
}

/** Documents that there must be, by path and blob. `unknown`: some, nobody counted them. */
class Expected {
  readonly paths = new Map<string, Map<string, DocumentCounts | "unknown">>();

  constructor({ place, manifest, claims }: HeldEntries) {
    for (const [path, blob, { counts, documents }] of claims === "not asked" ? [] : claims.all()) {
      if (counts) this.#add(path, blob, counts);
      else if (documents) this.#add(path, blob, "unknown");
    }
    for (const { path, repo, status, blob, documents } of manifest.values()) {
      if (repo === place.repo && blob !== "" && WITH_DOCUMENTS.has(status))
        this.#add(path, blob, documents ?? "unknown");
    }
  }

  /** Of all of them; nothing where some are not known. */
  sum(): DocumentCounts | undefined {
    const sum: DocumentCounts = [0, 0, 0];
    for (const blobs of this.paths.values()) {
      for (const counts of blobs.values()) {
        if (counts === "unknown") return undefined;
        addCounts(sum, counts);
      }
    }
    return sum;
  }

  #add(path: string, blob: string, counts: readonly number[] | "unknown"): void {
    const blobs = this.paths.get(path) ?? new Map<string, DocumentCounts | "unknown">();
    this.paths.set(path, blobs);
    const [files = 0, declarations = 0, references = 0] = counts === "unknown" ? [] : counts;
    if (counts !== "unknown") blobs.set(blob, [files, declarations, references]);
    else if (!blobs.has(blob)) blobs.set(blob, "unknown");
  }
}

/** Of several counts together; nothing where one is not known. */
function total(all: readonly (DocumentCounts | "unknown")[]): DocumentCounts | "unknown" {
  const sum: DocumentCounts = [0, 0, 0];
  for (const counts of all) {
    if (counts === "unknown") return "unknown";
    addCounts(sum, counts);
  }
  return sum;
}

function lacks(there: DocumentCounts | "unknown" | undefined, wanted: DocumentCounts | "unknown"): boolean {
  if (there === "unknown") return false;
  // A file has a document of its own in any case.
  if (wanted === "unknown") return (there?.[0] ?? 0) === 0;
  return wanted.some((count, at) => (there?.[at] ?? 0) < count);
}

/** Paths with more documents than there may be. */
function* strays({ paths }: Expected, { own, members }: Awaited<ReturnType<typeof countByPath>>): Generator<string> {
  for (const [path, blobs] of own) {
    for (const [blob, counts] of blobs) {
      const wanted = paths.get(path)?.get(blob);
      if (wanted === undefined || (!members.has(path) && lacks(wanted, counts))) yield path;
    }
  }
  for (const path of members.keys()) if (!paths.has(path)) yield path;
}

/** Paths of data sets of which records are missing. */
async function lostRecords(
  client: Client,
  root: string,
  manifest: ReadonlyMap<string, FileEntry>,
): Promise<Set<string>> {
  const withRecords = [...manifest.values()].filter(({ datasets }) => datasets.length > 0);
  if (withRecords.length === 0) return new Set();
  const there = await countRecords(client, `${INDEX.dataPrefix}*`);
  const wanted = new Map((await readDatasetEntries(client, root)).map(({ dataset, records }) => [dataset, records]));
  const isWhole = (name: string) => {
    const records = wanted.get(name);
    return records !== undefined && (there.get(dataIndex(name)) ?? 0) >= records;
  };
  return new Set(withRecords.filter(({ datasets }) => !datasets.every(isWhole)).map(({ path }) => path));
}
