/**
 * Files of compiled queries, one a grammar, made with the project (scripts/build.mjs): a process that reads a file of a
 * language then has its queries at once. A file that was made of another grammar, another runtime or other patterns counts
 * as none: its first 20 bytes are a digest of all three. Behind it, of each query the length of its image (u32) and the image.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const DIGEST_BYTES = 20;
const LENGTH_BYTES = 4;

const here = path.dirname(fileURLToPath(import.meta.url));
/** Beside the folder of the module that this one ends up in; also where it runs from its TypeScript source (tests). */
const FOLDER = import.meta.url.endsWith(".ts")
  ? path.join(here, "..", "..", "dist", "autoindex", "queries")
  : path.join(here, "..", "queries");

const require = createRequire(import.meta.url);

/** What queries are made of. */
export interface QueryIngredients {
  /** The grammar's module. */
  wasm: Uint8Array;
  /** The texts of the queries. */
  sources: readonly string[];
}

/** Images of a grammar's queries, one a text; nothing when there are none for these. `name`: of the language. */
export function readImages(name: string, ingredients: QueryIngredients, folder = FOLDER): Buffer[] | undefined {
  const bytes = readIfThere(fileFor(folder, name));
  if (!bytes?.subarray(0, DIGEST_BYTES).equals(digestOf(ingredients))) return undefined;
  const images: Buffer[] = [];
  for (let at = DIGEST_BYTES; at < bytes.length; ) {
    const from = at + LENGTH_BYTES;
    at = from + bytes.readUInt32LE(at);
    images.push(bytes.subarray(from, at));
  }
  return images;
}

/** Keeps images for `readImages`. */
export function writeImages(
  { name, ingredients, images }: { name: string; ingredients: QueryIngredients; images: readonly Buffer[] },
  folder = FOLDER,
): void {
  const file = fileFor(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const withLength = images.flatMap((image) => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(image.length);
    return [length, image];
  });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, Buffer.concat([digestOf(ingredients), ...withLength]));
  // Renamed when it is whole: an extractor may be reading the old one.
  renameSync(fresh, file);
}

function fileFor(folder: string, name: string): string {
  return path.join(folder, `${name}.bin`);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function digestOf({ wasm, sources }: QueryIngredients): Buffer {
  const hash = createHash("sha1").update(runtimeDigest()).update(wasm);
  for (const source of sources) hash.update(`\0${source}`);
  return hash.digest();
}

let ofRuntime: Buffer | undefined;

function runtimeDigest(): Buffer {
  ofRuntime ??= createHash("sha1")
    .update(readFileSync(require.resolve("web-tree-sitter/web-tree-sitter.wasm")))
    .digest();
  return ofRuntime;
}
