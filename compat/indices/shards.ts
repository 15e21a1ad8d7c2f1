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
  /** One of several disjoint parts of what is left. */
  readonly slice?: Slice;
}

/** Part `id`, from 0, of `max` parts. */
export interface Slice {
  readonly id: number;
  readonly max: number;
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
  const chosen = chosenShards(index, choice, aliased);
  const parts = [shardFilter(index, chosen.shards), sliceFilter(chosen)].filter((part) => part !== undefined);
  if (parts.length === 0) return target;
  const filter = [...parts, ...(target.filter === undefined ? [] : [target.filter])];
  return {
    index: target.index,
    filter: filter.length === 1 ? filter[0] : { kind: "bool", must: [], should: [], filter, mustNot: [], boost: 1 },
    shards: chosen.shards.length,
  };
}

/** Shards that are searched, and the part of each where there are fewer shards than slices. */
export interface ChosenShards {
  readonly shards: readonly number[];
  readonly part: Slice | undefined;
}

/**
 * The shards of an index that a request is about. A slice is every `max`-th of them; where there are more slices than
 * shards, each document is in the slice that its routing value falls into (Elasticsearch cuts single shards by `_id`
 * then: other parts, disjoint and complete as well).
 */
export function chosenShards(index: Index, choice: ShardChoice, aliased: readonly string[] | undefined): ChosenShards {
  const form = shardForm(index);
  const shards = wantedShards(form, effectiveRouting(choice.routing, aliased), choice.shards);
  const { slice } = choice;
  if (slice === undefined) return { shards, part: undefined };
  if (slice.max > shards.length) return { shards, part: slice };
  return { shards: shards.filter((_, at) => at % slice.max === slice.id), part: undefined };
}

function shardFilter(index: Index, wanted: readonly number[]): Query | undefined {
  const { shards, spread } = shardForm(index);
  return wanted.length === shards
    ? undefined
    : { kind: "virtual_shard", shards, spread, wanted: [...wanted], boost: 1 };
}

function sliceFilter({ part }: ChosenShards): Query | undefined {
  if (part === undefined) return undefined;
  return { kind: "virtual_shard", shards: part.max, wanted: [part.id], boost: 1 };
}

/** How an index's documents are told apart by shards. */
interface ShardForm {
  readonly shards: number;
  /** Over how many parts routing values are spread before they are cut into shards. */
  readonly spread: number;
}

function shardForm({ definition: { settings } }: Index): ShardForm {
  return { shards: shardsOf(settings), spread: routingShardsOf(settings) };
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
  { shards, spread }: ShardForm,
  routing: readonly string[] | undefined,
  preferred: readonly number[] | undefined,
): number[] {
  const all = Array.from({ length: shards }, (_, at) => at);
  const shardOf = (value: string) => shardOfRouting(value, shards, spread);
  const routed = routing === undefined ? all : [...new Set(routing.map(shardOf))];
  const wanted = preferred === undefined ? routed : routed.filter((shard) => preferred.includes(shard));
  return wanted.sort((a, b) => a - b);
}

/** Whether a document is where a request looks for it: on the shard of the routing value given, else of its id. */
export function isOnShard(
  index: Index,
  document: { readonly id: string; readonly routing?: string },
  routing: string | undefined,
): boolean {
  const { shards, spread } = shardForm(index);
  if (shards <= 1) return true;
  const shardOf = (value: string) => shardOfRouting(value, shards, spread);
  return shardOf(document.routing ?? document.id) === shardOf(routing ?? document.id);
}
