/**
 * The folder of a repository: its index and manifests, read and replaced, and the removal of what they do not lead to.
 * See format.ts for the bytes. One change at a time: whoever calls sees to that (turns.ts).
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { CorruptionError, EngineError } from "../errors.js";
import type { SnapshotAmount } from "../snapshots.js";
import { type Files, replaceFile, TEMPORARY_SUFFIX } from "../store/index.js";
import { ensureFolder } from "../wal/index.js";
import { blobFault, inRepository } from "./blobs.js";
import {
  DATA_FOLDER,
  encodeDescription,
  INDEX_FILE,
  type Listed,
  type Listing,
  MANIFEST_FOLDER,
  type Manifest,
  PROBE_FILE,
  piecesOf,
  REPOSITORY_FORMAT,
  readDescription,
  type StoredFile,
} from "./format.js";

/** What may lie in a folder that is to become a repository: what a crash of the first write leaves. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  INDEX_FILE,
  INDEX_FILE + TEMPORARY_SUFFIX,
  PROBE_FILE,
  PROBE_FILE + TEMPORARY_SUFFIX,
  DATA_FOLDER,
  MANIFEST_FOLDER,
]);

/** Reads and writes one repository's folder; holds nothing open. */
export class Repository {
  readonly files: Files;
  /** What it is called, for errors. */
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  readonly #compress: boolean;

  constructor(parts: { files: Files; name: string; root: string; compress: boolean }) {
    this.files = parts.files;
    this.name = parts.name;
    this.root = parts.root;
    this.#compress = parts.compress;
  }

  /** Which snapshots there are; undefined before the first write. Throws CorruptionError. */
  listing(): Listing | undefined {
    const file = this.#path(INDEX_FILE);
    const found = readDescription<Listing>(this.files, file);
    if (!found && this.files.list(this.#path(MANIFEST_FOLDER)).length > 0) {
      throw new CorruptionError(file, 0, "the index of the snapshots in this folder", "none");
    }
    return found;
  }

  /** Makes folder and index where they are not there yet. Throws `repository_failed` for a folder of something else. */
  begin(): Listing {
    const found = this.listing();
    if (found) return found;
    this.#checkFree();
    inRepository(this.root, () => ensureFolder(this.files, this.root));
    return this.#write({ format: REPOSITORY_FORMAT, uuid: newUuid(), generation: 0, snapshots: [] });
  }

  /** Puts another list in place of `before`. Throws `repository_failed` when the index is no longer `before`. */
  replace(before: Listing, snapshots: readonly Listed[]): Listing {
    const now = this.listing();
    if (now?.uuid !== before.uuid || now.generation !== before.generation) {
      throw new EngineError(
        "repository_failed",
        `[${this.name}] the repository in ${this.root} was changed by another node: only one may write to it`,
        { path: this.root },
      );
    }
    return this.#write({ ...before, generation: before.generation + 1, snapshots });
  }

  /** Everything of a snapshot but the data. Throws CorruptionError. */
  manifest(snapshot: Pick<Listed, "uuid" | "name">): Manifest {
    const file = this.#path(MANIFEST_FOLDER, snapshot.uuid);
    const found = readDescription<Manifest>(this.files, file);
    if (!found) throw new CorruptionError(file, 0, `the description of snapshot ${snapshot.name}`, "none");
    if (found.uuid === snapshot.uuid && found.name === snapshot.name) return found;
    throw new CorruptionError(file, 0, `snapshot ${snapshot.name}/${snapshot.uuid}`, `${found.name}/${found.uuid}`);
  }

  /** Manifests one after the other, with room for others between them. */
  async *manifests(snapshots: readonly Listed[]): AsyncGenerator<Manifest> {
    for (const snapshot of snapshots) {
      await new Promise((resolve) => setImmediate(resolve));
      yield this.manifest(snapshot);
    }
  }

  /** Makes the names of new blobs durable, then the manifest; only `replace` makes it count. */
  keep(manifest: Manifest): void {
    inRepository(this.root, () => {
      for (const { definition, files } of manifest.indices) {
        if (files.length > 0) this.files.syncDirectory(this.#path(DATA_FOLDER, definition.uuid));
      }
      this.#checkBlobs(manifest);
      this.makeFolder(MANIFEST_FOLDER);
      replaceFile(this.files, this.#path(MANIFEST_FOLDER, manifest.uuid), encodeDescription(manifest, this.#compress));
    });
  }

  /** Makes a folder in the repository. */
  makeFolder(...names: string[]): void {
    const folder = this.#path(...names);
    inRepository(folder, () => ensureFolder(this.files, folder));
  }

  /** What is wrong with a blob as far as names and sizes tell. */
  fault(indexUuid: string, file: StoredFile): string | undefined {
    return blobFault({ files: this.files, root: this.root, indexUuid }, file);
  }

  /** Writes and removes a file. Throws `repository_failed`. */
  probe(): void {
    this.#checkFree();
    inRepository(this.root, () => {
      ensureFolder(this.files, this.root);
      replaceFile(this.files, this.#path(PROBE_FILE), randomBytes(16));
      this.files.unlink(this.#path(PROBE_FILE));
    });
  }

  /**
   * Removes files that no listed snapshot needs; says what went. Removes nothing when a manifest can't be
   * read: what it needs is not known then. Throws CorruptionError.
   */
  async sweep(): Promise<SnapshotAmount> {
    const listing = this.listing();
    if (!listing) return { files: 0, bytes: 0 };
    const kept = new Set(listing.snapshots.map(({ uuid }) => path.join(MANIFEST_FOLDER, uuid)));
    for await (const { indices } of this.manifests(listing.snapshots)) {
      for (const { definition, files } of indices) {
        for (const file of files)
          for (const piece of piecesOf(definition.uuid, file)) kept.add(path.normalize(piece.path));
      }
    }
    const gone = { files: 0, bytes: 0 };
    for (const folder of this.files.list(this.#path(DATA_FOLDER)))
      this.#sweepFolder(path.join(DATA_FOLDER, folder), kept, gone);
    this.#sweepFolder(MANIFEST_FOLDER, kept, gone);
    for (const name of [INDEX_FILE, PROBE_FILE]) this.files.unlink(this.#path(name + TEMPORARY_SUFFIX));
    return gone;
  }

  #sweepFolder(folder: string, kept: ReadonlySet<string>, gone: SnapshotAmount): void {
    const names = this.files.list(this.#path(folder));
    const unneeded = names.filter((name) => !kept.has(path.join(folder, name)));
    for (const name of unneeded) {
      const file = this.#path(folder, name);
      gone.files++;
      gone.bytes += this.files.stat(file)?.size ?? 0;
      this.files.unlink(file);
    }
    if (folder !== MANIFEST_FOLDER && unneeded.length === names.length) this.files.removeTree(this.#path(folder));
  }

  /** A crash of the file system, or somebody's hand, may have taken a blob that is used again. */
  #checkBlobs({ indices }: Manifest): void {
    for (const { definition, files } of indices) {
      for (const file of files) {
        const fault = this.fault(definition.uuid, file);
        if (fault) throw new EngineError("repository_failed", `[${this.name}] ${fault}`, { path: this.root });
      }
    }
  }

  #write(listing: Listing): Listing {
    const file = this.#path(INDEX_FILE);
    inRepository(file, () => replaceFile(this.files, file, encodeDescription(listing, this.#compress)));
    return listing;
  }

  /** Throws `repository_failed` when the folder is somebody else's. */
  #checkFree(): void {
    const names = this.files.list(this.root);
    const foreign = names.find((name) => !OWN_NAMES.has(name));
    if (foreign === undefined || names.includes(INDEX_FILE)) return;
    throw new EngineError(
      "repository_failed",
      `[${this.name}] ${this.root} is not a repository of this program: it holds [${foreign}]; choose an empty folder`,
      { path: this.root },
    );
  }

  #path(...names: string[]): string {
    return path.join(this.root, ...names);
  }
}

/** An identity: 22 characters. */
export function newUuid(): string {
  return randomBytes(16).toString("base64url");
}
