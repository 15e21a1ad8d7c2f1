/**
 * A repository: a folder that holds snapshots. Paths are from that folder.
 *
 *   index                        small file, Listing: which snapshots there are. Replaced as a whole; only what it leads
 *                                to counts
 *   snapshots/<uuid>             small file, Manifest: everything of one snapshot but the data. Never changes
 *   indices/<index uuid>/<blob>  bytes of one file of an index, as they are. Never changes
 *     <blob>                     <file name>-<seal in hex>, of the whole file, or with .0 .1 ... for pieces of it
 *
 * Small files are those of store/small-file.ts, with their checksum; the payload is JSON in UTF-8, as it is (its first
 * byte is 7b) or in a zlib stream (78; RFC 1950). A blob's checksum stands in the manifest: the CRC-32 of gzip (RFC
 * 1952), whose code is native to Node and four times as fast as our CRC32C, so that a restore checks at disk speed.
 *
 * A file of an index is known by the index's uuid, its name, its size and its seal: for a segment the checksum of its
 * table, which has the checksums of all its bytes, for live docs the checksum in their header. What a repository has by
 * that name is not copied again. Graphs of vectors are not kept: they are built anew.
 *
 * Example: the payload of the index of a repository without snapshots is
 *   {"format":1,"uuid":"kBT2mGzTRDyeq0eUNfWhrQ","generation":0,"snapshots":[]}
 * and a segment s1.seg of 5000 bytes whose seal is 0x00c0ffee, in pieces of 2048, lies in
 *   indices/<index uuid>/s1.seg-00c0ffee.0, .1 and .2
 *
 * Order of writing: blobs under a temporary name, synced, renamed; their folders synced; the manifest; the index. A
 * crash leaves files that nothing leads to, which `clean up` and every removal of a snapshot take away. Order of
 * removing: the index first.
 *
 * The index is written when the repository is first written to, before anything else: snapshots without an index are a
 * repository that has lost it. One node writes a repository; others may read it. A writer that finds the index changed by
 * another stops.
 */
import { deflateSync, inflateSync } from "node:zlib";
import type { IndexDefinition } from "../engine-types.js";
import { CorruptionError, EngineError } from "../errors.js";
import type { StoredFieldTable } from "../mapping/index.js";
import type { Commit } from "../segment/commit.js";
import type { SnapshotAmount, SnapshotState } from "../snapshots.js";
import { type Files, readSmallFile } from "../store/index.js";

/** Format number of index and manifests: 1, the first. */
export const REPOSITORY_FORMAT = 1;

export const INDEX_FILE = "index";
export const MANIFEST_FOLDER = "snapshots";
export const DATA_FOLDER = "indices";
/** Written and removed again to see whether the folder can be written to. */
export const PROBE_FILE = "probe";

/** A snapshot as the index lists it. */
export interface Listed {
  readonly name: string;
  readonly uuid: string;
  readonly state: Exclude<SnapshotState, "in_progress">;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly indices: readonly string[];
}

/** Contents of the index. */
export interface Listing {
  readonly format: number;
  /** Of the repository. */
  readonly uuid: string;
  /** Grows by one with each change. */
  readonly generation: number;
  /** In the order they were begun. */
  readonly snapshots: readonly Listed[];
}

/** One file of an index. */
export interface StoredFile {
  readonly name: string;
  readonly size: number;
  /** Of the file as the engine wrote it, see above. */
  readonly seal: number;
  /** CRC-32 of all its bytes. */
  readonly crc: number;
  /** Bytes of each piece but the last; absent: it is whole. */
  readonly piece?: number;
}

/** One index in a snapshot. */
export interface StoredIndex {
  readonly name: string;
  readonly definition: Omit<IndexDefinition, "mapping">;
  readonly fields: StoredFieldTable;
  readonly attachment: unknown;
  /** null: its data is not here. */
  readonly commit: Commit | null;
  readonly files: readonly StoredFile[];
  readonly failure: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly incremental: SnapshotAmount;
}

/** Contents of a manifest. */
export interface Manifest {
  readonly format: number;
  readonly name: string;
  readonly uuid: string;
  readonly state: Listed["state"];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly partial: boolean;
  readonly note: unknown;
  readonly globalState: Readonly<Record<string, unknown>> | null;
  readonly indices: readonly StoredIndex[];
}

/** One index of a snapshot. */
export function findIndex({ indices }: Manifest, name: string): StoredIndex | undefined {
  return indices.find((index) => index.name === name);
}

/** Folder and name of an index's file in the repository. */
export function blobPath(indexUuid: string, file: Pick<StoredFile, "name" | "seal">): string {
  return `${DATA_FOLDER}/${indexUuid}/${file.name}-${file.seal.toString(16).padStart(8, "0")}`;
}

/** Paths of the pieces a blob lies in, with their sizes. */
export function piecesOf(indexUuid: string, file: StoredFile): { path: string; size: number }[] {
  const blob = blobPath(indexUuid, file);
  const { size, piece } = file;
  if (piece === undefined) return [{ path: blob, size }];
  const count = Math.max(1, Math.ceil(size / piece));
  return Array.from({ length: count }, (_, i) => ({ path: `${blob}.${i}`, size: Math.min(piece, size - i * piece) }));
}

/** What a snapshot needs of one index; the commit, which lies in the manifest, counts as a file. */
export function amountOf(files: readonly StoredFile[], commit: Commit | null): SnapshotAmount {
  const amount = commit ? commitAmount(commit) : { files: 0, bytes: 0 };
  for (const { size } of files) {
    amount.files++;
    amount.bytes += size;
  }
  return amount;
}

export function commitAmount(commit: Commit): SnapshotAmount {
  return { files: 1, bytes: Buffer.byteLength(JSON.stringify(commit)) };
}

/** A description's bytes: the payload of its small file. */
export function encodeDescription(value: Listing | Manifest, compress: boolean): Uint8Array {
  const json = Buffer.from(JSON.stringify(value));
  return compress ? deflateSync(json) : json;
}

const DEFLATED = 0x78;

/** The description in a file, checked; undefined when there is no such file. Throws CorruptionError, or `corrupt` for a format that is not known. */
export function readDescription<T extends Listing | Manifest>(files: Files, file: string): T | undefined {
  const payload = readSmallFile(files, file);
  if (payload === undefined) return undefined;
  const found = parse(file, payload);
  if (found.format === REPOSITORY_FORMAT) return found as T;
  throw new EngineError(
    "corrupt",
    `${file} is of repository format ${found.format}; this program reads ${REPOSITORY_FORMAT}: use the program that wrote it`,
    { file },
  );
}

function parse(file: string, payload: Uint8Array): { format: number } {
  try {
    const json = payload[0] === DEFLATED ? inflateSync(payload) : payload;
    return JSON.parse(Buffer.from(json).toString("utf8")) as { format: number };
  } catch (cause) {
    throw new CorruptionError(file, 0, "JSON, deflated or not", String(cause));
  }
}
