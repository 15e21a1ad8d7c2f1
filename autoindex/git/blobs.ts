import { GitError, type RunningGit, startGit } from "./command.js";

/** What the object database gives for an id. */
export type StoredBlob =
  | { kind: "bytes"; bytes: Buffer }
  | { kind: "too_large"; size: number }
  /** Not there: a shallow or partial clone, or a damaged one. Nothing is fetched. */
  | { kind: "missing" };

interface Asked {
  id: string;
  resolve: (blob: StoredBlob) => void;
  reject: (error: unknown) => void;
}

const LINE_FEED = 10;
/** `<id> <type> <size>` is shorter than this. */
const LONGEST_HEADER = 256;

/** One `git cat-file --batch`: blobs are asked for by id and come in the order they were asked for. */
export class BlobReader {
  readonly #git: RunningGit;
  readonly #asked: Asked[] = [];
  #failed: unknown;
  /** Bytes of the header that is being read. */
  #header: Buffer = Buffer.alloc(0);
  /** The content that is being read: what is to come of it (with its line feed), and where it goes. */
  #content: { left: number; size: number; bytes: Buffer | undefined } | undefined;

  constructor(
    folder: string,
    private readonly maxBytes: number,
  ) {
    this.#git = startGit(folder, ["cat-file", "--batch"]);
    this.#git.output.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#git.ended.then(
      () => this.#fail(new GitError("failed", "git cat-file ended before it was asked to")),
      (error: unknown) => this.#fail(error),
    );
  }

  /** A blob's bytes. What is larger than the bound is read past, not kept. */
  read(id: string): Promise<StoredBlob> {
    return new Promise((resolve, reject) => {
      if (this.#failed !== undefined) return reject(this.#failed);
      this.#asked.push({ id, resolve, reject });
      this.#git.input.write(`${id}\n`);
    });
  }

  /** Ends git; what was not answered is rejected. */
  close(): void {
    this.#fail(new GitError("failed", "the reader of blobs was closed"));
    this.#git.kill();
  }

  #take(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      from = this.#content ? this.#takeContent(chunk, from) : this.#takeHeader(chunk, from);
    }
  }

  #takeHeader(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(LINE_FEED, from);
    const until = end < 0 ? chunk.length : end;
    this.#header = Buffer.concat([this.#header, chunk.subarray(from, until)]);
    if (this.#header.length > LONGEST_HEADER) this.#fail(new GitError("failed", "git cat-file gave no header"));
    if (end < 0 || this.#failed !== undefined) return chunk.length;
    const [, type, size] = this.#header.toString("latin1").split(" ");
    this.#header = Buffer.alloc(0);
    if (size === undefined || type === "missing") this.#answer({ kind: "missing" });
    else this.#begin(Number(size));
    return end + 1;
  }

  #begin(size: number): void {
    const bytes = size <= this.maxBytes ? Buffer.allocUnsafe(size) : undefined;
    this.#content = { left: size + 1, size, bytes };
  }

  #takeContent(chunk: Buffer, from: number): number {
    const content = this.#content!;
    const count = Math.min(content.left, chunk.length - from);
    content.bytes?.set(chunk.subarray(from, from + Math.min(count, content.left - 1)), content.size + 1 - content.left);
    content.left -= count;
    if (content.left === 0) {
      this.#content = undefined;
      const { bytes, size } = content;
      this.#answer(bytes ? { kind: "bytes", bytes } : { kind: "too_large", size });
    }
    return from + count;
  }

  #answer(blob: StoredBlob): void {
    this.#asked.shift()?.resolve(blob);
  }

  #fail(error: unknown): void {
    this.#failed ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#failed);
  }
}
