/**
 * The segments of an index on disk: which the last commit names, new names, commits, and the removal of files that
 * neither a commit nor an open segment needs. A commit holds the writer's view: everything published up to a sequence
 * number, whether a reader shows it yet or not.
 */
import path from "node:path";
import { EngineError, InternalError } from "../errors.js";
import type { Commit, CommittedSegment } from "../segment/commit.js";
import { filesOf, makeFilesDurable, putCommit, readCommit, removeUnreferenced, syncFile } from "../segment/commit.js";
import { liveFileName, readLiveDocs, writeLiveDocs } from "../segment/live-docs.js";
import { OpenSegment } from "../segment/reader.js";
import { rewriteSegmentFile } from "../segment/rewrite.js";
import type { Storage } from "../store/storage.js";
import { ensureFolder } from "../wal/index.js";
import { HeldFiles } from "./held-files.js";
import type { LiveSnapshot } from "./live-docs.js";
import { missingPart } from "./missing-parts.js";
import { SegmentHolder } from "./segment-set.js";
import type { KeptTombstone } from "./version-map.js";

/** A segment and what of it is to be committed as alive. */
export interface LiveSegment {
  readonly holder: SegmentHolder;
  readonly live: LiveSnapshot;
}

/** What a commit keeps beside the segments. */
export interface CommitMarks {
  /** Every operation up to this sequence number is in the segments; -1: none. */
  maxSeqNo: number;
  /** Recent deletes, the oldest first. */
  tombstones: readonly KeptTombstone[];
}

/** The last commit, held: its files stay until it is released. */
export interface HeldCommit {
  readonly folder: string;
  readonly commit: Commit;
  /** Names in the folder. */
  readonly files: readonly string[];
  release(): void;
}

interface UserData extends CommitMarks {
  nextSegment: number;
}

/** One index's folder: opens segments, names new ones, commits, removes what nobody needs. */
export class SegmentFolder {
  readonly #storage: Storage;
  #last: Commit | undefined;
  /** Commits that failed since the last one: each may be what the disk has. */
  readonly #doubtful: Commit[] = [];
  /** The highest that the disk may have: files of a doubtful commit are not written over. */
  #generation: number;
  #nextSegment: number;
  /** Files whose sync has failed. */
  readonly #unsynced = new Set<string>();
  /** Segments that are open, by name; their files stay. */
  readonly #open = new Set<string>();
  /** Of each segment in the last commit: how many were alive. */
  readonly #committedLive = new Map<string, number>();
  readonly #held = new HeldFiles((file) => this.#tidy(() => this.#storage.files.unlink(path.join(this.folder, file))));

  private constructor(
    storage: Storage,
    readonly folder: string,
    commit: Commit | undefined,
    private readonly warn: (message: string) => void,
  ) {
    this.#storage = storage;
    this.#last = commit;
    this.#generation = commit?.generation ?? 0;
    this.#nextSegment = userOf(commit).nextSegment;
  }

  /** Opens what the last commit names and removes what it does not. Throws CorruptionError. */
  static open(
    storage: Storage,
    folder: string,
    warn: (message: string) => void,
  ): { folder: SegmentFolder; holders: SegmentHolder[]; marks: CommitMarks } {
    ensureFolder(storage.files, folder);
    // A killed process may have put a commit in place without living to sync its name: it is believed from now on.
    storage.files.syncDirectory(folder);
    const commit = readCommit(storage.files, folder);
    // Before anything is removed: of an index with a part missing the rest must stay.
    const missing = missingPart(storage.files, folder, commit);
    if (missing) throw missing;
    removeUnreferenced(storage.files, folder, commit);
    const opened = new SegmentFolder(storage, folder, commit, warn);
    const holders: SegmentHolder[] = [];
    try {
      for (const segment of commit?.segments ?? []) holders.push(opened.#openCommitted(segment));
    } catch (error) {
      for (const { segment } of holders) segment.close();
      throw error;
    }
    return { folder: opened, holders, marks: userOf(commit) };
  }

  /** The last commit; generation 0: none yet. */
  get lastCommit(): { generation: number; maxSeqNo: number; docCount: number } {
    let docCount = 0;
    for (const alive of this.#committedLive.values()) docCount += alive;
    return { generation: this.#last?.generation ?? 0, maxSeqNo: userOf(this.#last).maxSeqNo, docCount };
  }

  /** A name that no segment had before. */
  newName(): string {
    return `s${(this.#nextSegment++).toString(36)}`;
  }

  /** A segment that was written into the folder now. */
  adopt(segment: OpenSegment, live: Uint32Array | null): SegmentHolder {
    this.#open.add(segment.name);
    return new SegmentHolder(segment, live);
  }

  /** Holds the files of the last commit: whatever replaces it, they stay until they are released. */
  hold(): HeldCommit {
    if (!this.#last) throw new InternalError(`${this.folder} has no commit to hold`);
    const files = this.#last.segments.flatMap(filesOf);
    return { folder: this.folder, commit: this.#last, files, release: this.#held.hold(files) };
  }

  isCommitted(name: string): boolean {
    return this.#committedLive.has(name);
  }

  /** Nothing would be different in another commit. */
  isUpToDate(segments: readonly LiveSegment[], marks: CommitMarks): boolean {
    const last = this.#last;
    if (!last || userOf(last).maxSeqNo !== marks.maxSeqNo || last.segments.length !== segments.length) return false;
    return segments.every(({ holder, live }, i) => {
      const { name } = holder.segment;
      return last.segments[i].name === name && this.#committedLive.get(name) === live.count;
    });
  }

  /** Makes these segments and what of them is alive durable; the caller holds them meanwhile. */
  async commit(live: readonly LiveSegment[], marks: CommitMarks): Promise<void> {
    const previous = this.#last;
    const generation = this.#generation + 1;
    const segments = live.map((segment) => this.#writeLive(segment, generation));
    const user: UserData = { ...marks, nextSegment: this.#nextSegment };
    const commit: Commit = { generation, segments, user: { ...user } };
    await this.#write(commit, previous);
    this.#last = commit;
    this.#committedLive.clear();
    for (const { holder, live: alive } of live) this.#committedLive.set(holder.segment.name, alive.count);
    for (const superseded of [previous, ...this.#doubtful.splice(0)]) this.#removeSuperseded(superseded, commit);
  }

  /** A segment is no longer open: its files go unless a commit names it that is or may be on the disk. */
  closed(name: string): void {
    this.#open.delete(name);
    const doubtful = this.#doubtful.some(({ segments }) => segments.some((segment) => segment.name === name));
    if (!this.isCommitted(name) && !doubtful) this.#removeFiles(name);
  }

  async #write(commit: Commit, previous: Commit | undefined): Promise<void> {
    const { files } = this.#storage;
    await makeFilesDurable(files, { folder: this.folder, commit, previous }, (name) => this.#makeDurable(name));
    this.#generation = commit.generation;
    try {
      await putCommit(files, this.folder, commit);
    } catch (error) {
      this.#doubtful.push(commit);
      throw error;
    }
  }

  async #makeDurable(name: string): Promise<void> {
    if (this.#unsynced.has(name)) {
      await rewriteSegmentFile(this.#storage, this.folder, name);
      this.#unsynced.delete(name);
      return;
    }
    try {
      await syncFile(this.#storage.files, path.join(this.folder, name));
    } catch (error) {
      // Live docs are written anew with the next commit anyway.
      if (name.endsWith(".seg")) this.#unsynced.add(name);
      throw error;
    }
  }

  #openCommitted({ name, live: generation }: CommittedSegment): SegmentHolder {
    const segment = OpenSegment.open(this.#storage, this.folder, name);
    const { docCount } = segment;
    const target = { segment: name, generation, docCount };
    const live = generation === 0 ? null : readLiveDocs(this.#storage.files, this.folder, target);
    const holder = this.adopt(segment, live);
    this.#committedLive.set(name, holder.live.currentCount);
    return holder;
  }

  /** Writes a segment's live docs if the last commit has other ones. */
  #writeLive({ holder, live }: LiveSegment, generation: number): CommittedSegment {
    const { name, docCount } = holder.segment;
    if (live.bits === null) return { name, live: 0 };
    if (this.#committedLive.get(name) === live.count) {
      const known = this.#last?.segments.find((committed) => committed.name === name);
      if (known) return known;
    }
    writeLiveDocs(this.#storage.files, this.folder, { segment: name, generation, docCount }, live.bits);
    return { name, live: generation };
  }

  #removeSuperseded(previous: Commit | undefined, commit: Commit): void {
    for (const { name, live } of previous?.segments ?? []) {
      const now = commit.segments.find((segment) => segment.name === name);
      if (!now && !this.#open.has(name)) this.#removeFiles(name);
      else if (live !== 0 && now?.live !== live) this.#unlink(liveFileName(name, live));
    }
  }

  #removeFiles(name: string): void {
    this.#tidy(() => {
      for (const file of this.#storage.files.list(this.folder)) if (file.startsWith(`${name}.`)) this.#unlink(file);
    });
  }

  #unlink(file: string): void {
    this.#held.remove(file);
  }

  /** A file that can't be removed is no trouble of whoever let go of it: it goes when the index is opened next. */
  #tidy(removal: () => void): void {
    try {
      removal();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "io") throw error;
      this.warn(`files in ${this.folder} that are not needed any more are still there: ${error.message}`);
    }
  }
}

function userOf(commit: Commit | undefined): UserData {
  const { maxSeqNo = -1, nextSegment = 1, tombstones = [] } = (commit?.user ?? {}) as Partial<UserData>;
  return { maxSeqNo, nextSegment, tombstones };
}
