/**
 * `_bulk`: a body of action and source lines becomes one batch of operations per index; the answer lists what became of
 * each, in the order of the request. Sources are handed on as slices of the body.
 */
import type { EngineFace, Index, WriteOperation, WriteOutcome } from "../../engine/index.js";
import { readClusterSetting } from "../cluster/settings.js";
import {
  type ApiError,
  illegalArgument,
  indexNotFound,
  itemError,
  toApiError,
  validationFailed,
  withIndex,
} from "../errors.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { aliasOf } from "../indices/aliases.js";
import { AUTO_CREATE_SETTING, autoCreateIndex } from "../indices/create.js";
import { onIndex } from "../indices/gone.js";
import { documentRouting, writeTarget } from "../indices/names.js";
import type { Json } from "../json/value.js";
import { quote } from "../search/render.js";
import { type Action, actionParser } from "./action.js";
import { type BulkDefaults, bulkDefaults, operationOf, updateAnswer } from "./operation.js";
import { refreshAfterWrite } from "./refresh.js";
import { writeRouted } from "./routed-write.js";
import { shardsText, writeMembers, writeStatus } from "./write-response.js";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Operations that go to one name, and where their answers belong. */
interface Group {
  readonly name: string;
  readonly requireAlias: boolean;
  readonly operations: WriteOperation[];
  readonly positions: number[];
}

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

/** Answers a bulk request. Throws ApiError 400 where Elasticsearch refuses the whole of it. */
export async function bulk(request: ApiRequest, body: Buffer): Promise<Reply> {
  const started = performance.now();
  const defaults = bulkDefaults(request);
  const parsed = parse(body, defaults);
  if (parsed.actions.length === 0) throw validationFailed("no requests added");
  const items = new Array<Item>(parsed.actions.length);
  const written = new Set<Index>();
  const run = (group: Group) => write(request, group, { items, written });
  await Promise.all([...parsed.groups.values()].map(run));
  for (const [at, error] of parsed.failures)
    items[at] = {
      index: parsed.actions[at].meta._index ?? defaults.index ?? "",
      outcome: undefined,
      error,
      shards: "",
    };
  await refreshAfterWrite(request.node.engine, written, defaults.refresh);
  return rendered(render({ request, items, parsed, defaults, took: Math.round(performance.now() - started) }));
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
    const requireAlias = action.meta.require_alias ?? defaults.requireAlias;
    if (lastGroup?.name !== name || lastGroup.requireAlias !== requireAlias) {
      lastGroup = groupOf(parsed.groups, name, requireAlias);
    }
    add(parsed, lastGroup, { action, source, defaults });
  }
  return parsed;
}

function trimmed(body: Buffer, start: number, end: number): number {
  return end > start && body[end - 1] === RETURN ? end - 1 : end;
}

function groupOf(groups: Map<string, Group>, name: string, requireAlias: boolean): Group {
  const key = requireAlias ? `alias ${name}` : name;
  let group = groups.get(key);
  if (group === undefined) {
    group = { name, requireAlias, operations: [], positions: [] };
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

interface Target {
  readonly items: Item[];
  readonly written: Set<Index>;
}

/** Writes one group; an index that cannot be had fails its items, not the request. */
async function write(request: ApiRequest, group: Group, to: Target): Promise<void> {
  if (group.operations.length === 0) return;
  try {
    const index = await indexFor(request, group.name, group.requireAlias);
    const { operations, positions } =
      index.name === group.name ? group : routed(request.node.engine, group, { index, to });
    const outcomes = await onIndex(request.node.engine, index, (one) => writeRouted(one, operations));
    to.written.add(index);
    const shards = shardsText(index);
    for (const [at, outcome] of outcomes.entries()) {
      const error = outcome.ok ? undefined : withIndex(outcome.error, index);
      to.items[positions[at]] = { index: index.name, outcome, error, shards };
    }
  } catch (thrown) {
    const error = toApiError(thrown);
    for (const at of group.positions) to.items[at] = { index: group.name, outcome: undefined, error, shards: "" };
  }
}

/** The operations with the routing value of the alias they go by; those that contradict it fail. */
function routed(engine: EngineFace, group: Group, { index, to }: { index: Index; to: Target }) {
  const operations: WriteOperation[] = [];
  const positions: number[] = [];
  for (const [at, operation] of group.operations.entries()) {
    try {
      const routing = documentRouting(engine, group.name, index, operation.routing);
      operations.push(routing === undefined ? operation : { ...operation, routing });
      positions.push(group.positions[at]);
    } catch (error) {
      to.items[group.positions[at]] = { index: index.name, outcome: undefined, error: toApiError(error), shards: "" };
    }
  }
  return { operations, positions };
}

/** The index that writes to a name go to, made when it is not there. */
export async function indexFor(request: ApiRequest, name: string, requireAlias: boolean): Promise<Index> {
  const { engine } = request.node;
  if (requireAlias && aliasOf(engine, name) === undefined) {
    throw indexNotFound(
      name,
      `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    );
  }
  const index = writeTarget(engine, name);
  return index ?? autoCreateIndex(engine, name, readClusterSetting(engine, AUTO_CREATE_SETTING));
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
}

function render({ request, items, parsed, defaults, took }: Rendering): string {
  const refreshed = defaults.refresh === "true";
  let text = "";
  let errors = false;
  for (let at = 0; at < items.length; at++) {
    const { index, outcome, error, shards } = items[at];
    const { meta } = parsed.actions[at];
    const kind = answeredKind(parsed.actions[at]);
    if (at > 0) text += ",";
    if (outcome?.ok === true) {
      text += `{"${kind}":{${writeMembers(outcome, index, shards, refreshed)}${updateAnswer(outcome, meta._source ?? parsed.sources.get(at), defaults)},"status":${writeStatus(outcome)}}}`;
      continue;
    }
    errors = true;
    const id = outcome?.id ?? meta._id;
    const found = error ?? toApiError(new Error("an item without outcome"));
    text += `{"${kind}":{"_index":${quote(index)},"_id":${id === undefined ? "null" : quote(id)},"status":${found.status},"error":${JSON.stringify(itemError(found, request.identity))}}}`;
  }
  return `{"took":${took},"errors":${errors},"items":[${text}]}`;
}
