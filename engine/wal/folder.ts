import path from "node:path";
import type { Files } from "../store/files.js";

/** Makes a folder whose name a power cut does not take away, with the ones above it; nothing happens if it is there. */
export function ensureFolder(files: Files, folder: string): void {
  if (files.stat(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) ensureFolder(files, parent);
  files.makeDirectory(folder);
  try {
    files.syncDirectory(parent);
  } catch (error) {
    // Whoever finds it would believe that its name is durable.
    files.removeTree(folder);
    throw error;
  }
}
