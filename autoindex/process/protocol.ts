/**
 * What the parent and an extractor process say to each other over the IPC channel.
 *
 * The parent sends batches; the child answers file by file in the order of the batch, so that when it dies or falls
 * silent the first file without an answer is the one to suspect.
 */
import type { DatasetField } from "../../code/index.js";
import type { DocumentCounts } from "../documents/counted-lines.js";
import type { BulkPart } from "../documents/lines.js";
import type { SkipReason } from "../skip.js";
import type { FileStamp } from "../stamp.js";

/** What all files of a run have in common. */
export interface RunContext {
  root: string;
  repo: string;
  branches: string[];
  maxFileBytes: number;
  /** Name that data sets are called after, where folders share the repository's; that one when absent. */
  datasetRepo?: string;
}

/** One file to read. */
export interface FileJob {
  path: string;
  /** Blob that the index has documents for; the same one now means that nothing is to be done. */
  knownBlob: string;
  /** Version that made them. */
  knownVersion: string;
  /** Whether a list of records becomes a data set, or is read as text like any other file. */
  records: "dataset" | "text";
  /** `none`: a process died over it, perhaps by its grammar; all else of it is read. All when absent. */
  grammars?: "all" | "none";
  /** Documents at this path that are there for others of the repository: a blob among them needs no reading. */
  others?: { blob: string; version: string }[];
  /** Content out of an object database instead of the folder's, with what its documents say of branches. */
  stored?: { bytes: Uint8Array; branches: string[]; inTree: boolean };
}

export interface Batch {
  context: RunContext;
  jobs: FileJob[];
}

/** What was found out about the file in any case. */
export interface FileFacts {
  path: string;
  /** Taken before it was read: a change while it is read shows on the next run. */
  stamp: FileStamp;
  /** Clock when it was read: a change within the clock's grain after it cannot be told by the time stamp. */
  readAtMs: number;
  blob: string;
  language: string;
  version: string;
}

/** A data set read from a file, its records printed as bulk operations. */
export interface DataSetFacts {
  name: string;
  /** Table, sheet or key of the file; empty when the file is one list. */
  part: string;
  /** What read it. */
  reader: string;
  parts: BulkPart[];
  records: number;
  fields: DatasetField[];
  properties: Record<string, unknown>;
  notes: string[];
}

/** Documents of a file, printed as bulk operations; those of its records are in `datasets`. */
export interface IndexedFile extends FileFacts {
  kind: "indexed";
  parts: BulkPart[];
  /** What `parts` write: documents of files, declarations and references. */
  documents: DocumentCounts;
  declarations: number;
  references: number;
  datasets: DataSetFacts[];
  /** Why the file is no list of records, or what of them was left out. */
  recordsNote: string;
  detail: string;
}

/** The answer for one file. */
export type FileResult =
  | IndexedFile
  | (FileFacts & { kind: "same" })
  /** `parts`: a binary's document, by which its name and type are found; `documents` counts them. */
  | (FileFacts & {
      kind: "skipped";
      reason: SkipReason;
      detail: string;
      parts?: BulkPart[];
      documents?: DocumentCounts;
    });
