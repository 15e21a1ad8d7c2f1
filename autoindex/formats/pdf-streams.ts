import { constants, inflateSync } from "node:zlib";
import { BoundReached, type Deadline, LIMITS } from "./limits.js";

/** How far before a stream its dictionary is looked for. */
const DICTIONARY = 2048;
/** Streams may be packed several times. */
const MAX_LAYERS = 4;
/** First byte of what zlib makes. */
const ZLIB = 0x78;

/**
 * Throws BoundReached when the packed streams of a PDF unpack to more than the bounds: pdf.js unpacks a stream whole,
 * whatever its size. Pictures have a wider bound, since pages that are scanned are large and are not unpacked for text.
 */
export function checkPdfStreams(bytes: Buffer, deadline: Deadline): void {
  let total = 0;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    deadline.check();
    if (bytes.toString("latin1", at - 3, at) === "end") continue;
    const start = at + (bytes[at + 6] === 0x0d ? 8 : 7);
    if (bytes[start] !== ZLIB) continue;
    const end = bytes.indexOf("endstream", start);
    const limit = isPicture(bytes, at) ? LIMITS.pdfPictureBytes : LIMITS.pdfStreamBytes;
    const unpacked = unpackedLength(bytes.subarray(start, end < 0 ? bytes.length : end), limit);
    if (limit === LIMITS.pdfStreamBytes) total += unpacked;
    if (total > LIMITS.pdfStreamsBytes) throw new BoundReached("its pages unpack to more than the bound");
    at = Math.max(at, end - 6);
  }
}

function isPicture(bytes: Buffer, at: number): boolean {
  const before = bytes.toString("latin1", Math.max(0, at - DICTIONARY), at);
  return /\/Subtype\s*\/Image\b/.test(before.slice(before.lastIndexOf(" obj") + 1));
}

/** The largest that the stream is in any of its layers. */
function unpackedLength(packed: Buffer, limit: number): number {
  let content = packed;
  let largest = 0;
  for (let layer = 0; layer < MAX_LAYERS && content[0] === ZLIB; layer++) {
    try {
      content = inflateSync(content, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH });
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" || error instanceof RangeError) {
        throw new BoundReached(`a stream of it unpacks to more than ${limit} bytes`);
      }
      // Damaged, encrypted or no zlib after all: pdf.js will not unpack it either.
      return largest;
    }
    largest = Math.max(largest, content.length);
  }
  return largest;
}
