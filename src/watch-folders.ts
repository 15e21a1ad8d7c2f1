import { type AutoindexSummary, type WatchNews, watchFolder } from "../autoindex/index.js";
import { counted, printable } from "../code/index.js";
import type { IndexFoldersOptions } from "./index-folders.js";
import { progressPrinter, summaryLines } from "./progress.js";

/** What is watched, until the signal ends it. */
export interface WatchFoldersOptions extends IndexFoldersOptions {
  signal: AbortSignal;
}

/** Folders that are followed. */
export interface WatchedFolders {
  /** What indexing them found; they are searchable, and followed from here on. */
  summaries: AutoindexSummary[];
  /** Settles when all watchers have let go of their folders; rejects then when one could not go on. */
  ended: Promise<void>;
}

/**
 * Indexes the folders one after the other and follows each from then on. Counts go to standard output, a line for every
 * batch of changes too; progress and trouble go to standard error.
 */
export async function watchFolders(options: WatchFoldersOptions): Promise<WatchedFolders> {
  const summaries: AutoindexSummary[] = [];
  const ending: Promise<void>[] = [];
  for (const folder of options.folders) {
    const watched = startWatching(options, folder);
    ending.push(watched.ended);
    watched.ended.catch((error: Error) => {
      // Of a single folder the command itself says how it ended.
      if (options.folders.length > 1) process.stderr.write(`${printable(error.message)}\n`);
    });
    const summary = await Promise.race([watched.ready, watched.ended]);
    if (!summary) break;
    summaries.push(summary);
  }
  return { summaries, ended: untilAllEnded(ending) };
}

/** One folder that cannot be followed any more does not end the others. */
async function untilAllEnded(ending: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(ending)).find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}

function startWatching(
  { client, workers, hidden, branches, history, signal }: WatchFoldersOptions,
  folder: string,
): { ready: Promise<AutoindexSummary>; ended: Promise<void> } {
  const printer = progressPrinter(process.stderr);
  let isReady: (summary: AutoindexSummary) => void;
  const ready = new Promise<AutoindexSummary>((resolve) => {
    isReady = resolve;
  });
  const tell = (news: WatchNews): void => {
    if (news.kind === "progress") printer.show(news.progress);
    else {
      printer.end();
      say(folder, news);
    }
    if (news.kind === "ready") isReady(news.summary);
  };
  return { ready, ended: watchFolder({ client, folder, workers, hidden, branches, history, signal, tell }) };
}

function say(folder: string, news: Exclude<WatchNews, { kind: "progress" }>): void {
  const line = newsLine(folder, news);
  const stream = news.kind === "ready" || news.kind === "updated" ? process.stdout : process.stderr;
  if (line !== "") stream.write(`${line}\n`);
}

/** What is said of an event, empty when nothing is. */
function newsLine(folder: string, news: Exclude<WatchNews, { kind: "progress" }>): string {
  if (news.kind === "ready") {
    return [...summaryLines(news.summary), `watching ${printable(folder)} (${counted(news.watched, "folder")})`].join(
      "\n",
    );
  }
  if (news.kind === "updated") {
    const { indexed, removed, seconds } = news;
    if (indexed + removed === 0) return "";
    return printable(`${folder}: ${counted(indexed, "file")} indexed, ${removed} removed in ${seconds.toFixed(2)} s`);
  }
  if (news.kind === "trouble") {
    return printable(`${folder}: ${news.message}; trying again in ${news.retrySeconds} s`);
  }
  const { unwatched, reason, everySeconds } = news;
  return printable(
    `${folder}: ${counted(unwatched, "folder")} cannot be watched (${reason}), so all is looked at every ${everySeconds} s`,
  );
}
