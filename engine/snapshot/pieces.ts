/** Copying in pieces, so that neither the event loop nor a disk's queue is held for long. */
import { CorruptionError } from "../errors.js";
import type { FileHandle } from "../store/index.js";

/** Bytes read, checked and written at once: half a millisecond's checksum. */
const PIECE_BYTES = 256 * 1024;

/** Fills `into` from a file that must have that many bytes. Throws CorruptionError. */
export async function readPiece(handle: FileHandle, into: Uint8Array, position: number): Promise<void> {
  const count = handle.readAtAsync ? await handle.readAtAsync(into, position) : handle.readAt(into, position);
  if (count < into.length) {
    throw new CorruptionError(handle.path, position + count, `${into.length} bytes from ${position} on`, `${count}`);
  }
}

export async function writePiece(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  if (handle.writeAtAsync) await handle.writeAtAsync(bytes, position);
  else handle.writeAt(bytes, position);
}

/** Calls `each` for one piece of [0, size) after the other; the buffer is used again for the next. */
export async function inPieces(
  size: number,
  each: (buffer: Uint8Array, position: number) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, PIECE_BYTES));
  for (let position = 0; position < size; position += PIECE_BYTES) {
    await each(buffer.subarray(0, Math.min(PIECE_BYTES, size - position)), position);
  }
}
