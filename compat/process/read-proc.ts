/** Small files of Linux's /proc; elsewhere there are none, and what they would tell is not known. */
import { readdirSync, readFileSync } from "node:fs";

/** The file's text; undefined where there is none. */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Names in a folder; none where there is no such folder. */
export function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Values in kilobytes of lines such as `MemAvailable:  123 kB`, as bytes. */
export function kilobyteLines(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const number = Number.parseInt(line.slice(colon + 1), 10);
    if (colon > 0 && !Number.isNaN(number)) values.set(line.slice(0, colon), number * 1024);
  }
  return values;
}
