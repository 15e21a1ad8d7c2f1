/**
 * Which of an index's virtual shards a request is about. An index is one piece here; where its settings ask for several
 * shards, `routing` and `preference=_shards:` still answer with the documents that Elasticsearch would find on them.
 */
import { type Index, type Query, type SearchTarget, shardOfRouting } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { routingShardsOf, shardsOf } from "./settings.js";

/** What a request says about shards; absent parts mean all of them. */
export interface ShardChoice {
  /** Routing values. */
  readonly routing?: readonly string[];
  /** Numbers of shards. */
  readonly shards?: readonly number[];
}

/** A target that may be some of an index's shards only. */
export interface ShardTarget extends SearchTarget {
  /** How many shards are searched: all unless said. */
  readonly shards?: number;
}

/** What a preference may call the node. */
interface NamedNode {
  readonly id: string;
  readonly name: string;
}

/** Reads `routing` and `preference`. Throws ApiError 400 for a preference that means nothing. */
export function readShardChoice(parameters: Parameters, node: NamedNode): ShardChoice {
  const routing = parameters.list("routing");
  const shards = preferredShards(parameters.text("preference"), node);
  return { ...(routing === undefined ? {} : { routing }), ...(shards === undefined ? {} : { shards }) };
}

/** Preferences for copies, of which there is one. */
const COPIES: ReadonlySet<string> = new Set(["_local", "_only_local", "_primary", "_primary_first", "_replica_first"]);

/** `_shards:0,2`, also before `|` and a further preference; text that does not begin with `_` is a session's name. */
function preferredShards(preference: string | undefined, node: NamedNode): number[] | undefined {
  if (preference === undefined || !preference.startsWith("_")) return undefined;
  const [kind, ...rest] = preference.split(/[:|]/, 2);
  if (kind === "_shards" && rest.length > 0) {
    const [numbers, further] = preference.slice("_shards:".length).split("|", 2);
    preferredShards(further, node);
    return numbers.split(",").filter(Boolean).map(shardNumber);
  }
  if (COPIES.has(preference) || kind === "_prefer_nodes") return undefined;
  if (kind === "_only_nodes") return checkNodes(preference.slice("_only_nodes:".length), node);
  throw illegalArgument(`no Preference for [${preference}]`);
}

function shardNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError(400, "number_format_exception", `For input string: "${text}"`);
}

function checkNodes(criteria: string, { id, name }: NamedNode): undefined {
  const known: readonly string[] = ["_all", "_local", "_master", "*", id, name];
  if (criteria.split(",").some((one) => known.includes(one))) return undefined;
  throw illegalArgument(`no data nodes with criteria [${criteria}] found`);
}

/** The target narrowed to the shards that are chosen, if they are not all. `aliased`: routing of the aliases it came by. */
export function shardTarget(
  target: SearchTarget,
  index: Index,
  choice: ShardChoice,
  aliased: readonly string[] | undefined,
): ShardTarget {
  const shards = shardsOf(index.definition.settings);
  const spread = routingShardsOf(index.definition.settings);
  const wanted = wantedShards({ shards, spread }, effectiveRouting(choice.routing, aliased), choice.shards);
  if (wanted === undefined) return target;
  const own: Query = { kind: "virtual_shard", shards, spread, wanted, boost: 1 };
  const filter = [own, ...(target.filter === undefined ? [] : [target.filter])];
  return {
    index: target.index,
    filter: filter.length === 1 ? own : { kind: "bool", must: [], should: [], filter, mustNot: [], boost: 1 },
    shards: wanted.length,
  };
}

/** What the request and the aliases have in common; where that is nothing, Elasticsearch searches everything. */
function effectiveRouting(
  asked: readonly string[] | undefined,
  aliased: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked === undefined || aliased === undefined) return asked ?? aliased;
  const common = aliased.filter((value) => asked.includes(value));
  return common.length === 0 ? undefined : common;
}

function wantedShards(
  { shards, spread }: { shards: number; spread: number },
  routing: readonly string[] | undefined,
  preferred: readonly number[] | undefined,
): number[] | undefined {
  const all = Array.from({ length: shards }, (_, at) => at);
  const routed =
    routing === undefined ? all : [...new Set(routing.map((value) => shardOfRouting(value, shards, spread)))];
  const wanted = preferred === undefined ? routed : routed.filter((shard) => preferred.includes(shard));
  return wanted.length === shards ? undefined : wanted.sort((a, b) => a - b);
}

/** Whether a document is where a request looks for it: on the shard of the routing value given, else of its id. */
export function isOnShard(
  index: Index,
  document: { readonly id: string; readonly routing?: string },
  routing: string | undefined,
): boolean {
  const shards = shardsOf(index.definition.settings);
  if (shards <= 1) return true;
  const spread = routingShardsOf(index.definition.settings);
  const shardOf = (value: string | undefined) => shardOfRouting(value ?? document.id, shards, spread);
  return shardOf(document.routing) === shardOf(routing);
}
