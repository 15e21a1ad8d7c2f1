import type { Client } from "../../client/index.js";
import { type FileEntry, readDatasets } from "../catalog/manifest.js";
import { findDocumentPaths } from "../catalog/old-ids.js";
import { type Place, strayEntry } from "./plan.js";

/**
 * Adds to the manifest what a run that was cut off has left: paths with documents or a data set and without an entry.
 * The file may be gone by now, so that the walk alone would never lead to them.
 */
export async function addStrays(client: Client, place: Place, manifest: Map<string, FileEntry>): Promise<void> {
  const datasets = await readDatasets(client, place.root);
  const paths = await findDocumentPaths(client, place.repo);
  for (const path of [...paths, ...datasets.keys()]) {
    const known = manifest.get(path);
    if (!known) manifest.set(path, strayEntry(place, path, datasets.get(path) ?? []));
    else if (datasets.has(path)) {
      manifest.set(path, { ...known, datasets: [...new Set([...known.datasets, ...datasets.get(path)!])] });
    }
  }
}
