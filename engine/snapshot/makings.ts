/** Snapshots being made, by the folder of their repository. */
import { EngineError } from "../errors.js";
import type { CreateSnapshot, Running, SnapshotDetails } from "../snapshots.js";
import { detailsOf } from "./describe.js";
import type { SnapshotHost } from "./host.js";
import { checkName, holdIndices, makeSnapshot, nameTaken } from "./make-snapshot.js";
import { type HeldIndex, Making } from "./making.js";
import { Pace } from "./pace.js";
import type { OpenRepository, Repositories } from "./repositories.js";
import type { Repository } from "./repository.js";

interface Entry {
  readonly making: Making;
  readonly repository: Repository;
  readonly done: Promise<SnapshotDetails>;
}

/** Begins snapshots and keeps track of them until they end. */
export class Makings {
  /** In the order they were begun. */
  readonly #entries = new Set<Entry>();
  /** Names that are being taken: folder and name. */
  readonly #names = new Set<string>();

  constructor(
    private readonly host: SnapshotHost,
    private readonly repositories: Repositories,
  ) {}

  /** See SnapshotsFace.create. */
  async begin(opened: OpenRepository, request: CreateSnapshot): Promise<Running<SnapshotDetails>> {
    const { repository, options } = opened;
    const release = this.takeName(repository, request.name);
    try {
      this.#checkRoom(opened, request.name);
      const indices = await holdIndices(this.host, repository.name, request);
      const making = this.#newMaking(opened, request, indices);
      const control = { pace: new Pace(options.snapshotBytesPerSecond), signal: making.signal };
      const made = this.repositories.turns.inTurn(repository.root, () =>
        makeSnapshot(making, repository, control, this.host.warn),
      );
      return this.#track(
        { making, repository, done: made.then((manifest) => detailsOf(repository.name, manifest)) },
        release,
      );
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Takes a name until the returned function is called. Throws snapshot_name_taken. */
  takeName(repository: Repository, name: string): () => void {
    checkName(repository.listing(), repository, name);
    const key = `${repository.root}/${name}`;
    if (this.#names.has(key)) throw nameTaken(repository, name, "snapshot with the same name is already in-progress");
    this.#names.add(key);
    return () => this.#names.delete(key);
  }

  /** Those of a folder; all when none is given. */
  in(root?: string): Making[] {
    const entries = [...this.#entries].filter(({ repository }) => root === undefined || repository.root === root);
    return entries.map(({ making }) => making);
  }

  /** Whether something is made in a repository by this name. */
  uses(repository: string): boolean {
    return [...this.#entries].some((entry) => entry.repository.name === repository);
  }

  /** Resolves when those that are being made now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#entries].map(({ done }) => done));
  }

  #newMaking({ repository, options }: OpenRepository, request: CreateSnapshot, indices: HeldIndex[]): Making {
    const { clock, nodeRecords } = this.host;
    const keys = request.globalState?.flatMap((prefix) => nodeRecords.keys(prefix));
    return new Making({
      repositoryName: repository.name,
      request,
      globalState: keys ? Object.fromEntries(keys.map((key) => [key, nodeRecords.get(key)])) : null,
      indices,
      pieceBytes: options.chunkBytes,
      now: () => clock.now(),
    });
  }

  #track(entry: Entry, release: () => void): Running<SnapshotDetails> {
    const { making, repository } = entry;
    this.#entries.add(entry);
    const end = () => {
      making.release();
      this.#entries.delete(entry);
      release();
    };
    const done = entry.done.then(
      (details) => {
        end();
        return details;
      },
      (error: unknown) => {
        end();
        this.host.warn(`snapshot [${repository.name}:${making.name}] failed: ${String(error)}`);
        throw error;
      },
    );
    // Whoever began it may not wait for it.
    done.catch(() => {});
    return { details: () => making.details(), done };
  }

  #checkRoom({ repository, options }: OpenRepository, snapshot: string): void {
    const count = (repository.listing()?.snapshots.length ?? 0) + this.in(repository.root).length;
    if (count < options.maxSnapshots) return;
    const message = `[${repository.name}:${snapshot}] Cannot add another snapshot to this repository as it already contains [${count}] snapshots and is configured to hold up to [${options.maxSnapshots}] snapshots only.`;
    throw new EngineError("repository_failed", message, { repository: repository.name });
  }
}
