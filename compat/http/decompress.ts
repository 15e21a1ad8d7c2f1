/** Compressed request bodies. */
import { createGunzip, createInflate } from "node:zlib";
import { EngineError, type RequestMemory } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { member } from "../json/value.js";

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
};

const LABEL = "<http_request>";

/**
 * The plain body; its bytes are charged to `memory` as they appear. Throws 413 when it would exceed `limit` bytes, 400 for
 * an unknown or damaged encoding, `circuit_breaking`.
 */
export async function decompress(
  bytes: Buffer,
  encoding: string | undefined,
  { limit, memory }: { limit: number; memory: RequestMemory },
): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const decode = member(DECODERS, encoding.toLowerCase());
  if (decode === undefined)
    throw illegalArgument(`Content-Encoding [${encoding}] is not supported: use gzip or deflate`);
  const stream = decode();
  stream.end(bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      // The pieces, and the one buffer they are joined into.
      memory.charge(2 * chunk.length, LABEL);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError || error instanceof EngineError) throw error;
    throw illegalArgument(`the body is not valid ${encoding}: ${(error as Error).message}`);
  }
  const plain = Buffer.concat(chunks, size);
  memory.release(size);
  return plain;
}

/** 413: the body is larger than a request may have. */
export function tooLarge(limit: number): ApiError {
  return new ApiError(
    413,
    "content_too_large_exception",
    `the request body is larger than [http.max_content_length] of ${limit} bytes: send it in parts`,
  );
}
