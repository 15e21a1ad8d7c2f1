/**
 * A snapshot being made. Its moment is fixed first: every index makes a commit and holds its files. Then the files that
 * the repository lacks are copied, checked as they pass. An index whose files are damaged is named in the snapshot and
 * its data is not in it; a repository that can't be written to ends the whole.
 */
import { EngineError } from "../errors.js";
import type { Commit } from "../segment/commit.js";
import type { HeldCommit, StoredDefinition } from "../shard/index.js";
import type { CreateSnapshot, SnapshotAmount, SnapshotDetails, SnapshotIndex } from "../snapshots.js";
import { type CopyControl, storeFile } from "./blobs.js";
import {
  amountOf,
  blobPath,
  commitAmount,
  DATA_FOLDER,
  type Manifest,
  REPOSITORY_FORMAT,
  type StoredFile,
  type StoredIndex,
} from "./format.js";
import { newUuid, type Repository } from "./repository.js";
import { openSource } from "./source-file.js";

/** An index at the snapshot's moment; `held` null: it has none, and `failure` says why. */
export interface HeldIndex {
  readonly name: string;
  readonly attachment: unknown;
  readonly stored: StoredDefinition;
  readonly held: HeldCommit | null;
  readonly failure: string | null;
}

/** What a repository has already. */
export interface Known {
  /** By path. */
  readonly blobs: ReadonlyMap<string, StoredFile>;
  /** Commits, as commitKey names them. */
  readonly commits: ReadonlySet<string>;
}

/** One commit of an index. */
export function commitKey(indexUuid: string, { generation }: Commit): string {
  return `${indexUuid}/${generation}`;
}

interface Copying {
  readonly repository: Repository;
  readonly known: Known;
  readonly control: CopyControl;
}

/** How far the copying of one index is. */
interface Progress {
  readonly index: HeldIndex;
  stage: SnapshotIndex["stage"];
  startedAt: number;
  endedAt: number;
  files: StoredFile[];
  incremental: SnapshotAmount;
  failure: string | null;
}

/** What a snapshot is made with. */
export interface MakingParts {
  readonly repositoryName: string;
  readonly request: Omit<CreateSnapshot, "indices" | "globalState">;
  readonly globalState: Record<string, unknown> | null;
  readonly indices: readonly HeldIndex[];
  readonly pieceBytes: number | null;
  readonly now: () => number;
}

/** One snapshot on its way; `release` lets go of its files, whatever came of it. */
export class Making {
  readonly uuid = newUuid();
  readonly #parts: MakingParts;
  readonly #progress: Progress[];
  readonly #stop = new AbortController();
  readonly #startedAt: number;

  constructor(parts: MakingParts) {
    this.#parts = parts;
    this.#startedAt = parts.now();
    this.#progress = parts.indices.map((index) => ({
      index,
      stage: index.failure === null ? "waiting" : "failed",
      startedAt: 0,
      endedAt: 0,
      files: [],
      incremental: { files: 0, bytes: 0 },
      failure: index.failure,
    }));
  }

  get name(): string {
    return this.#parts.request.name;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends the copying soon, with this error. */
  stop(reason: EngineError): void {
    this.#stop.abort(reason);
  }

  /** Whether this index may not be deleted now. */
  needs(index: string): boolean {
    return !this.#parts.request.partial && this.#progress.some((one) => one.index.name === index);
  }

  release(): void {
    for (const { held } of this.#parts.indices) held?.release();
  }

  details(): SnapshotDetails {
    return {
      name: this.name,
      uuid: this.uuid,
      repository: this.#parts.repositoryName,
      state: "in_progress",
      startedAt: this.#startedAt,
      endedAt: 0,
      indices: this.#progress.map(({ index }) => index.name),
      contents: this.#progress.map(shown),
      globalState: this.#parts.globalState,
      partial: this.#parts.request.partial,
      note: this.#parts.request.note,
    };
  }

  /** Copies what the repository lacks; what it gives is all durable, but counts for nothing yet. */
  async copy(repository: Repository, known: Known, control: CopyControl): Promise<Manifest> {
    for (const progress of this.#progress) {
      if (progress.stage === "waiting") await this.#copyIndex(progress, { repository, known, control });
    }
    return this.#manifest();
  }

  async #copyIndex(progress: Progress, copying: Copying): Promise<void> {
    progress.stage = "copying";
    progress.startedAt = this.#parts.now();
    try {
      for (const name of progress.index.held?.files ?? []) {
        const { file, fresh } = await this.#copyFile(progress.index, name, copying);
        progress.files.push(file);
        if (fresh) add(progress.incremental, { files: 1, bytes: file.size });
      }
      const { held, stored } = progress.index;
      if (held && !copying.known.commits.has(commitKey(stored.definition.uuid, held.commit))) {
        add(progress.incremental, commitAmount(held.commit));
      }
      progress.stage = "done";
    } catch (error) {
      // The repository's own troubles concern all indices; those of an index, itself alone.
      if (error instanceof EngineError && ["repository_failed", "cancelled"].includes(error.code)) throw error;
      progress.stage = "failed";
      progress.failure = error instanceof Error ? error.message : String(error);
    }
    progress.endedAt = this.#parts.now();
  }

  async #copyFile(
    { held, stored }: HeldIndex,
    name: string,
    { repository, known, control }: Copying,
  ): Promise<{ file: StoredFile; fresh: boolean }> {
    const { files, root } = repository;
    const indexUuid = stored.definition.uuid;
    const source = openSource(files, held?.folder ?? "", name);
    try {
      const before = known.blobs.get(blobPath(indexUuid, { name, seal: source.seal }));
      if (before?.size === source.size && !repository.fault(indexUuid, before)) return { file: before, fresh: false };
      repository.makeFolder(DATA_FOLDER, indexUuid);
      const target = { files, root, indexUuid, name, pieceBytes: this.#parts.pieceBytes };
      return { file: await storeFile(source, target, control), fresh: true };
    } finally {
      source.close();
    }
  }

  #manifest(): Manifest {
    const failed = this.#progress.some(({ failure }) => failure !== null);
    const { partial, note } = this.#parts.request;
    const state = !failed ? "success" : partial ? "partial" : "failed";
    return {
      format: REPOSITORY_FORMAT,
      name: this.name,
      uuid: this.uuid,
      state,
      startedAt: this.#startedAt,
      endedAt: this.#parts.now(),
      partial,
      note,
      globalState: this.#parts.globalState,
      // A failed snapshot can't be restored: it says what was wrong and keeps nothing.
      indices: this.#progress.map((one) => storedIndex(one, state !== "failed")),
    };
  }
}

function add(sum: SnapshotAmount, { files, bytes }: SnapshotAmount): void {
  sum.files += files;
  sum.bytes += bytes;
}

function storedIndex(progress: Progress, withData: boolean): StoredIndex {
  const { index, files, failure, startedAt, endedAt, incremental } = progress;
  const whole = withData && failure === null;
  return {
    name: index.name,
    ...index.stored,
    attachment: index.attachment,
    commit: whole ? (index.held?.commit ?? null) : null,
    files: whole ? files : [],
    failure,
    startedAt,
    endedAt,
    incremental: whole ? incremental : { files: 0, bytes: 0 },
  };
}

function shown({ index, stage, startedAt, endedAt, files, incremental, failure }: Progress): SnapshotIndex {
  const { definition, fields } = index.stored;
  return {
    name: index.name,
    definition: { ...definition, mapping: fields.mapping },
    attachment: index.attachment,
    stage,
    startedAt,
    endedAt,
    total: amountOf(files, stage === "done" ? (index.held?.commit ?? null) : null),
    incremental,
    segments: index.held?.commit.segments.length ?? 0,
    failure,
  };
}
