/** What handlers share: the engine, who the node is, and the readers that searches left open. */
import { randomBytes } from "node:crypto";
import type { EngineFace } from "../engine/index.js";
import type { SlowRequests } from "./http/slow-requests.js";
import type { CpuMeter } from "./process/cpu-load.js";
import type { CollectionCounter } from "./process/heap-stats.js";
import type { HttpCounter } from "./process/http-counter.js";
import type { RequestCounts } from "./process/request-counts.js";
import type { OpenReaders } from "./search/open-readers.js";
import type { TaskResults } from "./tasks/results.js";

/** The endpoint table as plain data, for the page that says what is supported. */
export interface EndpointDescription {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: string;
  readonly missing: string;
}

export interface Node {
  readonly engine: EngineFace;
  readonly name: string;
  readonly id: string;
  readonly clusterName: string;
  readonly clusterUuid: string;
  /** What whoever started it says of the node (`node.attr.*`). */
  readonly attributes: Readonly<Record<string, string>>;
  readonly startedAt: number;
  readonly now: () => number;
  readonly openReaders: OpenReaders;
  readonly slowRequests: SlowRequests;
  /** Tasks that run on after their request was answered. */
  readonly tasks: TaskResults;
  readonly cpu: CpuMeter;
  /** Collections of garbage. */
  readonly collections: CollectionCounter;
  /** HTTP connections. */
  readonly connections: HttpCounter;
  readonly requests: RequestCounts;
  readonly endpoints: readonly EndpointDescription[];
  /** Address and port the server listens on, such as `127.0.0.1:9200`. */
  readonly address: () => string;
  /** Settings of the cluster that handlers read, see handlers/cluster-settings.ts. */
  readonly maxContentBytes: number;
}

const IDENTITY_KEY = "node/identity";

export interface NodeIdentity {
  readonly id: string;
  readonly clusterUuid: string;
}

/** Ids that stay the same for a data folder; made on first use and kept in the engine's metadata. */
export async function nodeIdentity(engine: EngineFace): Promise<NodeIdentity> {
  const kept = engine.metadata.get(IDENTITY_KEY) as NodeIdentity | undefined;
  if (kept !== undefined) return kept;
  const made = { id: randomId(), clusterUuid: randomId() };
  await engine.metadata.put({ [IDENTITY_KEY]: made });
  return made;
}

/** 22 characters of base64url: the form of Elasticsearch's node and cluster ids. */
function randomId(): string {
  return randomBytes(16).toString("base64url");
}
