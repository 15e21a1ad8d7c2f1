import { createHash, hash } from "node:crypto";

/** Git's object id of a file's bytes, the same with and without git: SHA-1 of `blob <length>\0` and the bytes. */
export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Hash of a declaration's own text. */
export function spanId(text: string): string {
  return hash("sha1", text, "hex");
}
