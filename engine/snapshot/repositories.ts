/** Repositories by name: registering, opening, checking and tidying them. Changes of one folder run one at a time. */
import { EngineError } from "../errors.js";
import type { RepositoryInfo, RepositoryOptions, RepositoryReport, SnapshotAmount } from "../snapshots.js";
import type { Listed } from "./format.js";
import type { SnapshotHost } from "./host.js";
import { inspect, verify } from "./inspect.js";
import { Registry } from "./registry.js";
import { Repository } from "./repository.js";
import { Turns } from "./turns.js";

/** A repository as an operation uses it. */
export interface OpenRepository {
  readonly repository: Repository;
  readonly options: RepositoryOptions;
}

export class Repositories {
  readonly turns = new Turns();
  readonly #host: SnapshotHost;
  readonly #registry: Registry;

  constructor(host: SnapshotHost) {
    this.#host = host;
    this.#registry = new Registry(host.records, host.repositoryFolders);
  }

  all(): RepositoryInfo[] {
    return this.#registry.all();
  }

  /** Throws repository_missing, repository_failed. */
  open(name: string): OpenRepository {
    return this.#open(this.#registry.get(name));
  }

  /** For a change; `refusal` is what is said of a repository that is only read here. Throws repository_failed. */
  openToWrite(name: string, refusal: string): OpenRepository {
    const opened = this.open(name);
    if (!opened.options.readonly) return opened;
    throw new EngineError("repository_failed", `[${name}] ${refusal}`, { repository: name });
  }

  /** See SnapshotsFace.putRepository. */
  async put(info: RepositoryInfo, check: boolean): Promise<void> {
    const { repository, options } = this.#open(info);
    if (check && !options.readonly) probe(repository);
    await this.#registry.put(info);
  }

  async forget(name: string): Promise<void> {
    await this.#registry.remove(name);
  }

  verify(name: string): Promise<void> {
    const { repository, options } = this.open(name);
    return this.turns.inTurn(repository.root, () => verify(repository, options.readonly));
  }

  inspect(name: string): Promise<RepositoryReport> {
    const { repository } = this.open(name);
    return this.turns.inTurn(repository.root, () => inspect(repository));
  }

  cleanUp(name: string): Promise<SnapshotAmount> {
    const { repository } = this.openToWrite(name, "cannot run cleanup on readonly repository");
    return this.turns.inTurn(repository.root, () => repository.sweep());
  }

  #open({ name, options }: RepositoryInfo): OpenRepository {
    const root = this.#registry.folderOf(name, options);
    const { files } = this.#host.storage;
    return { repository: new Repository({ files, name, root, compress: options.compress }), options };
  }
}

/** A finished snapshot's line. Throws snapshot_missing. */
export function findListed({ repository }: OpenRepository, snapshot: string): Listed {
  const found = repository.listing()?.snapshots.find(({ name }) => name === snapshot);
  if (found) return found;
  const name = `${repository.name}:${snapshot}`;
  throw new EngineError("snapshot_missing", `[${name}] is missing`, { repository: repository.name, snapshot });
}

/** Throws repository_unverified when the folder can't be written to. */
function probe(repository: Repository): void {
  try {
    repository.probe();
  } catch (error) {
    if (error instanceof EngineError && error.cause === undefined) throw error;
    const message = `[${repository.name}] path [${repository.root}] is not accessible`;
    throw new EngineError("repository_unverified", message, { repository: repository.name }, { cause: error });
  }
}
