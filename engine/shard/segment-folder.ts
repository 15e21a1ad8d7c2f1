/**
 * The segments of an index on disk: which the last commit names, new names, commits, and the removal of files that
 * neither a commit nor an open segment needs. A commit holds the writer's view: everything published up to a sequence
 * number, whether a reader shows it yet or not.
 */
import path from "node:path";
import type { Commit, CommittedSegment } from "../segment/commit.js";
import { readCommit, removeUnreferenced, writeCommit } from "../segment/commit.js";
import { liveFileName, readLiveDocs, writeLiveDocs } from "../segment/live-docs.js";
import { OpenSegment } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";
import { ensureFolder } from "../wal/index.js";
import { SegmentHolder } from "./segment-set.js";

/** What a commit keeps beside the segments. */
export interface CommitMarks {
  /** Every operation up to this sequence number is in the segments; -1: none. */
  maxSeqNo: number;
}

interface UserData extends CommitMarks {
  nextSegment: number;
}

/** One index's folder: opens segments, names new ones, commits, removes what nobody needs. */
export class SegmentFolder {
  readonly #storage: Storage;
  #last: Commit | undefined;
  #nextSegment: number;
  /** Segments that are open, by name; their files stay. */
  readonly #open = new Set<string>();
  /** Of each segment in the last commit: how many were alive. */
  readonly #committedLive = new Map<string, number>();

  private constructor(
    storage: Storage,
    readonly folder: string,
    commit: Commit | undefined,
  ) {
    this.#storage = storage;
    this.#last = commit;
    this.#nextSegment = userOf(commit).nextSegment;
  }

  /** Opens what the last commit names and removes what it does not. Throws CorruptionError. */
  static open(
    storage: Storage,
    folder: string,
  ): { folder: SegmentFolder; holders: SegmentHolder[]; marks: CommitMarks } {
    ensureFolder(storage.files, folder);
    const commit = readCommit(storage.files, folder);
    removeUnreferenced(storage.files, folder, commit);
    const opened = new SegmentFolder(storage, folder, commit);
    const holders = (commit?.segments ?? []).map((segment) => opened.#openCommitted(segment));
    return { folder: opened, holders, marks: { maxSeqNo: userOf(commit).maxSeqNo } };
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

  isCommitted(name: string): boolean {
    return this.#committedLive.has(name);
  }

  /** Nothing would be different in another commit. */
  isUpToDate(holders: readonly SegmentHolder[], marks: CommitMarks): boolean {
    const last = this.#last;
    if (!last || userOf(last).maxSeqNo !== marks.maxSeqNo || last.segments.length !== holders.length) return false;
    return holders.every(
      ({ segment, live }, i) =>
        last.segments[i].name === segment.name && this.#committedLive.get(segment.name) === live.currentCount,
    );
  }

  /**
   * Makes these segments and what of them is alive now durable; the caller holds them meanwhile. Live docs are taken
   * before this first waits. Resolves when the commit counts.
   */
  async commit(holders: readonly SegmentHolder[], marks: CommitMarks): Promise<void> {
    const { files } = this.#storage;
    const previous = this.#last;
    const generation = (previous?.generation ?? 0) + 1;
    const alive = holders.map(({ live }) => live.currentCount);
    const segments = holders.map((holder) => this.#writeLive(holder, generation));
    const user: UserData = { ...marks, nextSegment: this.#nextSegment };
    const commit: Commit = { generation, segments, user: { ...user } };
    await writeCommit(files, this.folder, commit, previous);
    this.#last = commit;
    this.#committedLive.clear();
    holders.forEach(({ segment }, i) => {
      this.#committedLive.set(segment.name, alive[i]);
    });
    this.#removeSuperseded(previous, commit);
  }

  /** A segment is no longer open: its files go unless the last commit names it. */
  closed(name: string): void {
    this.#open.delete(name);
    if (!this.isCommitted(name)) this.#removeFiles(name);
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
  #writeLive({ segment, live }: SegmentHolder, generation: number): CommittedSegment {
    const { name, docCount } = segment;
    if (live.current === null) return { name, live: 0 };
    if (this.#committedLive.get(name) === live.currentCount) {
      const known = this.#last?.segments.find((committed) => committed.name === name);
      if (known) return known;
    }
    writeLiveDocs(this.#storage.files, this.folder, { segment: name, generation, docCount }, live.current);
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
    for (const file of this.#storage.files.list(this.folder)) {
      if (file.startsWith(`${name}.`)) this.#unlink(file);
    }
  }

  #unlink(file: string): void {
    this.#storage.files.unlink(path.join(this.folder, file));
  }
}

function userOf(commit: Commit | undefined): UserData {
  const { maxSeqNo = -1, nextSegment = 1 } = (commit?.user ?? {}) as Partial<UserData>;
  return { maxSeqNo, nextSegment };
}
