/** Indices being brought back from snapshots. */
import { EngineError } from "../errors.js";
import type { RestoreSnapshot, Running, SnapshotAmount } from "../snapshots.js";
import type { CopyControl } from "./blobs.js";
import { findIndex, type Listed } from "./format.js";
import type { SnapshotHost } from "./host.js";
import { Pace } from "./pace.js";
import type { OpenRepository } from "./repositories.js";
import type { Repository } from "./repository.js";
import { type Restorable, type Restored, Restoring } from "./restoring.js";

interface Entry {
  readonly repository: Repository;
  readonly uuid: string;
  readonly stop: AbortController;
  readonly done: Promise<SnapshotAmount>;
}

/** Begins restores and keeps track of them until they end. */
export class Restores {
  readonly #entries = new Set<Entry>();

  constructor(private readonly host: SnapshotHost) {}

  /** See SnapshotsFace.restore. `listed`: the snapshot's line. */
  begin(opened: OpenRepository, listed: Listed, request: RestoreSnapshot): Running<SnapshotAmount> {
    const { repository, options } = opened;
    const indices = chooseIndices(repository, listed, request);
    const free = this.host.reserve(indices.map(({ target }) => target));
    const { storage, folder, warn } = this.host;
    const restoring = new Restoring({ storage, folder, warn, root: repository.root });
    const stop = new AbortController();
    const control = { pace: new Pace(options.restoreBytesPerSecond), signal: stop.signal };
    const bringBack = async () => {
      const restored = await copyOrUndo(restoring, indices, control);
      // Whether they are the engine's when this fails, the next start will tell: their files stay until then.
      restoring.settle();
      await this.host.adopt(restored, request.records());
      return { ...restoring.amount };
    };
    const entry = { repository, uuid: listed.uuid, stop, done: bringBack() };
    return { details: () => ({ ...restoring.amount }), done: this.#track(entry, listed.name, free) };
  }

  /** Whether this snapshot is being read. */
  reads(root: string, uuid: string): boolean {
    return [...this.#entries].some((entry) => entry.repository.root === root && entry.uuid === uuid);
  }

  uses(repository: string): boolean {
    return [...this.#entries].some((entry) => entry.repository.name === repository);
  }

  stop(reason: EngineError): void {
    for (const { stop } of this.#entries) stop.abort(reason);
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#entries].map(({ done }) => done));
  }

  #track(entry: Entry, snapshot: string, free: () => void): Promise<SnapshotAmount> {
    this.#entries.add(entry);
    const done = entry.done.finally(() => {
      free();
      this.#entries.delete(entry);
    });
    done.catch((error: unknown) => {
      this.host.warn(`the restore of [${entry.repository.name}:${snapshot}] failed: ${String(error)}`);
    });
    return done;
  }
}

async function copyOrUndo(
  restoring: Restoring,
  indices: readonly Restorable[],
  control: CopyControl,
): Promise<Restored[]> {
  try {
    const restored = await restoring.copy(indices, control);
    if (control.signal.aborted) throw control.signal.reason;
    return restored;
  } catch (error) {
    restoring.undo();
    throw error;
  }
}

/** Throws snapshot_unrestorable for what can't be had from this snapshot, CorruptionError. */
function chooseIndices(repository: Repository, listed: Listed, request: RestoreSnapshot): Restorable[] {
  const label = `${repository.name}:${listed.name}/${listed.uuid}`;
  if (listed.state === "failed") throw unrestorable(`[${label}] unsupported snapshot state [FAILED]`);
  const manifest = repository.manifest(listed);
  return request.indices.map(({ source, target, settings }) => {
    const index = findIndex(manifest, source);
    if (!index) throw unrestorable(`[${label}] index [${source}] is not in the snapshot`);
    if (index.failure !== null && !request.partial) {
      throw unrestorable(`[${label}] index [${source}] wasn't fully snapshotted - cannot restore`);
    }
    return { index, target, settings };
  });
}

function unrestorable(message: string): EngineError {
  return new EngineError("snapshot_unrestorable", message);
}
