import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeSearch, type Source } from "./fake-search.js";

/** One request as it came in. */
interface Call {
  method: string;
  path: string;
  body: string;
}

interface FakeIndex {
  /** What was written, and what a search may see: all that was there at the last refresh. */
  written: Map<string, Source>;
  visible: Map<string, Source>;
  /** Sequence number of each document's last change. */
  sequence: Map<string, number>;
  body: { mappings?: { properties?: object } };
}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * Just enough of an Elasticsearch node for this module's own requests, kept in memory. Anything else is a 400, so that
 * a test never passes on a request that was not understood. Writes are invisible to searches until a refresh.
 */
export class FakeNode {
  readonly indices = new Map<string, FakeIndex>();
  readonly calls: Call[] = [];
  /** Refuses a document of a bulk request: the reason, or nothing to take it. */
  refuse: (index: string, source: Source) => string | undefined = () => undefined;
  /** With what status. */
  refusalStatus = 400;
  /**
   * Called before a request is served. What it throws breaks the connection; `break` does so when every other operation
   * of a bulk request is done, as a node may die between two indices.
   */
  before: (call: Call) => "serve" | "break" = () => "serve";
  #sequence = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    await new Promise<void>((resolve) => node.#server.listen(0, "127.0.0.1", resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Documents of an index by `_id`, as last written. */
  documents(index: string): Map<string, Source> {
    return this.indices.get(index)?.written ?? new Map();
  }

  /** Documents of an index of one path. */
  of(index: string, path: string): Source[] {
    return [...this.documents(index).values()].filter((source) => source.path === path);
  }

  bulks(): Call[] {
    return this.calls.filter(({ path }) => path.startsWith("/_bulk"));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = { method: request.method ?? "", path: request.url ?? "", body: Buffer.concat(chunks).toString() };
    this.calls.push(call);
    if (this.#breaksOn(call)) {
      response.destroy();
      return;
    }
    const { status, body } = this.#answer(call);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(call.method === "HEAD" ? undefined : JSON.stringify(body));
  }

  #breaksOn(call: Call): boolean {
    try {
      const isBroken = this.before(call) === "break";
      if (isBroken && call.path.startsWith("/_bulk")) this.#bulk(call.body, "", (at) => at % 2 === 0);
      return isBroken;
    } catch {
      return true;
    }
  }

  #answer({ method, path, body }: Call): Answer {
    const [target, query] = path.split("?");
    const names = target!.slice(1).split("/").map(decodeURIComponent);
    if (names[0] === "_pinakes") return { status: 200, body: {} };
    if (names[0] === "_cat") return this.#catIndices(names[2]!);
    if (names[0] === "_bulk") return this.#bulk(body, query ?? "");
    if (names[1] === "_refresh") return this.#refresh(this.#named(names[0]!));
    if (names[1] === "_search") return this.#search(names[0]!.split(","), JSON.parse(body));
    if (names[1] === "_settings") return { status: 200, body: { acknowledged: true } };
    if (names[1] === "_mapping") return this.#mapping(method, names[0]!, body);
    if (names[1] === "_doc" && names.length === 3) return this.#document(method, names[0]!, names[2]!, { body, query });
    if (names[1] === "_create" && names.length === 3) {
      const isThere = this.indices.get(names[0]!)?.written.has(names[2]!);
      return isThere ? conflict(names[2]!) : this.#document(method, names[0]!, names[2]!, { body, query });
    }
    if (names.length === 1 && method === "HEAD" && names[0]!.includes(",")) {
      const missed = names[0]!.split(",").find((name) => !this.indices.has(name));
      return missed === undefined ? { status: 200, body: {} } : missing(missed);
    }
    if (names.length === 1) return this.#index(method, names[0]!, body);
    return refused(`not understood: ${method} ${path}`);
  }

  /** Names, or those that begin with what stands before a `*`. */
  #named(text: string): string[] {
    if (!text.endsWith("*")) return text.split(",");
    return [...this.indices.keys()].filter((name) => name.startsWith(text.slice(0, -1)));
  }

  #catIndices(text: string): Answer {
    const rows = this.#named(text).map((index) => {
      return { index, "docs.count": String(this.indices.get(index)!.visible.size) };
    });
    return { status: 200, body: rows };
  }

  #index(method: string, name: string, body: string): Answer {
    const exists = this.indices.has(name);
    if (method === "PUT" && !exists) this.indices.set(name, emptyIndex(JSON.parse(body)));
    else if (method === "PUT")
      return { status: 400, body: { error: { type: "resource_already_exists_exception", reason: name } } };
    else if (!exists) return missing(name);
    else if (method === "DELETE") this.indices.delete(name);
    else if (method !== "HEAD") return refused(`not understood: ${method} /${name}`);
    return { status: 200, body: { acknowledged: true } };
  }

  #mapping(method: string, name: string, body: string): Answer {
    const index = this.indices.get(name);
    if (!index) return missing(name);
    index.body.mappings ??= {};
    const { mappings } = index.body;
    if (method === "PUT") mappings.properties = { ...mappings.properties, ...JSON.parse(body).properties };
    return { status: 200, body: { [name]: { mappings } } };
  }

  #document(method: string, name: string, id: string, sent: { body: string; query: string | undefined }): Answer {
    const index = this.indices.get(name);
    if (!index) return missing(name);
    const expected = /if_seq_no=(\d+)/.exec(sent.query ?? "")?.[1];
    if (expected !== undefined && index.sequence.get(id) !== Number(expected)) return conflict(id);
    const version = { _id: id, _seq_no: index.sequence.get(id) ?? 0, _primary_term: 1 };
    if (method === "PUT") {
      index.sequence.set(id, this.#sequence);
      index.written.set(id, JSON.parse(sent.body) as Source);
      return { status: 200, body: { ...version, _seq_no: this.#sequence++ } };
    }
    if (!index.written.has(id)) return { status: 404, body: { found: false, result: "not_found" } };
    if (method === "DELETE") index.written.delete(id);
    else return { status: 200, body: { ...version, found: true, _source: index.written.get(id) } };
    return { status: 200, body: { result: "ok" } };
  }

  #refresh(names: string[]): Answer {
    for (const name of names) {
      const index = this.indices.get(name);
      if (!index) return missing(name);
      index.visible = new Map(index.written);
    }
    return { status: 200, body: {} };
  }

  #search(names: string[], request: Record<string, unknown>): Answer {
    const found: { index: string; id: string; source: Source }[] = [];
    for (const name of names) {
      const index = this.indices.get(name);
      if (!index) return missing(name);
      for (const [id, source] of index.visible) found.push({ index: name, id, source });
    }
    try {
      return { status: 200, body: new FakeSearch(request).run(found) };
    } catch (error) {
      return refused(String(error));
    }
  }

  #bulk(body: string, query: string, isDone = (_position: number): boolean => true): Answer {
    const lines = body.split("\n").filter((line) => line !== "");
    const items: unknown[] = [];
    for (let at = 0; at < lines.length; at++) {
      const action = JSON.parse(lines[at]!) as Record<string, { _index: string; _id: string }>;
      const [kind, target] = Object.entries(action)[0]!;
      const source = kind === "delete" ? undefined : (JSON.parse(lines[++at]!) as Source);
      if (isDone(items.length)) items.push({ [kind]: this.#apply(kind, target, source) });
      else items.push({ [kind]: { status: 200 } });
    }
    if (query.includes("refresh=true")) this.#refresh([...this.indices.keys()]);
    return { status: 200, body: { errors: items.some(hasFailed), items } };
  }

  #apply(kind: string, { _index, _id }: { _index: string; _id: string }, source: Source | undefined): object {
    const index = this.indices.get(_index);
    if (!index) return { _id, status: 404, error: { type: "index_not_found_exception", reason: _index } };
    if (kind === "delete") return { _id, status: index.written.delete(_id) ? 200 : 404 };
    if (kind === "update") {
      const known = index.written.get(_id);
      if (!known) return { _id, status: 404, error: { type: "document_missing_exception", reason: _id } };
      index.written.set(_id, { ...known, ...(source!.doc as Source) });
      return { _id, status: 200 };
    }
    if (kind !== "index" || !source) return { _id, status: 400, error: { type: "not_understood", reason: kind } };
    const reason = this.refuse(_index, source);
    if (reason) return { _id, status: this.refusalStatus, error: { type: "document_parsing_exception", reason } };
    index.written.set(_id, source);
    return { _id, status: 201 };
  }
}

function hasFailed(item: unknown): boolean {
  const [outcome] = Object.values(item as Record<string, { status: number }>);
  return outcome!.status >= 400;
}

function emptyIndex(body: FakeIndex["body"]): FakeIndex {
  return { written: new Map(), visible: new Map(), sequence: new Map(), body };
}

function conflict(id: string): Answer {
  return { status: 409, body: { error: { type: "version_conflict_engine_exception", reason: `[${id}]: conflict` } } };
}

function refused(reason: string): Answer {
  return { status: 400, body: { error: { type: "illegal_argument_exception", reason } } };
}

function missing(index: string): Answer {
  return { status: 404, body: { error: { type: "index_not_found_exception", reason: `no such index [${index}]` } } };
}
