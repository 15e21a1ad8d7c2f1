import { gitChunks } from "./command.js";

/** What a commit changed, line by line; of a renamed file what is different in it. */
export interface CommitPatch {
  sha: string;
  /** Lines that it added and removed, each with its line feed. */
  added: string;
  removed: string;
  /** Whether there were more. */
  isCut: boolean;
  /** Numbers of all of them; without context git finds now and then a line more or less than `--stat` says. */
  insertions: number;
  deletions: number;
}

/** Characters kept of what one commit added, and of what it removed. */
export const MOST_CHARACTERS = 20_000;
/** Bytes of one line with its sign: a longer one is no line that somebody wrote. */
const LONGEST_LINE = 1000;

const MARK = 1;
const LINE_FEED = 10;
const PLUS = 43;
const MINUS = 45;
const AT = 64;

/**
 * Asks for the changes of commits given by their ids, as nothing that the repository or its owner has set changes them:
 * settings that options cannot undo are in command.ts.
 */
export const LOG_CHANGES = [
  ...["log", "--no-walk=unsorted", "--stdin", "-M", "--no-relative", "--ignore-submodules=none", "-O/dev/null"],
  ...["--no-ext-diff", "--no-textconv", "--no-color"],
];

/** Reads the patches of commits by their ids, in that order. Merges change no lines of their own. Throws GitError. */
export async function* readPatches(folder: string, shas: readonly string[]): AsyncGenerator<CommitPatch> {
  const patch = ["-p", "-U0", "--inter-hunk-context=0", "--submodule=short", "--full-index"];
  const args = [...LOG_CHANGES, "--format=%x01%H", ...patch];
  const reader = new PatchReader();
  for await (const chunk of gitChunks(folder, args, { input: `${shas.join("\n")}\n` })) {
    reader.feed(chunk);
    yield* reader.takeDone();
  }
  yield* reader.takeAll();
}

/** Reads a stream of patches as it comes, in chunks that end anywhere. */
export class PatchReader {
  #patches: CommitPatch[] = [];

  #patch: CommitPatch | undefined;

  /** Lines of the hunk that are still to come: whatever they look like, they are content. */
  #removals = 0;

  #additions = 0;

  /** How the line began whose end has not come yet; of a long one no more than is looked at. */
  #begun: Buffer | undefined;

  feed(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      if (this.#begun) {
        const line = withMore(this.#begun, chunk.subarray(from, end));
        this.#begun = undefined;
        this.#line(line, 0, line.length);
      } else this.#line(chunk, from, end);
      from = end + 1;
    }
    if (from < chunk.length) this.#begun = withMore(this.#begun ?? Buffer.alloc(0), chunk.subarray(from));
  }

  /** The commits that were read to their ends, each once. */
  takeDone(): CommitPatch[] {
    return this.#patches.splice(0, Math.max(0, this.#patches.length - 1));
  }

  /** All that were read. */
  takeAll(): CommitPatch[] {
    return this.#patches.splice(0);
  }

  #line(bytes: Buffer, from: number, end: number): void {
    const first = bytes[from];
    if (this.#removals > 0 || this.#additions > 0) {
      // A file's last line without a line feed is followed by a remark.
      if (first === MINUS && this.#removals > 0) {
        this.#removals--;
        this.#keep("removed", bytes, from, end);
      } else if (first === PLUS && this.#additions > 0) {
        this.#additions--;
        this.#keep("added", bytes, from, end);
      }
    } else if (first === MARK) {
      const sha = bytes.toString("latin1", from + 1, end);
      this.#patch = { sha, added: "", removed: "", isCut: false, insertions: 0, deletions: 0 };
      this.#patches.push(this.#patch);
    } else if (first === AT) this.#hunk(bytes.toString("latin1", from, Math.min(end, from + 100)));
  }

  #hunk(header: string): void {
    const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header);
    if (!counts || !this.#patch) return;
    this.#removals = Number(counts[1] ?? 1);
    this.#additions = Number(counts[2] ?? 1);
    this.#patch.deletions += this.#removals;
    this.#patch.insertions += this.#additions;
  }

  #keep(where: "added" | "removed", bytes: Buffer, from: number, end: number): void {
    const patch = this.#patch;
    if (!patch) return;
    const room = MOST_CHARACTERS - patch[where].length;
    if (room <= 0 || end - from > LONGEST_LINE) {
      patch.isCut = true;
      if (room <= 0) return;
    }
    patch[where] += `${bytes.toString("utf8", from + 1, Math.min(end, from + LONGEST_LINE))}\n`.slice(0, room);
  }
}

/** A line and what comes after, up to one byte more than is kept of it: so that it shows that there was more. */
function withMore(begun: Buffer, more: Buffer): Buffer {
  return Buffer.concat([begun, more.subarray(0, Math.max(0, LONGEST_LINE + 1 - begun.length))]);
}
