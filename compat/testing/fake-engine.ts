/**
 * An engine in memory, for tests of what stands above it: it keeps documents in a map and answers `match_all`, `ids`,
 * `term` and `bool` filters by parsing each of them. What it cannot do it says.
 */

import { systemClock } from "../../engine/clock.js";
import {
  EngineError,
  type EngineFace,
  type Hit,
  type Index,
  type IndexDefinition,
  type JsonDocument,
  type PinnedReaders,
  type Query,
  type SearchRequest,
  type SearchTarget,
  type StoredDocument,
  type WriteOperation,
  type WriteOutcome,
} from "../../engine/index.js";
import { Resources } from "../../engine/node-resources.js";
import { newCounters } from "../../engine/shard/counters.js";

interface FakeIndex extends Index {
  readonly documents: Map<string, StoredDocument>;
}

/** A fresh engine that forgets everything. */
export function fakeEngine(): EngineFace {
  const indices = new Map<string, FakeIndex>();
  const metadata = new Map<string, unknown>();
  const resources = new Resources({}, () => []);
  const found = (targets: readonly SearchTarget[] | PinnedReaders, query: Query) => matching(indices, targets, query);
  const keep = (changes: Readonly<Record<string, unknown>>) => {
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined) metadata.delete(key);
      else metadata.set(key, structuredClone(value));
    }
  };
  return {
    dataFolder: "",
    clock: systemClock,
    metadata: {
      version: 0,
      get: (key) => metadata.get(key),
      keys: (prefix) => [...metadata.keys()].filter((key) => key.startsWith(prefix)).sort(),
      put: async (changes) => keep(changes),
    },
    get snapshots(): never {
      throw new EngineError("internal", "the fake engine has no snapshots");
    },
    createIndex: async (name, definition, records = {}) => {
      const index = fakeIndex(name, { ...definition, uuid: `uuid-of-${name}`, createdAt: 1 });
      indices.set(name, index);
      keep(records);
      return index;
    },
    deleteIndex: async (name, records = {}) => {
      indices.delete(name);
      keep(records);
    },
    closeIndex: async (name) => {
      Object.assign(indices.get(name)?.definition ?? {}, { closed: true });
    },
    openIndex: async (name) => {
      Object.assign(indices.get(name)?.definition ?? {}, { closed: false });
    },
    copyIndex: () => Promise.reject(new EngineError("internal", "the fake engine copies nothing")),
    index: (name) => indices.get(name),
    damage: () => undefined,
    indexNames: () => [...indices.keys()].sort(),
    search: async (targets, request) => {
      if (request.signal?.aborted) throw new EngineError("cancelled", "the search was cancelled");
      const all = found(targets, request.query);
      return {
        total: { value: all.length, relation: "eq" },
        maxScore: request.sort.length === 0 && all.length > 0 ? 1 : null,
        hits: page(all, request),
        aggregations: {},
        terminatedEarly: false,
      };
    },
    count: async (targets, query) => found(targets, query).length,
    complete: async (_targets, requests) => requests.map(() => []),
    pin: (targets) => ({ targets, release: () => undefined }),
    analyze: () => [],
    explainAnalysis: () => ({ analyzer: { name: "", tokens: [] } }),
    resources,
    memory: () => resources.usage(),
    close: async () => undefined,
  };
}

function page(all: readonly Hit[], request: SearchRequest): Hit[] {
  const after = request.searchAfter === undefined ? -1 : Number(request.searchAfter.at(-1));
  const rest = all.filter((hit) => hit.seqNo > after).slice(request.from, request.from + request.size);
  return rest.map((hit) => ({
    ...hit,
    source: request.source ? hit.source : undefined,
    score: request.sort.length === 0 ? 1 : null,
    ...(request.sort.length === 0 ? {} : { sort: request.sort.map(() => hit.seqNo) }),
  }));
}

function matching(
  indices: Map<string, FakeIndex>,
  targets: readonly SearchTarget[] | PinnedReaders,
  query: Query,
): Hit[] {
  const list = "targets" in targets ? targets.targets : targets;
  return list.flatMap(({ index, filter }) =>
    [...(indices.get(index)?.documents.values() ?? [])]
      .filter((document) => matches(document, query) && (filter === undefined || matches(document, filter)))
      .map((document) => ({ ...document, index, score: 1 })),
  );
}

function matches(document: StoredDocument, query: Query): boolean {
  const source = JSON.parse(Buffer.from(document.source).toString()) as Record<string, unknown>;
  switch (query.kind) {
    case "match_all":
      return true;
    case "ids":
      return query.values.includes(document.id);
    case "term":
      return source[query.field] === query.value;
    case "bool":
      return (
        [...query.must, ...query.filter].every((one) => matches(document, one)) &&
        !query.mustNot.some((one) => matches(document, one))
      );
    default:
      throw new EngineError("query_unsupported", `the fake engine has no [${query.kind}]`);
  }
}

function fakeIndex(name: string, definition: IndexDefinition): FakeIndex {
  const documents = new Map<string, StoredDocument>();
  let seqNo = 0;
  const one = (operation: WriteOperation): WriteOutcome => {
    const id = operation.id ?? `auto-${seqNo}`;
    const current = documents.get(id);
    const failed = conflict(operation, id, current);
    if (failed !== undefined) return { ok: false, id, error: failed };
    const state = {
      id,
      seqNo: seqNo++,
      primaryTerm: 1,
      version: (current?.version ?? 0) + 1,
      routing: operation.routing,
    };
    if (operation.kind === "delete") {
      documents.delete(id);
      return { ok: true, ...state, result: current === undefined ? "not_found" : "deleted" };
    }
    const source = operation.kind === "update" ? updated(operation, current) : operation.source;
    documents.set(id, { ...state, source });
    return { ok: true, ...state, source, result: current === undefined ? "created" : "updated" };
  };
  return {
    name,
    documents,
    definition,
    write: async (operations) => operations.map(one),
    get: (id) => documents.get(id),
    refresh: async () => undefined,
    nextRefresh: async () => undefined,
    flush: async () => undefined,
    forceMerge: async () => undefined,
    updateMapping: async (change) => {
      Object.assign(definition.mapping.properties, change.properties);
    },
    updateSettings: async (change) => {
      Object.assign(definition, change);
    },
    stats: () => fakeStats(documents.size),
    analyze: () => [],
    explainAnalysis: () => ({ analyzer: { name: "", tokens: [] } }),
    fields: () => new Map(Object.entries(definition.mapping.properties)),
  };
}

function conflict(operation: WriteOperation, id: string, current: StoredDocument | undefined): EngineError | undefined {
  if (operation.kind === "create" && current !== undefined) {
    return new EngineError(
      "version_conflict",
      `[${id}]: version conflict, document already exists (current version [${current.version}])`,
    );
  }
  if (
    operation.kind === "update" &&
    current === undefined &&
    operation.upsert === undefined &&
    !operation.docAsUpsert
  ) {
    return new EngineError("document_missing", `[${id}]: document missing`);
  }
  if (operation.kind !== "index" && operation.kind !== "create") return undefined;
  try {
    JSON.parse(Buffer.from(operation.source).toString());
    return undefined;
  } catch {
    return new EngineError("document_malformed", "[1:1] failed to parse");
  }
}

function updated(
  operation: Extract<WriteOperation, { kind: "update" }>,
  current: StoredDocument | undefined,
): Uint8Array {
  const doc = plain(operation.doc);
  const merged = current === undefined ? (plain(operation.upsert) ?? doc) : { ...plain(current.source), ...doc };
  return Buffer.from(JSON.stringify(merged));
}

function plain(document: JsonDocument | undefined): Record<string, unknown> | undefined {
  return document instanceof Uint8Array ? JSON.parse(Buffer.from(document).toString()) : document;
}

function fakeStats(count: number): ReturnType<Index["stats"]> {
  return {
    docs: { count, deleted: 0 },
    storeBytes: 0,
    segments: [],
    unloadedSegments: 0,
    completion: {},
    opening: { source: "empty", startedAt: 0, milliseconds: 0, files: 0, bytes: 0, replayed: 0 },
    log: { operations: 0, sizeBytes: 0, uncommittedOperations: 0, uncommittedBytes: 0, oldestWriteMs: undefined },
    lastWriteAt: 0,
    commit: { generation: 0, maxSeqNo: -1, docCount: 0 },
    memtableBytes: 0,
    maxSeqNo: 0,
    queryCache: { bytes: 0, entries: 0, kept: 0, hits: 0, misses: 0 },
    fielddata: { bytes: 0, evictions: 0, byField: {} },
    refreshListeners: 0,
    counters: newCounters(),
    searchGroups: {},
  };
}
