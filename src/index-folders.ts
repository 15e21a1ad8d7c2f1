import { statSync } from "node:fs";
import { type AutoindexSummary, autoindex, oddNameNote } from "../autoindex/index.js";
import type { Client } from "../client/index.js";
import { UsageError } from "./command.js";
import { progressPrinter, summaryLines } from "./progress.js";

export interface IndexFoldersOptions {
  client: Client;
  folders: string[];
  workers?: number;
  /** Whether names that begin with a dot are indexed too. */
  hidden?: "skip" | "index";
  /** Branches and commits to take in, as `--branches` and `--history` give them; as the last time when absent. */
  branches?: string[];
  history?: string;
}

/** Refuses what is no folder, before anything is started for it. */
export function checkFolders(folders: string[]): void {
  for (const folder of folders) {
    const odd = oddNameNote(folder);
    if (odd !== "") throw new UsageError(`${folder}: ${odd}`);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`${folder} is no folder (if it was indexed and is gone: pinakes remove ${folder})`);
    }
  }
}

/** Indexes the folders one after the other; counts go to standard output, progress to standard error. */
export async function indexFolders(options: IndexFoldersOptions): Promise<AutoindexSummary[]> {
  const summaries: AutoindexSummary[] = [];
  const { client, folders, workers, hidden, branches, history } = options;
  for (const folder of folders) {
    const printer = progressPrinter(process.stderr);
    const summary = await autoindex({ client, folder, workers, hidden, branches, history }, printer.show);
    printer.end();
    process.stdout.write(`${summaryLines(summary).join("\n")}\n`);
    summaries.push(summary);
  }
  return summaries;
}
