import { hash } from "node:crypto";
import { type CatalogDocument, INDEX, type ReferenceKind } from "../../code/index.js";

/**
 * `_id`s that follow from what a document is about, so that writing it twice writes it once.
 *
 * What belongs to one state of one file begins with the same 16 characters, a hash of repository, path and blob; the
 * byte range follows in base 36. Shared beginnings also compress well.
 */
export function fileKey(repo: string, path: string, blob: string): string {
  return digest(`${repo}\0${path}\0${blob}`);
}

/** Characters of a file key. */
const KEY_LENGTH = 16;

/** The file key that an `_id` of the code indices begins with. */
export function keyOf(id: string): string {
  return id.slice(0, KEY_LENGTH);
}

/** A commit by what it is. */
export function commitId(repo: string, sha: string): string {
  return digest(`${repo}\0${sha}`);
}

/** A declaration is the only one of its range. */
export function declarationId(file: string, startByte: number, endByte: number): string {
  return `${file}.${startByte.toString(36)}.${endByte.toString(36)}`;
}

/** References of one declaration are told by the range of the first, and its kind. */
export function referenceId(file: string, startByte: number, endByte: number, kind: ReferenceKind): string {
  return `${file}.${startByte.toString(36)}.${endByte.toString(36)}.${kind}`;
}

/** A record by its place in the file. */
export function recordId(file: string, ordinal: number): string {
  return `${file}.${ordinal.toString(36)}`;
}

/** A catalog entry by what it is about: one a folder and path, whatever the content; a `name` has itself for a root. */
export function catalogId(entry: CatalogDocument["entry"], root: string, path: string): string {
  return `${entry}.${digest(`${root}\0${path}`)}`;
}

function digest(text: string): string {
  return hash("sha1", text, "base64url").slice(0, KEY_LENGTH);
}

/** The index that a data set's records lie in. */
export function dataIndex(dataset: string): string {
  return `${INDEX.dataPrefix}${dataset}`;
}
