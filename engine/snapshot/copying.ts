/**
 * The files of a held commit as those of another index: copied in pieces, segments checked by their own checksums as
 * they pass, and committed. What a crash leaves says by its name that it is a part of something.
 */
import path from "node:path";
import { PARTIAL_SUFFIX } from "../index-folders.js";
import { writeCommit } from "../segment/commit.js";
import type { HeldCommit } from "../shard/index.js";
import type { Files } from "../store/index.js";
import { ensureFolder } from "../wal/index.js";
import { inPieces, writePiece } from "./pieces.js";
import { openSource } from "./source-file.js";

/** Puts a copy into `folder`, which is not there yet; durable when it resolves. Throws CorruptionError, `io`. */
export async function copyCommit(files: Files, held: HeldCommit, folder: string): Promise<void> {
  const partial = folder + PARTIAL_SUFFIX;
  ensureFolder(files, partial);
  try {
    for (const name of held.files) await copySource(files, held.folder, partial, name);
    await writeCommit(files, partial, held.commit, undefined);
  } catch (error) {
    files.removeTree(partial);
    throw error;
  }
  files.rename(partial, folder);
  files.syncDirectory(path.dirname(folder));
}

async function copySource(files: Files, from: string, to: string, name: string): Promise<void> {
  const source = openSource(files, from, name);
  try {
    const target = files.open(path.join(to, name), "create");
    try {
      await inPieces(source.size, async (buffer, position) => {
        await source.read(buffer, position);
        await writePiece(target, buffer, position);
      });
    } finally {
      target.close();
    }
    source.end();
  } finally {
    source.close();
  }
}
