/** Compressed request bodies. */
import { createGunzip, createInflate } from "node:zlib";
import { EngineError, type RequestMemory } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { member } from "../json/value.js";
import { unpackZstd } from "./zstd.js";

/** Hands the plain bytes to `take` in pieces. */
type Unpack = (bytes: Buffer, take: (piece: Buffer) => void) => Promise<void>;

const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: unpackWith(createGunzip),
  "x-gzip": unpackWith(createGunzip),
  deflate: unpackWith(createInflate),
  zstd: unpackZstd,
};

function unpackWith(create: () => ReturnType<typeof createGunzip>): Unpack {
  return async (bytes, take) => {
    const stream = create();
    stream.end(bytes);
    for await (const piece of stream as AsyncIterable<Buffer>) take(piece);
  };
}

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
  const name = encoding.toLowerCase();
  const unpack = member(UNPACKERS, name);
  if (unpack === undefined) {
    throw illegalArgument(`Content-Encoding [${encoding}] is not supported: use gzip, deflate or zstd`);
  }
  const pieces: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer) => {
    size += piece.length;
    if (size > limit) throw tooLarge(limit);
    // The pieces, and the one buffer they are joined into.
    memory.charge(2 * piece.length, LABEL);
    pieces.push(piece);
  };
  try {
    await unpack(bytes, take);
  } catch (error) {
    if (error instanceof ApiError || error instanceof EngineError) throw error;
    throw illegalArgument(`the body is not valid ${encoding}: ${(error as Error).message}`);
  }
  const plain = Buffer.concat(pieces, size);
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
