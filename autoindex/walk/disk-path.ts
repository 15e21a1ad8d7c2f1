import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { byteName, pathBytes } from "../../code/index.js";

/** A path as the system takes it: with the bytes of names that are no UTF-8. */
export function diskPath(file: string): string | Buffer {
  const bytes = pathBytes(file);
  if (bytes === undefined) return file;
  // A file may really be called like what stands for a byte.
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined ? Buffer.from(bytes) : file;
  } catch {
    return Buffer.from(bytes);
  }
}

/** What lies in a folder: type by type as the system lists it, names that are no UTF-8 as `byteName` writes them. */
export function listFolder(folder: string): Dirent[] {
  const place = diskPath(folder);
  const entries = readdirSync(place, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes("\uFFFD"))) return entries;
  return readdirSync(place, { withFileTypes: true, encoding: "buffer" }).map((entry) => {
    const name = byteName(entry.name);
    // An entry's own name is bytes; all else of it stays.
    return Object.create(entry, { name: { value: name, enumerable: true } }) as Dirent;
  });
}
