/** Documents of another cluster, read by scrolling over HTTP. Their text stays as it is there. */
import { Canceller, type CancelSignal } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { printJson } from "../json/print.js";
import { parseTree, printTree, type Tree, type TreeObject } from "../json/tree.js";
import type { JsonObject } from "../json/value.js";
import type { DocumentSource, FoundDocument, Page } from "./feed.js";
import type { RemoteHost } from "./remote-host.js";

/** What is asked of the other cluster. */
export interface RemoteSearch {
  readonly host: RemoteHost;
  readonly indices: readonly string[];
  /** `query`, `sort` and `_source`, as they were given. */
  readonly body: JsonObject;
  /** Documents of a page. */
  readonly pageSize: number;
  /** Largest answer that is taken. */
  readonly maxBytes: number;
  readonly signal: CancelSignal;
  /** Told of each page that was refused for want of room and asked for again. */
  readonly onRetry: () => void;
}

const KEEP_ALIVE = "5m";
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const MOST_RETRIES = 10;

/** A source over a scroll, which it gives up at the end. */
export class RemoteSource implements DocumentSource {
  total = 0;
  #scroll: string | undefined;
  #left: FoundDocument[] = [];

  constructor(private readonly search: RemoteSearch) {}

  async next(size: number): Promise<Page> {
    if (this.#left.length === 0) this.#left = await this.#read();
    // A scroll's pages have one size: what is not wanted any more is thrown away with the rest.
    return { documents: this.#left.splice(0, size), release: () => undefined };
  }

  async close(): Promise<void> {
    if (this.#scroll === undefined) return;
    const body = printJson({ scroll_id: [this.#scroll] });
    // It ends by itself when it is not given up: nothing depends upon the answer.
    await this.#send("DELETE", "/_search/scroll", body, new Canceller().signal).catch(() => undefined);
  }

  async #read(): Promise<FoundDocument[]> {
    if (this.search.signal.aborted) return [];
    const first = this.#scroll === undefined;
    const answer = await (first ? this.#first() : this.#further());
    const tree = parseTree(answer);
    this.#scroll = textOf(member(tree, "_scroll_id"));
    if (this.#scroll === undefined) throw badAnswer("it has no [_scroll_id]");
    const hits = member(tree, "hits");
    if (first) this.total = totalOf(member(hits, "total"));
    const list = member(hits, "hits");
    if (list === undefined || typeof list === "string" || list.kind !== "array") throw badAnswer("it has no [hits]");
    return list.values.map(documentOf);
  }

  #first(): Promise<string> {
    const { indices, body, pageSize } = this.search;
    const path = `/${indices.map(encodeURIComponent).join(",")}/_search?scroll=${KEEP_ALIVE}&size=${pageSize}`;
    return this.#patiently("POST", path, printJson({ sort: ["_doc"], version: true, ...body }));
  }

  #further(): Promise<string> {
    return this.#patiently("POST", "/_search/scroll", printJson({ scroll: KEEP_ALIVE, scroll_id: this.#scroll }));
  }

  /** The other cluster may be short of room: like any client, this waits and asks again. */
  async #patiently(method: string, path: string, body: string): Promise<string> {
    const { signal, onRetry } = this.search;
    for (let tries = 0, wait = FIRST_WAIT_MS; ; tries++, wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const { status, text } = await this.#send(method, path, body, signal);
      if (status === 200) return text;
      if (status !== 429 || tries === MOST_RETRIES || signal.aborted) throw refused(status, text);
      onRetry();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #send(
    method: string,
    path: string,
    body: string,
    signal: CancelSignal,
  ): Promise<{ status: number; text: string }> {
    const { url, headers, timeoutMs } = this.search.host;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal.addEventListener("abort", abort);
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, "content-type": "application/json", accept: "application/json" },
        body,
        // Another host than the one that is allowed is not asked.
        redirect: "error",
        signal: controller.signal,
      });
      return { status: answer.status, text: await this.#text(answer) };
    } catch (error) {
      throw error instanceof ApiError ? error : unreachable(url, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  async #text(answer: Response): Promise<string> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      if (bytes > this.search.maxBytes) {
        throw illegalArgument("Remote responded with a chunk that was too large. Use a smaller batch size.");
      }
      parts.push(part);
    }
    return Buffer.concat(parts).toString();
  }
}

function unreachable(url: string, error: unknown): ApiError {
  const { message, cause } = error as Error & { cause?: Error };
  return new ApiError(500, "connect_exception", `${url} can't be reached: ${cause?.message ?? message}`);
}

function refused(status: number, text: string): ApiError {
  return new ApiError(
    status >= 400 ? status : 500,
    "status_exception",
    `status ${status} from the remote cluster: ${text.slice(0, 1_000)}`,
  );
}

function badAnswer(why: string): ApiError {
  return new ApiError(500, "status_exception", `the remote cluster's answer can't be read: ${why}`);
}

function member(tree: Tree | undefined, name: string): Tree | undefined {
  if (tree === undefined || typeof tree === "string" || tree.kind !== "object") return undefined;
  const at = (tree as TreeObject).keys.indexOf(name);
  return at < 0 ? undefined : tree.values[at];
}

function textOf(tree: Tree | undefined): string | undefined {
  return typeof tree === "string" && tree.startsWith('"') ? (JSON.parse(tree) as string) : undefined;
}

/** A number, or `{value, relation}`. */
function totalOf(tree: Tree | undefined): number {
  const value = typeof tree === "string" ? tree : member(tree, "value");
  const total = typeof value === "string" ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(total)) return total;
  throw badAnswer("it has no [hits.total]");
}

function documentOf(hit: Tree): FoundDocument {
  const [index, id, source] = [textOf(member(hit, "_index")), textOf(member(hit, "_id")), member(hit, "_source")];
  if (index === undefined || id === undefined) throw badAnswer("a hit has no [_index] or no [_id]");
  if (source === undefined) throw illegalArgument(`[${index}][${id}] didn't store _source`);
  const routing = textOf(member(hit, "_routing"));
  const version = member(hit, "_version");
  return {
    index,
    id,
    source: Buffer.from(printTree(source)),
    ...(routing === undefined ? {} : { routing }),
    version: typeof version === "string" ? Number(version) : 1,
    seqNo: 0,
    primaryTerm: 0,
  };
}
