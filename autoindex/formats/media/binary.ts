import { fileTypeFromBuffer } from "file-type/core";
import type { Deadline } from "../limits.js";

/** How much of a file is looked at to tell its type. */
const HEAD = 64 * 1024;

/** A binary file's type: a short name (`png`, `mp3`, `elf`) and its media type. */
export interface BinaryType {
  name: string;
  mediaType: string;
}

const UNKNOWN: BinaryType = { name: "binary", mediaType: "application/octet-stream" };

/** The type of a binary file by the signatures it begins with; `binary` when none is known. */
export async function typeOfBinary(bytes: Buffer, deadline: Deadline): Promise<BinaryType> {
  try {
    const found = await deadline.within(fileTypeFromBuffer(bytes.subarray(0, HEAD)));
    if (found) return { name: found.ext, mediaType: found.mime };
    // The sound begins behind a tag that may be longer than what is looked at.
    return bytes.toString("latin1", 0, 3) === "ID3" ? { name: "mp3", mediaType: "audio/mpeg" } : UNKNOWN;
  } catch {
    // A signature with nothing sensible after it.
    return UNKNOWN;
  }
}
