import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { linePatternsIn, linesWith, type Matchable, score, textOf } from "./fake-query.js";

/** A document of the fake node. */
export interface Stored {
  _id: string;
  _source: Matchable;
}

interface SearchRequest {
  query?: Record<string, unknown>;
  from?: number;
  size?: number;
  sort?: (string | Record<string, "asc" | "desc" | { order: "asc" | "desc" }>)[];
  ext?: unknown;
  aggs?: Record<string, { terms: { field: string; size: number } }>;
}

/** A node on a real port that holds documents in memory and answers the searches that the tools send, and no more. */
export class FakeNode {
  readonly indices = new Map<string, Map<string, Matchable>>();
  /** `METHOD path` of every request, in order. */
  readonly requests: string[] = [];
  /** Documents as they are by now, of which searches still see an earlier state. */
  readonly realTime = new Map<string, Matchable>();
  /** Whether it is a Pinakes node, which knows `matching_lines`. */
  knowsLines = true;
  #server: Server | undefined;

  /** Starts listening; the address is its answer. */
  async start(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString("utf8");
      const { status, body } = this.answer(
        request.method ?? "",
        request.url ?? "",
        text === "" ? {} : JSON.parse(text),
      );
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

  /** What it answers to a request. */
  answer(method: string, url: string, body: unknown): { status: number; body: unknown } {
    this.requests.push(`${method} ${url}`);
    const [, index, endpoint, id = ""] = url.split("?")[0].split("/");
    if (endpoint === "_refresh") return { status: 200, body: { _shards: {} } };
    if (endpoint === "_doc") {
      const _source = this.realTime.get(decodeURIComponent(id)) ?? this.indices.get(index)?.get(decodeURIComponent(id));
      return _source === undefined ? error(404, "not_found", id) : { status: 200, body: { _source } };
    }
    if (endpoint !== "_search") return error(400, "illegal_argument_exception", `the fake node has no ${url}`);
    const documents = this.indices.get(index);
    if (documents === undefined) return error(404, "index_not_found_exception", `no such index [${index}]`);
    if (!this.knowsLines && JSON.stringify(body).includes('"matching_lines"'))
      return error(400, "parsing_exception", "unknown query [matching_lines]");
    return { status: 200, body: search(documents, body as SearchRequest) };
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
  const page = hits
    .slice(from, from + (request.size ?? 10))
    .map((hit) => ({ ...hit, ...(request.ext === undefined ? {} : { matching_lines: linesOf(hit._source, query) }) }));
  const aggregations = Object.entries(request.aggs ?? {}).map(([name, { terms }]) => [
    name,
    { buckets: buckets(hits, terms.field) },
  ]);
  return {
    hits: { total: { value: hits.length, relation: "eq" }, hits: page },
    ...(aggregations.length > 0 ? { aggregations: Object.fromEntries(aggregations) } : {}),
  };
}

function linesOf(source: Matchable, query: unknown): Record<string, unknown> {
  const asked = linePatternsIn(query);
  return Object.fromEntries(
    [...new Set(asked.map(([field]) => field))].map((field) => {
      const patterns = asked.filter(([other]) => other === field).map(([, pattern]) => pattern);
      return [field, linesWith(textOf(source, field), patterns)];
    }),
  );
}

function compareBy(
  sort: NonNullable<SearchRequest["sort"]>,
  a: Stored & { _score: number },
  b: Stored & { _score: number },
): number {
  for (const key of sort) {
    if (typeof key === "string") continue;
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
  for (const { _source } of hits) {
    for (const value of [_source[field]].flat()) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, doc_count]) => ({ key, doc_count }))
    .sort((a, b) => b.doc_count - a.doc_count || (a.key < b.key ? -1 : 1));
}
