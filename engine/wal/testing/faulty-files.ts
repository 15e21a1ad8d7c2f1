/** Files that fail on demand, over the real ones: for tests of what happens when the disk is full or broken. */

import { EngineError } from "../../errors.js";
import type { FileHandle, Files } from "../../store/files.js";
import { nodeFiles } from "../../store/files.js";

/** What goes wrong, changed by the test as it goes. */
export interface Faults {
  /** Bytes that may still be written; then writes stop half-way with ENOSPC. */
  bytesLeft: number;
  /** Syncs fail with EIO while true. */
  syncFails: boolean;
  /** Syncs wait for this, when set. */
  syncGate: Promise<void> | null;
  /** Counts what was done. */
  syncs: number;
  writes: number;
}

/** Only paths that contain `pattern` are affected. */
export function faultyFiles(pattern = ""): { files: Files; faults: Faults } {
  const faults: Faults = { bytesLeft: Number.POSITIVE_INFINITY, syncFails: false, syncGate: null, syncs: 0, writes: 0 };
  const files: Files = {
    ...nodeFiles,
    open: (file, mode) => {
      const handle = nodeFiles.open(file, mode);
      return file.includes(pattern) ? wrap(handle, faults) : handle;
    },
  };
  return { files, faults };
}

function wrap(handle: FileHandle, faults: Faults): FileHandle {
  return {
    path: handle.path,
    readAt: (into, position) => handle.readAt(into, position),
    size: () => handle.size(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
    writeAt: (bytes, position) => writeAt(handle, faults, bytes, position),
    writev: (parts, position) => writeAt(handle, faults, Buffer.concat(parts), position),
    sync: () => {
      faults.syncs++;
      if (faults.syncFails) throw failure("sync", handle.path, "EIO");
      handle.sync();
    },
    syncAsync: async () => {
      faults.syncs++;
      if (faults.syncGate) await faults.syncGate;
      if (faults.syncFails) throw failure("sync", handle.path, "EIO");
      await handle.syncAsync();
    },
  };
}

function writeAt(handle: FileHandle, faults: Faults, bytes: Uint8Array, position: number): void {
  faults.writes++;
  if (bytes.length <= faults.bytesLeft) {
    faults.bytesLeft -= bytes.length;
    handle.writeAt(bytes, position);
    return;
  }
  handle.writeAt(bytes.subarray(0, faults.bytesLeft), position);
  faults.bytesLeft = 0;
  throw failure("write", handle.path, "ENOSPC");
}

function failure(operation: string, file: string, errno: string): EngineError {
  return new EngineError("io", `cannot ${operation} ${file}: ${errno}`, { operation, path: file, errno });
}
