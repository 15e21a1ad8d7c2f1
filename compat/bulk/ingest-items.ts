/** The pipelines of a bulk: items that have one are changed, moved to other indices, dropped, or fail before the write. */
import type { WriteOperation } from "../../engine/index.js";
import type { ApiRequest } from "../http/request.js";
import { BatchGrowth, ingest, type PipelineNames, pipelinesFor } from "../ingest/index.js";
import { quote } from "../search/render.js";
import type { Action } from "./action.js";
import type { Fail, Group, Requires } from "./group.js";
import type { BulkDefaults } from "./operation.js";
import { NO_SHARDS } from "./write-response.js";

/** What pipelines made of a bulk. */
export interface IngestedItems {
  readonly groups: readonly Group[];
  /** Names of the indices that items were dropped from, by item. */
  readonly dropped: ReadonlyMap<number, string>;
  /** Pipelines that ran, by item. */
  readonly executed: ReadonlyMap<number, readonly string[]>;
  readonly tookMs: number;
}

/** Members of the answer for a document that a pipeline dropped, braces not included: it has no version and no shard. */
export function droppedMembers(index: string, id: string | undefined): string {
  const named = id === undefined ? `"_id":"auto-generated","_version":-4` : `"_id":${quote(id)},"_version":-3`;
  return `"_index":${quote(index)},${named},"result":"noop",${NO_SHARDS}`;
}

/** Milliseconds of work after which others get a turn. */
const TURN_MS = 10;

interface GivenItems {
  readonly actions: readonly Action[];
  readonly groups: ReadonlyMap<string, Group>;
}

/** Sends items through their pipelines; undefined when there are none for any of them, which costs a look at each index. */
export async function ingestItems(
  request: ApiRequest,
  given: GivenItems,
  defaults: BulkDefaults,
  fail: Fail,
): Promise<IngestedItems | undefined> {
  const byName = new Map<string, PipelineNames | undefined>();
  const named = given.actions.some(({ meta }) => meta.pipeline !== undefined);
  const of = (name: string, own: string | undefined) => {
    const requested = own ?? defaults.pipeline;
    const key = `${name} ${requested ?? ""}`;
    if (!byName.has(key)) byName.set(key, pipelinesFor(request, name, requested));
    return byName.get(key);
  };
  // A document that makes itself (`doc_as_upsert`) goes through the pipelines of its index alone, as in Elasticsearch.
  const ownOf = (name: string) => pipelinesFor(request, name, undefined);
  const groups = [...given.groups.values()];
  if (!named && groups.every(({ name }) => of(name, undefined) === undefined)) return undefined;
  const began = performance.now();
  const made = new Made(fail, new BatchGrowth(request.node.maxContentBytes));
  let turn = began;
  for (const group of groups) {
    for (const [index, operation] of group.operations.entries()) {
      const at = group.positions[index];
      const names = asUpsert(operation) ? ownOf(group.name) : of(group.name, given.actions[at].meta.pipeline);
      made.take(request, { group, operation, at }, names);
      if (performance.now() - turn < TURN_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
  }
  return made.finish(Math.round(performance.now() - began));
}

function asUpsert(operation: WriteOperation): boolean {
  return operation.kind === "update" && operation.docAsUpsert;
}

interface Item {
  readonly group: Group;
  readonly operation: WriteOperation;
  readonly at: number;
}

class Made {
  readonly #groups = new Map<string, Group>();
  readonly #dropped = new Map<number, string>();
  readonly #executed = new Map<number, readonly string[]>();

  constructor(
    private readonly fail: Fail,
    private readonly growth: BatchGrowth,
  ) {}

  take(request: ApiRequest, { group, operation, at }: Item, names: PipelineNames | undefined): void {
    if (names === undefined) {
      this.#add(group.name, group.requires, operation, at);
      return;
    }
    try {
      const result = ingest(request, { name: group.name, operation }, names);
      if (result.kind === "kept") this.growth.add(operation, result.operation);
      this.#executed.set(at, result.executed);
      if (result.kind === "dropped") this.#dropped.set(at, group.name);
      // What the request says of a name is not said of one that a pipeline chose.
      else this.#add(result.name, result.name === group.name ? group.requires : "nothing", result.operation, at);
    } catch (error) {
      this.fail(group.name, at, error);
    }
  }

  #add(name: string, requires: Requires, operation: WriteOperation, at: number): void {
    const key = requires === "nothing" ? name : `${requires} ${name}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, requires, operations: [], positions: [] };
      this.#groups.set(key, group);
    }
    group.operations.push(operation);
    group.positions.push(at);
  }

  finish(tookMs: number): IngestedItems {
    const groups = [...this.#groups.values()].map(inOrder);
    return { groups, dropped: this.#dropped, executed: this.#executed, tookMs };
  }
}

/** Items that came from several names stand in the order of the request: the last one to write a document wins. */
function inOrder(group: Group): Group {
  const order = [...group.positions.keys()].sort((a, b) => group.positions[a] - group.positions[b]);
  return {
    ...group,
    operations: order.map((at) => group.operations[at]),
    positions: order.map((at) => group.positions[at]),
  };
}
