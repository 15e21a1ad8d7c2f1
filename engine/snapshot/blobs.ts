/** Blobs of a repository: files of indices on their way in, on their way out, and where they lie. */
import path from "node:path";
import { crc32 } from "node:zlib";
import { CorruptionError, EngineError } from "../errors.js";
import { type Files, TEMPORARY_SUFFIX } from "../store/index.js";
import { piecesOf, type StoredFile } from "./format.js";
import type { Pace } from "./pace.js";
import { inPieces, readPiece, writePiece } from "./pieces.js";
import type { SourceFile } from "./source-file.js";

/** How copying is held back and stopped. */
export interface CopyControl {
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Where blobs of one index lie. */
export interface BlobFolder {
  readonly files: Files;
  /** The repository's folder. */
  readonly root: string;
  readonly indexUuid: string;
}

/**
 * Copies a file of an index into its blob; durable but for its name when this resolves. Throws CorruptionError for a
 * damaged source, `repository_failed` when the blob can't be written, `cancelled`.
 */
export async function storeFile(
  source: SourceFile,
  target: BlobFolder & { readonly name: string; readonly pieceBytes: number | null },
  control: CopyControl,
): Promise<StoredFile> {
  const { size, seal } = source;
  const split = target.pieceBytes !== null && size > target.pieceBytes ? { piece: target.pieceBytes } : {};
  const record = { name: target.name, size, seal, crc: 0, ...split };
  let crc = 0;
  let from = 0;
  for (const piece of piecesOf(target.indexUuid, record)) {
    const start = from;
    const file = path.join(target.root, piece.path);
    await writeBlob(target.files, file, piece.size, async (buffer, position) => {
      await source.read(buffer, start + position);
      crc = crc32(buffer, crc);
      await spend(buffer.length, control);
    });
    from += piece.size;
  }
  source.end();
  return { ...record, crc };
}

/** Copies a blob out into a file, checked. Throws CorruptionError. Not synced: the commit that names it does that. */
export async function restoreFile(
  blobs: BlobFolder,
  stored: StoredFile,
  folder: string,
  control: CopyControl,
): Promise<void> {
  const target = blobs.files.open(path.join(folder, stored.name), "create");
  try {
    await readBlob(blobs, stored, async (bytes, position) => {
      await writePiece(target, bytes, position);
      await spend(bytes.length, control);
    });
  } finally {
    target.close();
  }
}

/** Hands the bytes of a blob to `each`, in order. Throws CorruptionError, at the end where a checksum is wrong. */
export async function readBlob(
  { files, root, indexUuid }: BlobFolder,
  stored: StoredFile,
  each: (bytes: Uint8Array, position: number) => Promise<void>,
): Promise<void> {
  let crc = 0;
  let from = 0;
  for (const piece of piecesOf(indexUuid, stored)) {
    const start = from;
    const handle = files.open(path.join(root, piece.path), "read");
    try {
      if (handle.size() !== piece.size) throw wrongSize(handle.path, piece.size, handle.size());
      await inPieces(piece.size, async (buffer, position) => {
        await readPiece(handle, buffer, position);
        crc = crc32(buffer, crc);
        await each(buffer, start + position);
      });
    } finally {
      handle.close();
    }
    from += piece.size;
  }
  if (crc !== stored.crc) {
    const first = path.join(root, piecesOf(indexUuid, stored)[0].path);
    throw new CorruptionError(
      first,
      0,
      `checksum ${stored.crc.toString(16)} of ${stored.size} bytes`,
      crc.toString(16),
    );
  }
}

/** What is wrong with a blob as far as names and sizes tell; undefined: nothing. */
export function blobFault({ files, root, indexUuid }: BlobFolder, stored: StoredFile): string | undefined {
  for (const { path: piece, size } of piecesOf(indexUuid, stored)) {
    const file = path.join(root, piece);
    const found = files.stat(file)?.size;
    if (found === undefined) return `${file} is missing`;
    if (found !== size) return `${file} has ${found} bytes where ${size} are meant`;
  }
  return undefined;
}

/** Writes a file under a temporary name, syncs it, gives it its name. */
async function writeBlob(
  files: Files,
  file: string,
  size: number,
  fill: (buffer: Uint8Array, position: number) => Promise<void>,
): Promise<void> {
  const temporary = file + TEMPORARY_SUFFIX;
  const handle = inRepository(file, () => files.open(temporary, "create"));
  try {
    await inPieces(size, async (buffer, position) => {
      await fill(buffer, position);
      await inRepositoryAsync(file, () => writePiece(handle, buffer, position));
    });
    await inRepositoryAsync(file, () => handle.syncAsync());
  } finally {
    handle.close();
  }
  inRepository(file, () => files.rename(temporary, file));
}

async function spend(bytes: number, { pace, signal }: CopyControl): Promise<void> {
  await pace.spend(bytes, signal);
  if (signal.aborted) throw signal.reason;
}

/** Does something to the repository's own files. Throws `repository_failed`: not the index but the place of its copy is at fault. */
export function inRepository<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw repositoryFailed(file, error);
  }
}

async function inRepositoryAsync<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw repositoryFailed(file, error);
  }
}

function repositoryFailed(file: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError(
    "repository_failed",
    `could not write to the repository: ${reason}`,
    { path: file },
    { cause },
  );
}

function wrongSize(file: string, expected: number, found: number): CorruptionError {
  return new CorruptionError(file, Math.min(expected, found), `${expected} bytes`, `${found}`);
}
