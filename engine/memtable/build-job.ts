/** The job of making segments of buffered documents: what it is told, what it says, and how it is done on any thread. */
import path from "node:path";
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { segmentFileName } from "../segment/reader.js";
import type { DocumentPlace } from "../source/elider.js";
import { isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import type { BuildRows } from "./build-rows.js";
import { type DocumentRows, SegmentBuilder } from "./segment-builder.js";

/** Where the segments go: `<folder>/<name>.seg`, further ones `<name>-1` and so on. */
export interface BuildTarget {
  readonly folder: string;
  readonly name: string;
}

/** Plain data. */
export interface BuildJob extends BuildTarget {
  readonly rows: BuildRows;
  /** Key of a StoredFieldTable that has all fields of the documents. */
  readonly fields: string;
}

/** A segment that was written (not synced): the living among the documents [from, to) are in it. */
export interface BuiltSegment {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface BuildJobResult {
  /** In the order of their documents. */
  readonly segments: readonly BuiltSegment[];
}

/** Documents between two yields. */
const SLICE_DOCS = 256;

/**
 * Writes the living documents as segments: one, or more where the arena has no room to make it in one piece. None when
 * nothing is alive. Throws `overloaded` when there is no room for anything, `io`; no file is left behind then.
 */
export function* buildSegments(
  storage: Storage,
  fields: readonly Field[],
  rows: BuildRows,
  target: BuildTarget,
): Generator<void, BuiltSegment[]> {
  const built: BuiltSegment[] = [];
  let finished = false;
  try {
    for (let [from, most] = [0, rows.count]; from < rows.count; ) {
      const name = built.length === 0 ? target.name : `${target.name}-${built.length}`;
      const part = yield* buildOne(storage, fields, { rows, from, most, folder: target.folder, name });
      if (part.written && part.docs > 0) built.push({ name, from, to: part.next });
      if (part.written) from = part.next;
      else most = part.docs >>> 1;
    }
    finished = true;
    return built;
  } finally {
    if (!finished) for (const { name } of built) storage.files.unlink(path.join(target.folder, segmentFileName(name)));
  }
}

interface Part {
  readonly rows: BuildRows;
  readonly from: number;
  /** Most documents. */
  readonly most: number;
  readonly folder: string;
  readonly name: string;
}

interface PartResult {
  /** The first row that is not in it, and how many documents are. */
  readonly next: number;
  readonly docs: number;
  /** False: so many documents could be gathered, but not written for want of room. */
  readonly written: boolean;
}

function* buildOne(
  storage: Storage,
  fields: readonly Field[],
  { rows, from, most, folder, name }: Part,
): Generator<void, PartResult> {
  const { f64, u32 } = storage.arena;
  const builder = new SegmentBuilder(storage, fields);
  const kept = new Uint32Array(rows.count - from);
  let docs = 0;
  let row = from;
  try {
    for (; row < rows.count && docs < most; row++) {
      if (rows.dead !== null && isSet(rows.dead, row)) continue;
      const start = f64[(rows.starts >>> 3) + row];
      const end = f64[(rows.ends >>> 3) + row];
      if (!builder.hasRoom(2 * u32[(rows.lengths >>> 2) + row] + 4 * (end - start))) break;
      builder.add(start, end);
      kept[docs++] = row;
      if (docs % SLICE_DOCS === 0) yield;
    }
    if (docs === 0 && row < rows.count) throw noRoom(storage);
    if (docs > 0) yield* builder.write(folder, name, new KeptRows(storage, rows, kept.subarray(0, docs)));
    return { next: row, docs, written: true };
  } catch (error) {
    if (docs <= 1 || !(error instanceof EngineError) || error.code !== "overloaded") throw error;
    return { next: row, docs, written: false };
  } finally {
    builder.close();
  }
}

function noRoom({ arena }: Storage): EngineError {
  const { used, capacity } = arena;
  return new EngineError("overloaded", `the arena has no room to make a segment in: ${used} of ${capacity} in use`, {
    used,
    capacity,
  });
}

/** The rows that became documents, by the documents' numbers. */
class KeptRows implements DocumentRows {
  constructor(
    private readonly storage: Storage,
    private readonly rows: BuildRows,
    private readonly kept: Uint32Array,
  ) {}

  id(doc: number): { bytes: Uint8Array; from: number; to: number } {
    const { arena } = this.storage;
    const row = this.kept[doc];
    const ends = this.rows.idEnds >>> 2;
    const from = this.rows.idText + (row === 0 ? 0 : arena.u32[ends + row - 1]);
    return { bytes: arena.u8, from, to: this.rows.idText + arena.u32[ends + row] };
  }

  seqNo(doc: number): number {
    return this.storage.arena.f64[(this.rows.seqNos >>> 3) + this.kept[doc]];
  }

  version(doc: number): number {
    return this.storage.arena.f64[(this.rows.versions >>> 3) + this.kept[doc]];
  }

  primaryTerm(doc: number): number {
    return this.storage.arena.f64[(this.rows.primaryTerms >>> 3) + this.kept[doc]];
  }

  place(doc: number): DocumentPlace {
    const { f64, u32 } = this.storage.arena;
    const { rows } = this;
    const row = this.kept[doc];
    return {
      start: f64[(rows.starts >>> 3) + row],
      end: f64[(rows.ends >>> 3) + row],
      source: f64[(rows.sources >>> 3) + row],
      length: u32[(rows.lengths >>> 2) + row],
    };
  }

  routings(): [docs: number[], values: string[]] {
    const byRow = new Map(this.rows.routings);
    const docs: number[] = [];
    const values: string[] = [];
    if (byRow.size === 0) return [docs, values];
    this.kept.forEach((row, doc) => {
      const value = byRow.get(row);
      if (value === undefined) return;
      docs.push(doc);
      values.push(value);
    });
    return [docs, values];
  }
}
