/**
 * Backups of an engine: what is asked of repositories, of snapshots being made and of those being brought back, and
 * what these may do beside one another. Changes of one folder run one at a time; a snapshot's moment is fixed when it is
 * asked for, whatever its copying waits for.
 */
import { EngineError } from "../errors.js";
import type {
  CreateSnapshot,
  RepositoryInfo,
  RepositoryOptions,
  RepositoryReport,
  RestoreSnapshot,
  Running,
  SnapshotAmount,
  SnapshotDetails,
  SnapshotSummary,
  SnapshotsFace,
} from "../snapshots.js";
import { type Clone, cloneSnapshot } from "./clone.js";
import { detailsOf } from "./describe.js";
import type { SnapshotHost } from "./host.js";
import { sweepOrWarn } from "./make-snapshot.js";
import { Makings } from "./makings.js";
import { findListed, type OpenRepository, Repositories } from "./repositories.js";
import { Restores } from "./restores.js";

/** See SnapshotsFace. */
export class Snapshots implements SnapshotsFace {
  readonly #host: SnapshotHost;
  readonly #repositories: Repositories;
  readonly #makings: Makings;
  readonly #restores: Restores;
  /** Uuids of snapshots that are being removed. */
  readonly #removing = new Set<string>();
  #closed = false;

  constructor(host: SnapshotHost) {
    this.#host = host;
    this.#repositories = new Repositories(host);
    this.#makings = new Makings(host, this.#repositories);
    this.#restores = new Restores(host);
  }

  repositories(): RepositoryInfo[] {
    return this.#repositories.all();
  }

  async putRepository(name: string, options: RepositoryOptions, shown: unknown, check: boolean): Promise<void> {
    this.#checkOpen();
    this.#checkIdle(name);
    await this.#repositories.put({ name, options, shown }, check);
  }

  async deleteRepository(name: string): Promise<void> {
    this.#checkOpen();
    this.#repositories.open(name);
    this.#checkIdle(name);
    await this.#repositories.forget(name);
  }

  async verifyRepository(name: string): Promise<void> {
    await this.#repositories.verify(name);
  }

  async inspectRepository(name: string): Promise<RepositoryReport> {
    return this.#repositories.inspect(name);
  }

  async cleanUp(name: string): Promise<SnapshotAmount> {
    this.#checkOpen();
    return this.#repositories.cleanUp(name);
  }

  async list(name: string): Promise<SnapshotSummary[]> {
    const { repository } = this.#repositories.open(name);
    const listed = repository.listing()?.snapshots ?? [];
    const finished = listed.map((one) => ({ ...one, repository: name, indices: [...one.indices] }));
    // One that is listed may still be tidying up.
    const making = this.#makings.in(repository.root).filter(({ uuid }) => !listed.some((one) => one.uuid === uuid));
    return [...finished, ...making.map((one) => one.details())];
  }

  running(): SnapshotDetails[] {
    return this.#makings.in().map((making) => making.details());
  }

  async details(name: string, snapshot: string): Promise<SnapshotDetails> {
    const opened = this.#repositories.open(name);
    const making = this.#makings.in(opened.repository.root).find((one) => one.name === snapshot);
    return making?.details() ?? detailsOf(name, opened.repository.manifest(findListed(opened, snapshot)));
  }

  async create(name: string, request: CreateSnapshot): Promise<Running<SnapshotDetails>> {
    this.#checkOpen();
    const opened = this.#repositories.openToWrite(name, "cannot create snapshot in a readonly repository");
    return this.#makings.begin(opened, request);
  }

  async clone(name: string, request: Clone): Promise<void> {
    this.#checkOpen();
    const opened = this.#repositories.openToWrite(name, "cannot create snapshot in a readonly repository");
    const { repository } = opened;
    const release = this.#makings.takeName(repository, request.target);
    try {
      findListed(opened, request.source);
      await this.#repositories.turns.inTurn(repository.root, async () => {
        cloneSnapshot(repository, findListed(opened, request.source), request, this.#host.clock.now());
      });
    } finally {
      release();
    }
  }

  async remove(name: string, snapshots: readonly string[]): Promise<void> {
    this.#checkOpen();
    const opened = this.#repositories.open(name);
    const makings = this.#makings.in(opened.repository.root).filter((making) => snapshots.includes(making.name));
    const finished = snapshots.filter((snapshot) => !makings.some((making) => making.name === snapshot));
    const uuids = finished.map((snapshot) => this.#removable(opened, snapshot));
    this.#repositories.openToWrite(name, "cannot delete snapshot from a readonly repository");
    for (const making of makings) {
      making.stop(new EngineError("cancelled", "Snapshot was aborted by deletion"));
    }
    for (const uuid of uuids) this.#removing.add(uuid);
    try {
      // The turn comes when those that were stopped have ended.
      // One that was finished before it could be stopped is listed by then.
      const all = [...uuids, ...makings.map(({ uuid }) => uuid)];
      await this.#repositories.turns.inTurn(opened.repository.root, () => this.#removeListed(opened, all));
    } finally {
      for (const uuid of uuids) this.#removing.delete(uuid);
    }
  }

  async restore(name: string, snapshot: string, request: RestoreSnapshot): Promise<Running<SnapshotAmount>> {
    this.#checkOpen();
    const opened = this.#repositories.open(name);
    const listed = opened.repository.listing()?.snapshots.find((one) => one.name === snapshot);
    if (!listed) {
      throw new EngineError("snapshot_unrestorable", `[${name}:${snapshot}] snapshot does not exist`);
    }
    if (this.#removing.has(listed.uuid)) {
      const label = `[${name}:${snapshot}/${listed.uuid}]`;
      throw new EngineError(
        "snapshot_concurrent",
        `${label} cannot restore a snapshot while a snapshot deletion is in-progress [${snapshot}]`,
      );
    }
    return this.#restores.begin(opened, listed, request);
  }

  /** Whether a snapshot being made needs this index as it is. */
  needs(index: string): boolean {
    return this.#makings.in().some((making) => making.needs(index));
  }

  /** Stops what is on its way, and waits for its end. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = new EngineError("cancelled", "the node stops");
    for (const making of this.#makings.in()) making.stop(reason);
    this.#restores.stop(reason);
    await Promise.all([this.#makings.settled(), this.#restores.settled()]);
  }

  async #removeListed({ repository }: OpenRepository, uuids: readonly string[]): Promise<void> {
    const listing = repository.listing();
    const kept = listing?.snapshots.filter(({ uuid }) => !uuids.includes(uuid)) ?? [];
    if (!listing || kept.length === listing.snapshots.length) return;
    repository.replace(listing, kept);
    await sweepOrWarn(repository, this.#host.warn);
  }

  /** The uuid of a finished snapshot that nobody reads. Throws snapshot_missing, snapshot_concurrent. */
  #removable(opened: OpenRepository, snapshot: string): string {
    const { uuid } = findListed(opened, snapshot);
    const { repository } = opened;
    if (!this.#restores.reads(repository.root, uuid)) return uuid;
    const label = `[${repository.name}:${snapshot}/${uuid}]`;
    throw new EngineError(
      "snapshot_concurrent",
      `${label} cannot delete snapshot during a restore in progress in [${repository.name}]`,
    );
  }

  #checkIdle(name: string): void {
    if (!this.#makings.uses(name) && !this.#restores.uses(name)) return;
    const message = `[${name}] trying to modify or unregister repository that is currently used`;
    throw new EngineError("repository_busy", message, { repository: name });
  }

  #checkOpen(): void {
    if (this.#closed) throw new EngineError("closed", "the engine is closed");
  }
}
