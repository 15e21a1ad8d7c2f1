import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder with files by their relative path; removed when the test ends. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "autoindex-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) write(root, name, content);
  return root;
}

/** Writes a file with a time stamp well in the past, so that it is told apart from one changed just now. */
export function write(root: string, name: string, content: string | Uint8Array, seconds = 1_700_000_000): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, seconds, seconds);
}
