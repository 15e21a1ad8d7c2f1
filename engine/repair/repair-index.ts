/**
 * Making a damaged index openable again by giving up exactly what can't be read: records of the log (wal/mend.ts),
 * segments of which any byte is damaged, deletes whose file is. Says what that loses; only with `apply` it is done. What
 * is given up stays in the folder, with `.damaged` behind its name.
 */
import path from "node:path";
import { EngineError } from "../errors.js";
import { type Commit, type CommittedSegment, commitFile, liveFileName, writeLiveDocs } from "../segment/index.js";
import { committedIn, gap } from "../shard/index.js";
import { countBits } from "../store/bits.js";
import type { Files } from "../store/files.js";
import { replaceFile } from "../store/small-file.js";
import type { Storage } from "../store/storage.js";
import { asideName, ensureFolder, type LostRecords, mendLog, readLog, readLogBegin } from "../wal/index.js";
import { type FolderOptions, indexFolder, withFolder } from "./folder.js";
import { isSound, type ReadIndex, type ReadSegment, readIndexFiles } from "./read-index.js";
import { findSegments } from "./rebuild-commit.js";
import { idsOf, withoutSuperseded } from "./segment-ids.js";

/** Something that is lost. */
export interface RepairLoss {
  /** What, where, why: a sentence. */
  readonly message: string;
  /** Operations by sequence number; `to` null: it is not known how many. */
  readonly operations?: { readonly from: number; readonly to: number | null };
  /** How many documents; null: not known. */
  readonly documents?: number | null;
  /** Their ids, as far as they can be read. */
  readonly ids?: readonly string[];
}

/** What was repaired, or with `tell` would be. */
export interface RepairedPart {
  readonly applied: boolean;
  /** What is wrong now; nothing: there is nothing to repair. */
  readonly damage: readonly EngineError[];
  readonly losses: readonly RepairLoss[];
  /** Files that are changed or put aside. */
  readonly changed: readonly string[];
}

/**
 * Repairs the index of this name, or only tells. Throws `index_not_found`, `data_folder_locked`, `io`, and `corrupt` when
 * the metadata is damaged, which must be repaired first.
 */
export function repairIndex(
  dir: string,
  name: string,
  mode: "tell" | "apply",
  options: FolderOptions = {},
): Promise<RepairedPart> {
  return withFolder(dir, { ...options, use: "change" }, ({ metadata, uuids, storage }) => {
    if (metadata.damage.length > 0) throw metadataFirst(metadata.damage[0]);
    const uuid = uuids.get(name);
    if (uuid === undefined) throw new EngineError("index_not_found", `no such index [${name}]`, { index: name });
    return new IndexRepair(storage, indexFolder(dir, uuid), mode).run();
  });
}

function metadataFirst(damage: EngineError): EngineError {
  const message = `the metadata is damaged and must be repaired first (pinakes repair --metadata): ${damage.message}`;
  return new EngineError("corrupt", message, damage.details);
}

class IndexRepair {
  readonly #losses: RepairLoss[] = [];
  readonly #changed: string[] = [];

  constructor(
    private readonly storage: Storage,
    private readonly folder: string,
    private readonly mode: "tell" | "apply",
  ) {}

  run(): RepairedPart {
    const read = readIndexFiles(this.storage, this.folder);
    const commit = read.commit === "damaged" ? this.#newCommit(read) : this.#mendCommit(read.commit, read.segments);
    const mended = [...this.#mendLog(commit), ...this.#acceptGap(commit)];
    return {
      applied: this.mode === "apply",
      damage: [...read.damage, ...mended],
      losses: this.#losses,
      changed: this.#changed,
    };
  }

  /** The commit without what is damaged; the same if nothing is. */
  #mendCommit(commit: Commit | undefined, segments: readonly ReadSegment[]): Commit | undefined {
    if (commit === undefined || segments.every(({ damage }) => damage.length === 0)) return commit;
    const generation = commit.generation + 1;
    const sound = segments.filter(isSound);
    for (const segment of segments) if (!isSound(segment)) this.#giveUpSegment(segment);
    const kept = sound.map((segment) => this.#mendLive(segment, sound, generation));
    const mended = { ...commit, generation, segments: kept };
    this.#writeCommit(mended);
    return mended;
  }

  /** A commit made of the segments that are there, where the one that was can't be read. */
  #newCommit(read: ReadIndex): Commit {
    const { chosen, damaged, rest } = findSegments(this.storage, this.folder);
    this.#losses.push({
      message: `${read.damage[0].message}: a commit is made of the ${chosen.length} sound segments in the folder`,
    });
    for (const segment of damaged) this.#giveUpSegment(segment);
    this.#putAside(commitFile(this.folder));
    const segments = chosen.map((segment) => this.#mendLive(segment, chosen, rest.generation));
    // The log was pruned up to what the commit held, deletes included, which no document shows.
    const pruned = firstSequence(this.storage.files, this.#logFolder) - 1;
    const user = { ...rest.user, maxSeqNo: Math.max(Number(rest.user.maxSeqNo), pruned) };
    const commit = { ...rest, user, segments };
    this.#writeCommit(commit);
    return commit;
  }

  #giveUpSegment(segment: ReadSegment): void {
    const { file, live, docCount, damage } = segment;
    const ids = idsOf(this.storage, this.folder, segment);
    const documents = docCount < 0 ? null : live === null || live === "damaged" ? docCount : countBits(live);
    const known = ids === null ? "; their ids can't be read" : "";
    const many = documents === null ? "an unknown number of documents" : `${documents} documents`;
    this.#losses.push({
      message: `segment ${file} is given up with ${many}${known}: ${damage[0].message}`,
      documents,
      ...(ids === null ? {} : { ids }),
    });
    this.#putAside(file);
  }

  /** A segment whose deletes can't be read keeps those documents of which no newer version is known. */
  #mendLive(segment: ReadSegment, all: readonly ReadSegment[], generation: number): CommittedSegment {
    if (segment.live !== "damaged") return segment.committed;
    const { name, live } = segment.committed;
    const later = all.slice(all.indexOf(segment) + 1).map((one) => one.committed.name);
    const alive = withoutSuperseded(this.storage, this.folder, name, later);
    this.#losses.push({
      message: `which documents of ${segment.file} were deleted can't be read: up to ${countBits(alive)} of them may be back (${segment.damage[0].message})`,
    });
    this.#putAside(path.join(this.folder, liveFileName(name, live)));
    const target = { segment: name, generation, docCount: segment.docCount };
    if (this.mode === "apply") writeLiveDocs(this.storage.files, this.folder, target, alive);
    return { name, live: generation };
  }

  #writeCommit(commit: Commit): void {
    const file = commitFile(this.folder);
    if (!this.#changed.includes(file)) this.#changed.push(file);
    if (this.mode === "tell") return;
    const { files } = this.storage;
    ensureFolder(files, this.folder);
    for (const { name, live } of commit.segments) {
      if (live !== commit.generation) continue;
      const handle = files.open(path.join(this.folder, liveFileName(name, live)), "update");
      handle.sync();
      handle.close();
    }
    files.syncDirectory(this.folder);
    replaceFile(files, file, new TextEncoder().encode(JSON.stringify({ format: 1, ...commit })));
  }

  #putAside(file: string): void {
    if (!this.storage.files.stat(file)) return;
    this.#changed.push(file);
    if (this.mode === "apply") this.storage.files.rename(file, asideName(this.storage.files, file));
  }

  #mendLog(commit: Commit | undefined): EngineError[] {
    const elsewhere = Number(commit?.user.maxSeqNo ?? -1);
    const { lost, changed } = mendLog(this.storage.files, this.#logFolder, { mode: this.mode, elsewhere });
    this.#changed.push(...changed);
    this.#losses.push(...lost.map(lossOf));
    return changed.map((file) => {
      const offset = lost.find((one) => one.file === file)?.offset ?? 0;
      return new EngineError("corrupt", `${file} is damaged at byte ${offset}`, { file, offset });
    });
  }

  /** Operations that neither the segments nor the log have are given up: the commit says that nothing before is missing. */
  #acceptGap(commit: Commit | undefined): EngineError[] {
    const { file, sequence } = readLogBegin(this.storage.files, this.#logFolder);
    const committed = committedIn(commit);
    if (file === undefined || sequence === undefined || sequence <= committed + 1) return [];
    const missing = gap(file, committed + 1, sequence - 1);
    const operations = { from: committed + 1, to: sequence - 1 };
    const known = this.#losses.some((loss) => loss.operations?.from === operations.from);
    if (!known) this.#losses.push({ message: `${missing.message}: they are given up`, operations });
    const { generation = 0, segments = [], user = {} } = commit ?? {};
    this.#writeCommit({ generation: generation + 1, segments, user: { ...user, maxSeqNo: sequence - 1 } });
    return known ? [] : [missing];
  }

  get #logFolder(): string {
    return path.join(this.folder, "log");
  }
}

/** Of the first record of a log; 0 when there is none, or damage may have come before it. */
function firstSequence(files: Files, folder: string): number {
  let first: number | undefined;
  const record = ({ sequence }: { sequence: number }) => {
    first ??= sequence;
  };
  const damaged = () => {
    first ??= 0;
  };
  readLog(files, folder, { record, damaged });
  return first ?? 0;
}

function lossOf({ file, offset, bytes, from, to }: LostRecords): RepairLoss {
  const place = `${bytes} bytes of ${file} at byte ${offset} are given up`;
  if (to !== null && to < from) return { message: `${place}; no operation is lost with them` };
  const which =
    to === null
      ? `operation ${from} and later ones`
      : from === to
        ? `operation ${from}`
        : `operations ${from} to ${to}`;
  return { message: `${place}, with ${which}, which no segment has`, operations: { from, to } };
}
