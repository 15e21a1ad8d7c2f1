import { readdirSync } from "node:fs";
import path from "node:path";
import { lookAt } from "./look-at.js";

/** The log of a node's metadata: every data folder has one, whether a node runs on it or not. */
const METADATA_LOG = /^log-\d+\.wal$/;

/**
 * Whether a folder is where a Pinakes node keeps its data, this one's or another's. Its files change with every document
 * that is written, so indexing them would never come to an end.
 */
export function isDataFolder(folder: string): boolean {
  const metadata = path.join(folder, "metadata");
  if (!lookAt(metadata, "show")?.isDirectory()) return false;
  // A node that just starts has its lock before its log.
  if (lookAt(path.join(folder, "node.lock"), "show")?.isFile()) return true;
  try {
    return readdirSync(metadata).some((name) => METADATA_LOG.test(name));
  } catch {
    return false;
  }
}
