import type { Client } from "../client/index.js";
import type { BranchTotals } from "./git/index-branches.js";
import type { CommitTotals } from "./git/index-commits.js";
import type { SkipReason } from "./skip.js";

/** Files larger than this are not read. */
export const DEFAULT_MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Data sets of one folder; files beyond are read as text, so that a folder of fixtures does not make 5000 indices. */
export const DEFAULT_MAX_DATASETS = 200;

/** What to index and how. Only the folder and the client must be given. */
export interface AutoindexOptions {
  client: Client;
  folder: string;
  /** Extractor processes; two, or one on a single core. */
  workers?: number;
  /** Names that begin with a dot are left out, as ripgrep does, unless this is `index`. `.git` never is. */
  hidden?: "skip" | "index";
  /** Whether the user's own git ignore file counts; it does. */
  globalIgnore?: "user" | "none";
  /**
   * Branches to index out of the object database beside the folder: names, patterns (`release/*`), `all`; `none` takes
   * those that are there out again. As the last time when absent.
   */
  branches?: readonly string[];
  /** Commits to keep as documents: how many of the latest, `all` or `none`; as the last time when absent, else 1000. */
  history?: string;
  maxFileBytes?: number;
  maxDatasets?: number;
  /** Name in the index; otherwise that of the folder's `origin` remote, else of the folder. */
  repo?: string;
  /** How long to wait for another run over the same folder, in milliseconds; without end. */
  patienceMs?: number;
  /** Longest time one file may keep an extractor process; 30 s. */
  silenceMs?: number;
  /** Ends the run between two files, by throwing the signal's reason; the next run goes on from there. */
  signal?: AbortSignal;
}

/** Counts while a run goes on. */
export interface Progress {
  phase: "waiting" | "walking" | "indexing" | "finishing";
  /** While waiting: the run that is at the folder, `process 123 on host since 2024-01-01T00:00:00.000Z`. */
  waitingFor?: string;
  /** Files met so far, those left out among them. */
  seen: number;
  /** Files to be read, and how many of them are done. */
  toRead: number;
  read: number;
  declarations: number;
  /** Bytes of files read. */
  bytes: number;
  /** File that was done last. */
  path: string;
}

/** Told of progress as it comes; must return quickly. */
export type OnProgress = (progress: Progress) => void;

/** What a run did. */
export interface AutoindexSummary {
  root: string;
  repo: string;
  /** Everything met: files, and folders that were left out as a whole. */
  seen: number;
  /** Files whose documents were written by this run. */
  indexed: number;
  /** Files whose documents were there already, because another folder or branch of the repository has the same. */
  adopted: number;
  /** Files that needed nothing, whether indexed or left out before. */
  unchanged: number;
  /** Paths of an earlier run whose documents were removed. */
  removed: number;
  /** Written by this run. */
  declarations: number;
  references: number;
  records: number;
  bytes: number;
  /** Data sets in the folder now. */
  datasets: string[];
  /** Everything left out in the folder now, by reason. */
  skipped: Partial<Record<SkipReason, number>>;
  /** Lists of records that were read as text because the limit of data sets was reached. */
  datasetsBeyondLimit: number;
  seconds: number;
  /** Three things to search for first. */
  suggestions: string[];
  /** What could not be found out, for the one who asked. */
  notes?: readonly string[];
  /** Branches that are not checked out, when there are any. */
  branches?: BranchTotals;
  /** Commits, when there was something to do about them. */
  commits?: CommitTotals;
}
