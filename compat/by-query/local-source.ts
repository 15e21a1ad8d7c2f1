/** Documents of this node's indices, over readers held still. */
import type { PinnedReaders, Query, SearchRequest, SearchTarget, SortKey } from "../../engine/index.js";
import { EngineError } from "../../engine/index.js";
import type { ApiRequest } from "../http/request.js";
import { searchFailure, searchPlace } from "../search-failure.js";
import type { DocumentSource, FoundDocument, Page } from "./feed.js";

/** What is asked for. */
export interface LocalSearch {
  readonly readers: PinnedReaders;
  readonly targets: readonly SearchTarget[];
  readonly query: Query;
  readonly sort: readonly SortKey[];
  readonly source: "wanted" | "not wanted";
  /** Shows less of each document than all. */
  readonly filter?: (source: Uint8Array) => Uint8Array;
}

const SHARD_DOC: SortKey = { field: "_shard_doc", order: "asc", missing: "_last" };

/** A source over held readers, which it releases. */
export class LocalSource implements DocumentSource {
  total = 0;
  #after: SearchRequest["searchAfter"];
  #first = true;

  constructor(
    private readonly request: ApiRequest,
    private readonly search: LocalSearch,
  ) {}

  async next(size: number): Promise<Page> {
    const { node, task } = this.request;
    const memory = node.engine.resources.openRequest();
    const release = () => memory.close();
    try {
      const asked = { searchAfter: this.#after, signal: task.signal, memory, ...this.#page(size) };
      const result = await node.engine.search(this.search.readers, asked);
      if (this.#first) this.total = result.total?.value ?? 0;
      this.#first = false;
      this.#after = result.hits.at(-1)?.sort;
      return { documents: this.#shown(result.hits), release };
    } catch (error) {
      release();
      if (task.cancelled && error instanceof EngineError && error.code === "cancelled") {
        return { documents: [], release };
      }
      throw searchFailure(error, searchPlace(node.engine, this.search.targets, node.id));
    }
  }

  async close(): Promise<void> {
    this.search.readers.release();
  }

  #shown(hits: readonly FoundDocument[]): readonly FoundDocument[] {
    const { filter } = this.search;
    if (filter === undefined) return hits;
    return hits.map((hit) => ({ ...hit, source: hit.source === undefined ? undefined : filter(hit.source) }));
  }

  #page(size: number): SearchRequest {
    return {
      query: this.search.query,
      knn: [],
      from: 0,
      size,
      sort: [...this.search.sort, SHARD_DOC],
      trackTotal: this.#first ? Number.POSITIVE_INFINITY : 0,
      trackScores: false,
      terminateAfter: 0,
      aggs: {},
      source: this.search.source === "wanted",
      explain: false,
      highlight: [],
      docValueFields: [],
      profile: false,
    };
  }
}
