/** Compressed request bodies. */
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { ApiError, illegalArgument } from "../errors.js";

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
};

/** The plain body. Throws 413 when it would exceed `limit` bytes, 400 for an unknown or damaged encoding. */
export async function decompress(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const decode = DECODERS[encoding.toLowerCase()];
  if (decode === undefined)
    throw illegalArgument(`Content-Encoding [${encoding}] is not supported: use gzip or deflate`);
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limit);
    throw illegalArgument(`the body is not valid ${encoding}: ${(error as Error).message}`);
  }
}

export function tooLarge(limit: number): ApiError {
  return new ApiError(
    413,
    "content_too_large_exception",
    `the request body is larger than [http.max_content_length] of ${limit} bytes: send it in parts`,
  );
}
