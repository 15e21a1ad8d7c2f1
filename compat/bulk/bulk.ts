/**
 * `_bulk`: a body of action and source lines becomes one batch of operations per index; the answer lists what became of
 * each, in the order of the request. Sources are handed on as slices of the body.
 */
import { type EngineFace, type Index, timed, type WriteOperation, type WriteOutcome } from "../../engine/index.js";
import { streamBehind, writeCheck } from "../data-streams/write-checks.js";
import {
  ApiError,
  documentIndexNotFound,
  illegalArgument,
  itemError,
  toApiError,
  validationFailed,
  withIndex,
} from "../errors.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { type Identity, placeText } from "../identities.js";
import { aliasOf } from "../indices/aliases.js";
import { autoCreate, makesDataStream } from "../indices/auto-create.js";
import { onIndex } from "../indices/gone.js";
import { documentRouting, writeTarget } from "../indices/names.js";
import type { Json } from "../json/value.js";
import { quote } from "../search/render.js";
import { type Action, actionParser } from "./action.js";
import { checkActiveShards } from "./active-shards.js";
import type { Fail, Group, Requires } from "./group.js";
import { droppedMembers, type IngestedItems, ingestItems } from "./ingest-items.js";
import { type BulkDefaults, bulkDefaults, operationOf, updateAnswer } from "./operation.js";
import { refreshAfterWrite } from "./refresh.js";
import { writeRouted } from "./routed-write.js";
import { shardsText, writeMembers, writeStatus } from "./write-response.js";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

interface Parsed {
  readonly actions: Action[];
  readonly groups: Map<string, Group>;
  /** `_source` of updates that say it in their body, by item. */
  readonly sources: Map<number, Json>;
  /** Items that failed before they had an operation. */
  readonly failures: Map<number, ApiError>;
}

interface Item {
  readonly index: string;
  readonly outcome: WriteOutcome | undefined;
  readonly error: ApiError | undefined;
  readonly shards: string;
}

/** Operations that go to one index, in the order of the request, and where their answers belong. */
interface Target {
  readonly index: Index;
  readonly operations: WriteOperation[];
  readonly positions: number[];
}

/** Answers a bulk request. Throws ApiError 400 where Elasticsearch refuses the whole of it. */
export async function bulk(request: ApiRequest, body: Buffer): Promise<Reply> {
  const leave = request.node.engine.resources.indexing.enter("coordinating", body.length);
  try {
    return await runBulk(request, body);
  } finally {
    leave();
  }
}

async function runBulk(request: ApiRequest, body: Buffer): Promise<Reply> {
  const started = performance.now();
  const defaults = bulkDefaults(request);
  const parsed = timed("reading a bulk request", () => parse(body, defaults));
  const names = [...new Set([...parsed.groups.values()].map(({ name }) => name))];
  request.task.describe(() => `requests[${parsed.actions.length}], indices[${names.join(", ")}]`);
  if (parsed.actions.length === 0) throw validationFailed("no requests added");
  const items = new Array<Item>(parsed.actions.length);
  const fail = (name: string, at: number, thrown: unknown) => {
    items[at] = { index: name, outcome: undefined, error: toApiError(thrown), shards: "" };
  };
  for (const [at, error] of parsed.failures) fail(parsed.actions[at].meta._index ?? defaults.index ?? "", at, error);
  const ingested = await ingestItems(request, parsed, defaults, fail);
  const targets = await targetsOf(request, ingested?.groups ?? [...parsed.groups.values()], fail);
  const written = (await Promise.all(targets.map((target) => write(request, target, items)))).flat();
  await refreshAfterWrite(request.node.engine, written, defaults.refresh);
  const took = Math.round(performance.now() - started);
  return rendered(
    timed("answering a bulk request", () => render({ request, items, parsed, defaults, took, ingested })),
  );
}

function parse(body: Buffer, defaults: BulkDefaults): Parsed {
  const parsed: Parsed = { actions: [], groups: new Map(), sources: new Map(), failures: new Map() };
  if (body.length > 0 && body[body.length - 1] !== NEWLINE) {
    throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
  }
  const parseAction = actionParser();
  let lastGroup: Group | undefined;
  let line = 0;
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(NEWLINE, start);
    const actionLine = body.subarray(start, trimmed(body, start, end));
    start = end + 1;
    line++;
    if (actionLine.length === 0) continue;
    const action = parseAction(actionLine, line);
    let source: Buffer | undefined;
    if (action.kind !== "delete") {
      const sourceEnd = body.indexOf(NEWLINE, start);
      if (sourceEnd === -1)
        throw illegalArgument(`Malformed action/metadata line [${line}], a source line must follow it`);
      source = body.subarray(start, trimmed(body, start, sourceEnd));
      start = sourceEnd + 1;
      line++;
    }
    const name = action.meta._index ?? defaults.index;
    if (name === undefined) throw validationFailed("index is missing");
    const requires = requiredOf(action, defaults);
    if (lastGroup?.name !== name || lastGroup.requires !== requires) {
      lastGroup = groupOf(parsed.groups, name, requires);
    }
    add(parsed, lastGroup, { action, source, defaults });
  }
  return parsed;
}

function trimmed(body: Buffer, start: number, end: number): number {
  return end > start && body[end - 1] === RETURN ? end - 1 : end;
}

/** What the URL says of the name is not said of deletes. */
function requiredOf({ kind, meta }: Action, defaults: BulkDefaults): Requires {
  const byUrl = kind !== "delete";
  if (meta.require_alias ?? (byUrl && defaults.requireAlias)) return "alias";
  return (meta.require_data_stream ?? (byUrl && defaults.requireDataStream)) ? "data stream" : "nothing";
}

function groupOf(groups: Map<string, Group>, name: string, requires: Requires): Group {
  const key = requires === "nothing" ? name : `${requires} ${name}`;
  let group = groups.get(key);
  if (group === undefined) {
    group = { name, requires, operations: [], positions: [] };
    groups.set(key, group);
  }
  return group;
}

function add(
  parsed: Parsed,
  group: Group,
  given: { action: Action; source: Buffer | undefined; defaults: BulkDefaults },
): void {
  const at = parsed.actions.length;
  parsed.actions.push(given.action);
  try {
    const { operation, shown } = operationOf(given.action, given.source, given.defaults);
    if (shown !== undefined) parsed.sources.set(at, shown);
    group.operations.push(operation);
    group.positions.push(at);
  } catch (error) {
    const found = toApiError(error);
    // A line that cannot be read fails the request, as in Elasticsearch; one that asks for too much fails alone.
    if (found.type !== "illegal_argument_exception") throw found;
    parsed.failures.set(at, found);
  }
}

/**
 * The indices that the groups go to. Groups that meet in one index, by its name and its aliases, are joined in the order
 * of the request: the last one to write a document wins. An index that cannot be had fails its items, not the request.
 */
async function targetsOf(request: ApiRequest, groups: readonly Group[], fail: Fail): Promise<Target[]> {
  const found = await Promise.all(groups.map((group) => indexOrFail(request, group, fail)));
  const targets = new Map<string, Target>();
  for (const [at, index] of found.entries()) {
    if (index === undefined) continue;
    const target = routed(request.node.engine, allowed(request.node.engine, groups[at], fail), index, fail);
    const other = targets.get(index.name);
    targets.set(index.name, other === undefined ? target : joined(other, target));
  }
  return [...targets.values()].filter(({ operations }) => operations.length > 0);
}

function joined(one: Target, other: Target): Target {
  const operations = [...one.operations, ...other.operations];
  const positions = [...one.positions, ...other.positions];
  const order = [...positions.keys()].sort((a, b) => positions[a] - positions[b]);
  return {
    index: one.index,
    operations: order.map((at) => operations[at]),
    positions: order.map((at) => positions[at]),
  };
}

async function indexOrFail(request: ApiRequest, group: Group, fail: Fail): Promise<Index | undefined> {
  if (group.operations.length === 0) return undefined;
  try {
    const index = await indexFor(request, group);
    checkActiveShards(request.parameters, index);
    return index;
  } catch (error) {
    for (const at of group.positions) fail(group.name, at, error);
    return undefined;
  }
}

/** The operations without those that a data stream does not take, which fail. */
function allowed(engine: EngineFace, group: Group, fail: Fail): Group {
  const check = writeCheck(engine, group.name);
  if (check === undefined) return group;
  const rest: Group = { ...group, operations: [], positions: [] };
  for (const [at, operation] of group.operations.entries()) {
    try {
      check(operation);
      rest.operations.push(operation);
      rest.positions.push(group.positions[at]);
    } catch (error) {
      fail(group.name, group.positions[at], error);
    }
  }
  return rest;
}

/** The operations with the routing value of the alias they go by; those that contradict it fail. */
function routed(engine: EngineFace, group: Group, index: Index, fail: Fail): Target {
  if (index.name === group.name) return { index, operations: group.operations, positions: group.positions };
  const target: Target = { index, operations: [], positions: [] };
  for (const [at, operation] of group.operations.entries()) {
    try {
      const routing = documentRouting(engine, group.name, index, operation.routing);
      target.operations.push(routing === undefined ? operation : { ...operation, routing });
      target.positions.push(group.positions[at]);
    } catch (error) {
      fail(index.name, group.positions[at], error);
    }
  }
  return target;
}

/** Gives the index if it was written to: what fails as a whole, such as a deleted index, needs no refresh. */
async function write(request: ApiRequest, target: Target, items: Item[]): Promise<Index[]> {
  const { index, operations, positions } = target;
  const shards = shardsText(index);
  try {
    const outcomes = await onIndex(request.node.engine, index, (one) => writeRouted(one, operations));
    for (const [at, outcome] of outcomes.entries()) {
      const error = outcome.ok ? undefined : withIndex(outcome.error, index);
      items[positions[at]] = { index: index.name, outcome, error, shards };
    }
    return [index];
  } catch (thrown) {
    const error = toApiError(thrown);
    for (const at of positions) items[at] = { index: index.name, outcome: undefined, error, shards: "" };
    return [];
  }
}

/** What writes to one name ask of its index. */
export interface WriteTarget {
  readonly name: string;
  readonly requires: Requires;
  readonly operations: readonly WriteOperation[];
}

/**
 * The index that writes to a name go to, made when it is not there; deletes make none, but for those with an external
 * version, which must be remembered. Throws ApiError 404.
 */
export async function indexFor(request: ApiRequest, { name, requires, operations }: WriteTarget): Promise<Index> {
  const { engine } = request.node;
  if (requires === "alias" && aliasOf(engine, name) === undefined) throw noAlias(name);
  let index = writeTarget(engine, name);
  if (index === undefined) {
    if (operations.every(({ kind, version }) => kind === "delete" && version === undefined)) {
      throw documentIndexNotFound(name);
    }
    if (requires === "data stream" && !makesDataStream(request, name)) throw noDataStream(name);
    index = await autoCreate(request, name);
  }
  if (requires === "data stream" && streamBehind(engine, name) === undefined) throw noDataStream(name);
  return index;
}

function noAlias(name: string): ApiError {
  const reason = `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`;
  return new ApiError(404, "index_not_found_exception", reason, { fields: { index_uuid: "_na_", index: name } });
}

function noDataStream(name: string): ApiError {
  const reason = `[require_data_stream] request flag is [true] and [${name}] is not a data stream`;
  return new ApiError(404, "resource_not_found_exception", reason);
}

/** An index action that says `op_type: create` is answered as what it is. */
function answeredKind({ kind, meta }: Action): Action["kind"] {
  return kind === "index" && meta.op_type === "create" ? "create" : kind;
}

interface Rendering {
  readonly request: ApiRequest;
  readonly items: readonly Item[];
  readonly parsed: Parsed;
  readonly defaults: BulkDefaults;
  readonly took: number;
  /** Undefined: no item went through a pipeline. */
  readonly ingested: IngestedItems | undefined;
}

function render({ request, items, parsed, defaults, took, ingested }: Rendering): string {
  const refreshed = defaults.refresh === "true";
  const placeOf = placesOf(request.identity);
  let text = "";
  let errors = false;
  for (let at = 0; at < parsed.actions.length; at++) {
    const { meta } = parsed.actions[at];
    const kind = answeredKind(parsed.actions[at]);
    if (at > 0) text += ",";
    const dropped = ingested?.dropped.get(at);
    if (dropped !== undefined) {
      text += `{"${kind}":{${droppedMembers(dropped, meta._id)},"status":200}}`;
      continue;
    }
    const { index, outcome, error, shards } = items[at];
    const pipelines = defaults.listPipelines ? executedMember(ingested?.executed.get(at) ?? []) : "";
    if (outcome?.ok === true) {
      text += `{"${kind}":{${writeMembers(outcome, placeOf(index), shards, refreshed)}${updateAnswer(outcome, meta._source ?? parsed.sources.get(at), defaults)}${pipelines},"status":${writeStatus(outcome)}}}`;
      continue;
    }
    errors = true;
    const id = outcome?.id ?? meta._id;
    const found = error ?? toApiError(new Error("an item without outcome"));
    text += `{"${kind}":{${placeOf(index)},"_id":${id === undefined ? "null" : quote(id)},"status":${found.status},"error":${JSON.stringify(itemError(found, request.identity))}}}`;
  }
  const ingestTook = ingested === undefined ? "" : `,"ingest_took":${ingested.tookMs}`;
  return `{"took":${took}${ingestTook},"errors":${errors},"items":[${text}]}`;
}

function executedMember(pipelines: readonly string[]): string {
  return `,"executed_pipelines":${JSON.stringify(pipelines)}`;
}

/** The members that say where an item is, made once for items in a row that are of one index. */
function placesOf(identity: Identity): (index: string) => string {
  let last: string | undefined;
  let text = "";
  return (index) => {
    if (index !== last) text = placeText(index, identity);
    last = index;
    return text;
  };
}
