import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Matchable, score } from "./fake-query.js";

/** A document of the fake node. */
export interface Stored {
  _id: string;
  _source: Matchable;
}

interface SearchRequest {
  query?: Record<string, unknown>;
  from?: number;
  size?: number;
  sort?: Record<string, "asc" | "desc" | { order: "asc" | "desc" }>[];
  aggs?: Record<string, { terms: { field: string; size: number } }>;
}

/** A node on a real port that holds documents in memory and answers the searches that the tools send, and no more. */
export class FakeNode {
  readonly indices = new Map<string, Map<string, Matchable>>();
  /** `METHOD path` of every request, in order. */
  readonly requests: string[] = [];
  #server: Server | undefined;

  /** Starts listening; the address is its answer. */
  async start(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.requests.push(`${request.method} ${request.url}`);
      const { status, body } = this.#answer(request.url ?? "", Buffer.concat(chunks).toString("utf8"));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** Adds a document, making its index if there is none. */
  put(index: string, id: string, source: object): void {
    const documents = this.indices.get(index) ?? new Map<string, Matchable>();
    documents.set(id, source as Matchable);
    this.indices.set(index, documents);
  }

  /** Removes the documents of an index that equal all these fields. */
  remove(index: string, fields: Record<string, unknown>): void {
    for (const [id, source] of this.indices.get(index) ?? []) {
      if (Object.entries(fields).every(([field, value]) => source[field] === value))
        this.indices.get(index)?.delete(id);
    }
  }

  #answer(url: string, body: string): { status: number; body: unknown } {
    const [, index, endpoint] = url.split("?")[0].split("/");
    if (endpoint === "_refresh") return { status: 200, body: { _shards: {} } };
    if (endpoint !== "_search") return error(400, "illegal_argument_exception", `the fake node has no ${url}`);
    const documents = this.indices.get(index);
    if (documents === undefined) return error(404, "index_not_found_exception", `no such index [${index}]`);
    return { status: 200, body: search(documents, JSON.parse(body) as SearchRequest) };
  }
}

function error(status: number, type: string, reason: string): { status: number; body: unknown } {
  return { status, body: { error: { type, reason }, status } };
}

function search(documents: ReadonlyMap<string, Matchable>, request: SearchRequest): unknown {
  const query = request.query ?? { match_all: {} };
  const hits = [...documents]
    .map(([_id, _source]) => ({ _id, _source, _score: score(_source, query) }))
    .filter((hit) => hit._score >= 0)
    .sort((a, b) => compareBy(request.sort ?? [{ _score: "desc" }], a, b));
  const from = request.from ?? 0;
  const aggregations = Object.entries(request.aggs ?? {}).map(([name, { terms }]) => [
    name,
    { buckets: buckets(hits, terms.field) },
  ]);
  return {
    hits: { total: { value: hits.length, relation: "eq" }, hits: hits.slice(from, from + (request.size ?? 10)) },
    ...(aggregations.length > 0 ? { aggregations: Object.fromEntries(aggregations) } : {}),
  };
}

function compareBy(
  sort: NonNullable<SearchRequest["sort"]>,
  a: Stored & { _score: number },
  b: Stored & { _score: number },
): number {
  for (const key of sort) {
    const [field, order] = Object.entries(key)[0];
    const descending = (typeof order === "string" ? order : order.order) === "desc";
    const [left, right] = [a, b].map((hit) => (field === "_score" ? hit._score : hit._source[field])) as [
      number,
      number,
    ];
    if (left !== right) return left < right === descending ? 1 : -1;
  }
  return 0;
}

function buckets(hits: Stored[], field: string): { key: string; doc_count: number }[] {
  const counts = new Map<string, number>();
  for (const { _source } of hits) counts.set(String(_source[field]), (counts.get(String(_source[field])) ?? 0) + 1);
  return [...counts]
    .map(([key, doc_count]) => ({ key, doc_count }))
    .sort((a, b) => b.doc_count - a.doc_count || (a.key < b.key ? -1 : 1));
}
