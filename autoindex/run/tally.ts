import type { Correction } from "../catalog/commit.js";
import type { FileEntry, FolderEntry } from "../catalog/manifest.js";
import type { AutoindexSummary, OnProgress, Progress } from "../options.js";
import type { FileResult } from "../process/protocol.js";
import { isSkipReason, type SkipReason } from "../skip.js";
import type { Place, Step } from "./plan.js";

/** Counts what a run meets and does, and tells of it. */
export class Tally {
  readonly progress: Progress = {
    phase: "walking",
    seen: 0,
    toRead: 0,
    read: 0,
    declarations: 0,
    bytes: 0,
    path: "",
  };
  readonly datasets: string[] = [];
  readonly #skipped: Partial<Record<SkipReason, number>> = {};
  #indexed = 0;
  #unchanged = 0;
  #adopted = 0;
  #references = 0;
  #records = 0;
  removed = 0;
  datasetsBeyondLimit = 0;
  /** Of the folder as it is now, whether written by this run or before. */
  readonly #total = { files: 0, declarations: 0, records: 0 };

  constructor(private readonly onProgress: OnProgress) {}

  met(step: Step): void {
    this.progress.seen++;
    if (step.kind === "read") this.progress.toRead++;
    if (step.kind === "unchanged" || step.kind === "branch") {
      this.#unchanged++;
      this.#count(step.entry);
    }
    if (this.progress.seen % 500 === 0) this.tell();
  }

  /** A file was read; `isKnown`: the folder had it before. */
  read(entry: FileEntry, result: FileResult, isKnown: boolean): void {
    this.progress.read++;
    this.progress.bytes += entry.size;
    this.progress.path = entry.path;
    if (result.kind === "indexed") {
      this.#indexed++;
      this.#references += result.references;
      this.#records += entry.records;
      this.progress.declarations += result.declarations;
    } else if (result.kind === "same") {
      if (isKnown) this.#unchanged++;
      else this.#adopted++;
    }
    this.#count(entry);
    this.tell();
  }

  /** A path was written down as left out. */
  leftOut(entry: FileEntry): void {
    this.#count(entry);
  }

  /** The node did not take all that was counted as written. */
  corrected({ wanted, written }: Correction): void {
    this.#count(wanted, -1);
    this.#count(written);
    this.#records += written.records - wanted.records;
    this.progress.declarations += written.declarations - wanted.declarations;
    if (written.status !== "indexed") this.#indexed--;
  }

  /** Another run is at the folder. */
  waitsFor(who: string): void {
    this.progress.phase = "waiting";
    this.progress.waitingFor = who;
    this.tell();
  }

  enter(phase: Progress["phase"]): void {
    this.progress.phase = phase;
    delete this.progress.waitingFor;
    this.tell();
  }

  tell(): void {
    this.onProgress({ ...this.progress });
  }

  folderEntry({ root, repo, facts }: Place, finishedAt: string): FolderEntry {
    const skipped = Object.fromEntries(Object.entries(this.#skipped).map(([reason, count]) => [reason, count ?? 0]));
    const state = "finished" as const;
    return {
      entry: "folder",
      root,
      repo,
      ...this.#total,
      skipped,
      finished_at: finishedAt,
      state,
      holder: null,
      ...facts,
    };
  }

  summary({ root, repo }: Place): Omit<AutoindexSummary, "seconds" | "suggestions" | "notes"> {
    return {
      root,
      repo,
      seen: this.progress.seen,
      indexed: this.#indexed,
      adopted: this.#adopted,
      unchanged: this.#unchanged,
      removed: this.removed,
      declarations: this.progress.declarations,
      references: this.#references,
      records: this.#records,
      bytes: this.progress.bytes,
      datasets: [...this.datasets].sort(),
      skipped: this.#skipped,
      datasetsBeyondLimit: this.datasetsBeyondLimit,
    };
  }

  #count(entry: FileEntry, times: 1 | -1 = 1): void {
    if (isSkipReason(entry.status)) {
      this.#skipped[entry.status] = (this.#skipped[entry.status] ?? 0) + times;
      return;
    }
    this.#total.files += times;
    this.#total.declarations += times * entry.declarations;
    this.#total.records += times * entry.records;
    for (const dataset of entry.datasets) {
      if (times === 1) this.datasets.push(dataset);
      else this.datasets.splice(this.datasets.lastIndexOf(dataset), 1);
    }
  }
}
