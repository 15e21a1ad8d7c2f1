/** Pages of documents, handed out to slices one after the other. */
import type { Hit } from "../../engine/index.js";

/** What of a hit is written back or elsewhere. */
export type FoundDocument = Pick<Hit, "index" | "id" | "source" | "routing" | "version" | "seqNo" | "primaryTerm">;

/** Some documents, whose memory is held until they are released. */
export interface Page {
  readonly documents: readonly FoundDocument[];
  release(): void;
}

/** Where documents come from. */
export interface DocumentSource {
  /** Documents there are; known after the first page. */
  readonly total: number;
  /** At most so many further ones; none: there are no more. Called by one at a time. */
  next(size: number): Promise<Page>;
  close(): Promise<void>;
}

/** Hands pages to whoever asks next, so that slices share one search and each document is done once. */
export class PageFeed {
  #left: number;
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(
    private readonly source: DocumentSource,
    private readonly pageSize: number,
    private readonly maxDocs: number,
  ) {
    this.#left = maxDocs;
  }

  /** Documents that will be done, unless something stops it. */
  get total(): number {
    return Math.min(this.source.total, this.maxDocs);
  }

  /** Whether there is nothing more to hand out. */
  get ended(): boolean {
    return this.#ended;
  }

  /** No further page is handed out. */
  stop(): void {
    this.#ended = true;
  }

  /** The next page; undefined: there is none. */
  next(): Promise<Page | undefined> {
    const page = this.#turn.then(() => this.#read());
    // Whoever comes next waits for this one, and does not fail with it.
    this.#turn = page.catch(() => undefined);
    return page;
  }

  async #read(): Promise<Page | undefined> {
    if (this.#ended) return undefined;
    const wanted = Math.min(this.pageSize, this.#left);
    const page = await this.source.next(wanted);
    const found = page.documents.length;
    this.#left -= found;
    if (found < wanted || this.#left === 0) this.#ended = true;
    if (found > 0) return page;
    page.release();
    return undefined;
  }
}
