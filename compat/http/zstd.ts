/** Bodies packed with Zstandard (RFC 8878), which Node 20 cannot unpack itself. */
import { setImmediate } from "node:timers/promises";
import { Decompress } from "fzstd";
import { illegalArgument } from "../errors.js";

const MAGIC = 0xfd2fb528;
/** Bytes given to the unpacker at once: others get the thread between. */
const PIECE = 32 * 1024;
/** Memory that a frame may ask for; all unpackers should allow 8 MB. */
const MAX_WINDOW = 128 * 1024 * 1024;
const HEADER_BYTES = 18;

/**
 * Hands the plain bytes to `take` in pieces, as they appear; it may throw to end the work. Throws ApiError 400 for what
 * begins with no frame, or with one that asks for too much memory, and what the unpacker throws.
 */
export async function unpackZstd(bytes: Buffer, take: (piece: Buffer) => void): Promise<void> {
  checkFrame(bytes);
  const stream = new Decompress((piece) => take(Buffer.from(piece)));
  for (let at = 0; at < bytes.length; at += PIECE) {
    stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
    await setImmediate();
  }
}

function checkFrame(bytes: Buffer): void {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== MAGIC) {
    throw illegalArgument("the body is not valid zstd: it begins with no frame");
  }
  const window = windowOf(bytes);
  if (window > MAX_WINDOW) {
    throw illegalArgument(`the body is not readable zstd: its window of ${window} bytes is larger than ${MAX_WINDOW}`);
  }
}

/** Memory that the first frame wants: its window, or all of its content where it is one segment (3.1.1.1). */
function windowOf(bytes: Buffer): number {
  const descriptor = bytes[4];
  if ((descriptor & 0x20) === 0) return 2 ** (10 + (bytes[5] >>> 3)) * (1 + (bytes[5] & 7) / 8);
  const header = Buffer.concat([bytes.subarray(0, HEADER_BYTES), Buffer.alloc(HEADER_BYTES)]);
  const at = 5 + [0, 1, 2, 4][descriptor & 3];
  const sizes = [
    () => header.readUInt8(at),
    () => header.readUInt16LE(at) + 256,
    () => header.readUInt32LE(at),
    () => Number(header.readBigUInt64LE(at)),
  ];
  return sizes[descriptor >>> 6]();
}
