/** A file of an index as something to be copied: its bytes, and whether they are what was written. */
import path from "node:path";
import { ByteCheck } from "../segment/byte-check.js";
import { encodeSmallFile, type FileHandle, type Files, readSmallFile } from "../store/index.js";
import { readPiece } from "./pieces.js";

/** What a file is known by, and its bytes. `close` when done. */
export interface SourceFile {
  readonly size: number;
  /** See format.ts. */
  readonly seal: number;
  /** Fills `into` from `position`; positions ascend without gaps. Throws CorruptionError. */
  read(into: Uint8Array, position: number): Promise<void>;
  /** All bytes were read. Throws CorruptionError when something was not as it should be. */
  end(): void;
  close(): void;
}

/** Opens a segment file, or live docs. Throws CorruptionError. */
export function openSource(files: Files, folder: string, name: string): SourceFile {
  const file = path.join(folder, name);
  return name.endsWith(".seg") ? openSegment(files.open(file, "read")) : openSmallFile(files, file);
}

function openSegment(handle: FileHandle): SourceFile {
  let check: ByteCheck;
  try {
    check = ByteCheck.open(handle);
  } catch (error) {
    handle.close();
    throw error;
  }
  return {
    size: check.size,
    seal: check.seal,
    read: async (into, position) => {
      await readPiece(handle, into, position);
      check.next(into);
    },
    end: () => check.end(),
    close: () => handle.close(),
  };
}

/** Small enough to be checked and kept as a whole. */
function openSmallFile(files: Files, file: string): SourceFile {
  const payload = readSmallFile(files, file);
  if (payload === undefined) files.open(file, "read").close();
  const bytes = encodeSmallFile(payload ?? new Uint8Array(0));
  return {
    size: bytes.length,
    seal: new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true),
    read: async (into, position) => into.set(bytes.subarray(position, position + into.length)),
    end: () => {},
    close: () => {},
  };
}
