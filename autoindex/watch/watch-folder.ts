import { readFileSync } from "node:fs";
import { AutoindexError } from "../errors.js";
import type { AutoindexOptions, AutoindexSummary, Progress } from "../options.js";
import { resolveRoot } from "../run/identity.js";
import { type BatchTiming, ChangeBatches } from "./change-batches.js";
import { FolderEvents } from "./folder-events.js";
import { GitEvents } from "./git-events.js";
import { type BatchOutcome, WatchSession } from "./watch-session.js";

/** What a watcher tells as it happens. */
export type WatchNews =
  | { kind: "progress"; progress: Progress }
  /** The folder is whole, and changes are followed from here on. */
  | { kind: "ready"; summary: AutoindexSummary; watched: number }
  | ({ kind: "updated" } & BatchOutcome)
  /** Folders that the system does not let be watched are looked at again and again. */
  | { kind: "limited"; unwatched: number; reason: string; everySeconds: number }
  /** The node did not answer, or something else went wrong; the watcher tries again. */
  | { kind: "trouble"; message: string; retrySeconds: number };

/** What to watch and how. `signal` ends it. */
export interface WatchOptions extends AutoindexOptions {
  /** Told of everything as it comes; must return quickly. */
  tell: (news: WatchNews) => void;
  /** Longest time between two looks at the whole folder, in milliseconds. */
  rescanMs?: number;
  timing?: BatchTiming;
}

/** A whole folder is looked at so often although nothing was heard, and not more than this part of the time. */
const RESCAN_MS = 60_000;
const RESCAN_SHARE = 1 / 50;
/** The same where some folders cannot be watched. */
const POLL_MS = 2000;
const POLL_SHARE = 1 / 10;

/** What a look at the whole folder is taken to last before there was one that found it as it was. */
const FIRST_LOOK_MS = 500;

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Longest rest after a batch: a file that never stops changing gets at most half of the time. */
const LONGEST_REST_MS = 1000;

/**
 * Indexes a folder and keeps it up to date until the signal ends it. The folder is held all the time: other runs are told
 * by whom. Nothing is believed but the walk: events only say where to look, and when there are so many that the system
 * may have lost some, or now and then, the whole folder is looked at. Throws when the folder is gone, or busy at first.
 */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const watcher = new Watcher(options);
  try {
    await watcher.run();
  } finally {
    watcher.close();
  }
}

class Watcher {
  readonly #signal: AbortSignal;
  readonly #batches: ChangeBatches;
  readonly #git: GitEvents;
  readonly #events: FolderEvents;
  #lastWhole = { end: 0, ms: 0 };
  #isKnown = false;
  #limit: string | undefined;
  #toldLimit = false;

  constructor(private readonly options: WatchOptions) {
    this.#signal = options.signal ?? new AbortController().signal;
    const root = resolveRoot(options.folder);
    const isBusy = () => this.#git.isWriting;
    const { timing } = options;
    this.#batches = new ChangeBatches({ maxEvents: maxEvents(), isBusy, ...(timing && { timing }) });
    this.#git = new GitEvents(root, (name) => this.#batches.note(name === "HEAD" ? ".git/HEAD" : ""));
    this.#events = new FolderEvents(root, {
      changed: (path) => this.#batches.note(path),
      unwatched: (_folder, error) => {
        this.#limit ??= error.code === "ENOSPC" ? "the system's limit fs.inotify.max_user_watches" : error.message;
      },
    });
  }

  /** Opens the folder again after every failure that may pass; what was missed meanwhile the first look finds. */
  async run(): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; !this.#signal.aborted; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        await this.#session(() => {
          retryMs = FIRST_RETRY_MS / 2;
        });
      } catch (error) {
        if (this.#signal.aborted) return;
        if (this.#isFinal(error)) throw error;
        const message = error instanceof Error ? error.message : String(error);
        this.options.tell({ kind: "trouble", message, retrySeconds: retryMs / 1000 });
        await rest(retryMs, this.#signal);
      }
    }
  }

  close(): void {
    this.#git.close();
    this.#events.close();
  }

  async #session(wentWell: () => void): Promise<void> {
    const { tell } = this.options;
    const waits = (waitingFor: string) => tell({ kind: "progress", progress: { ...NOTHING, waitingFor } });
    const session = await WatchSession.open(this.options, this.#events, waits);
    try {
      const started = performance.now();
      const summary = await session.first((progress) => tell({ kind: "progress", progress }));
      this.#sawWhole(Math.max(started, performance.now() - FIRST_LOOK_MS));
      this.#isKnown = true;
      tell({ kind: "ready", summary, watched: this.#events.counts.watched });
      wentWell();
      while (!this.#signal.aborted) {
        await this.#next(session);
        wentWell();
      }
    } finally {
      await session.close();
    }
  }

  async #next(session: WatchSession): Promise<void> {
    this.#tellLimit();
    const patience = Math.max(0, this.#lastWhole.end + this.#rescanMs() - performance.now());
    const batch = await this.#batches.next(patience, this.#signal);
    if (this.#signal.aborted) return;
    const started = performance.now();
    const outcome = await session.update(batch ?? { paths: [], extent: "whole folder" });
    if (outcome.extent === "whole folder") this.#sawWhole(started);
    if (batch || outcome.indexed + outcome.removed > 0) this.options.tell({ kind: "updated", ...outcome });
    await rest(Math.min(LONGEST_REST_MS, performance.now() - started), this.#signal);
  }

  #rescanMs(): number {
    const { ms } = this.#lastWhole;
    if (this.#events.counts.unwatched > 0) return Math.max(POLL_MS, ms / POLL_SHARE);
    return Math.max(this.options.rescanMs ?? RESCAN_MS, ms / RESCAN_SHARE);
  }

  #sawWhole(started: number): void {
    const end = performance.now();
    this.#lastWhole = { end, ms: end - started };
  }

  #tellLimit(): void {
    const { unwatched } = this.#events.counts;
    if (unwatched === 0 || this.#toldLimit) return;
    this.#toldLimit = true;
    const everySeconds = Math.ceil(this.#rescanMs() / 1000);
    this.options.tell({ kind: "limited", unwatched, reason: this.#limit ?? "", everySeconds });
  }

  #isFinal(error: unknown): boolean {
    if (!(error instanceof AutoindexError)) return !this.#isKnown;
    if (error.problem === "busy" || error.problem === "bulk_failed") return !this.#isKnown;
    return true;
  }
}

const NOTHING: Progress = { phase: "waiting", seen: 0, toRead: 0, read: 0, declarations: 0, bytes: 0, path: "" };

/** A part of what the system keeps of events that nobody has fetched yet: above all it drops them and does not say so. */
function maxEvents(): number {
  try {
    return Math.max(1, Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) / 8);
  } catch {
    return 2048;
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
