import type { BulkPart } from "../documents/lines.js";
import type { DataSetFacts } from "../process/protocol.js";
import type { FileEntry } from "./manifest.js";

/** What changes for one path. */
export interface Commit {
  path: string;
  /** Whether the manifest has an entry for the path now. */
  hasEntry: boolean;
  /** Repository under which documents of an earlier state may lie; empty when there are none. */
  oldRepo: string;
  /** Blob of the earlier state, empty when there was none or it is not known. */
  oldBlob: string;
  /** Data sets of the earlier state. */
  oldDatasets: string[];
  parts: BulkPart[];
  datasets: DataSetFacts[];
  /** Branches that the documents, else the same, are to name from now on. */
  branches: string[] | undefined;
  /** The new manifest entry; nothing removes the old one. */
  entry: FileEntry | undefined;
}

/** An entry that became another one than was asked for, because the node refused documents. */
export interface Correction {
  wanted: FileEntry;
  written: FileEntry;
}

/** Whom an operation of a bulk request belongs to. */
export interface Piece {
  commit: Commit;
  /** The data set whose records they are; nothing for documents of code. */
  dataset: DataSetFacts | undefined;
}
