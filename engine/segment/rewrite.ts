/**
 * What to do with a segment file whose sync has failed. No later sync makes up for it: Linux tries nothing again of what
 * it failed to write, and may have forgotten it, so that a sync that succeeds proves nothing (Rebello et al., "Can
 * Applications Recover from fsync Failures?", ATC 2020). The bytes are written anew beside it, checked, and put in its
 * place.
 */
import path from "node:path";
import type { Files } from "../store/files.js";
import { TEMPORARY_SUFFIX } from "../store/small-file.js";
import type { Storage } from "../store/storage.js";
import { SegmentFile } from "./file.js";

const COPY_BYTES = 1 << 20;

/**
 * Replaces the file by a copy that is on the disk, but for its name. Whoever has it open goes on with the old one.
 * Throws `corrupt` when its bytes are lost already, `io` when the copy fails too; the file stays as it was then.
 */
export async function rewriteSegmentFile(storage: Storage, folder: string, name: string): Promise<void> {
  const { files } = storage;
  const [file, copy] = [path.join(folder, name), path.join(folder, name + TEMPORARY_SUFFIX)];
  try {
    await copyDurably(files, file, copy);
    const written = SegmentFile.open(storage, copy);
    try {
      written.verify();
    } finally {
      written.close();
    }
    files.rename(copy, file);
  } catch (error) {
    files.unlink(copy);
    throw error;
  }
}

async function copyDurably(files: Files, from: string, to: string): Promise<void> {
  const source = files.open(from, "read");
  try {
    const target = files.open(to, "create");
    try {
      copyBytes(source, target);
      await target.syncAsync();
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

function copyBytes(source: ReturnType<Files["open"]>, target: ReturnType<Files["open"]>): void {
  const bytes = new Uint8Array(COPY_BYTES);
  for (let at = 0; ; ) {
    const count = source.readAt(bytes, at);
    if (count === 0) return;
    target.writeAt(bytes.subarray(0, count), at);
    at += count;
  }
}
