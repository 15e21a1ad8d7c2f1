import { createHash } from "node:crypto";
import type { Client } from "../../client/index.js";
import { nameOwner } from "../catalog/repo-names.js";

/**
 * The name that a folder's data sets are called after. Records belong to one folder: of folders that share a
 * repository's name the first one's data sets have that name alone, those of others a few digits more.
 */
export async function datasetName(client: Client, root: string, repo: string): Promise<string> {
  const owner = await nameOwner(client, repo);
  if (owner === undefined || owner === root) return repo;
  return `${repo}-${createHash("sha1").update(root).digest("hex").slice(0, 6)}`;
}
