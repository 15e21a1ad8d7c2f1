/** The action lines of a bulk body. Identical lines, the most common case, are parsed once per request. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { type ApiError, illegalArgument, notSupported } from "../errors.js";
import { parseBody } from "../json/body.js";
import { isObject, type Json, tokenName } from "../json/value.js";
import { readSequence, readVersionType } from "./conditions.js";

export type ActionKind = "index" | "create" | "update" | "delete";

const KINDS: ReadonlySet<string> = new Set<ActionKind>(["index", "create", "update", "delete"]);

export const ACTION_SHAPE = shape(
  "action",
  "object",
  {
    _index: "string",
    _id: "string",
    routing: "string",
    if_seq_no: "integer",
    if_primary_term: "integer",
    version: "integer",
    version_type: "string",
    retry_on_conflict: "integer",
    require_alias: "boolean",
    _source: "any",
    op_type: "string",
    // Accepted with the one value that means nothing.
    _type: "string",
    pipeline: "string",
    require_data_stream: "boolean",
    list_executed_pipelines: "boolean",
  },
  ["dynamic_templates"],
);

export type ActionMeta = BodyOf<typeof ACTION_SHAPE>;

export interface Action {
  readonly kind: ActionKind;
  readonly meta: ActionMeta;
}

/** Longer lines are parsed each time: they carry ids. */
const CACHED_LINE_BYTES = 96;

/** A parser that remembers the last line it saw. `line` counts from 1. Throws ApiError 400, which fails the request. */
export function actionParser(): (bytes: Buffer, line: number) => Action {
  let lastBytes: Buffer | undefined;
  let lastAction: Action | undefined;
  let pattern: LinePattern | undefined;
  return (bytes, line) => {
    if (lastAction !== undefined && lastBytes !== undefined && bytes.equals(lastBytes)) return lastAction;
    const alike = pattern && parseAlike(bytes, pattern);
    if (alike !== undefined) return alike;
    const quick = quickParse(bytes);
    pattern = (quick && patternOf(bytes, quick)) ?? pattern;
    const action = quick ?? parseAction(bytes, line);
    if (bytes.length <= CACHED_LINE_BYTES && action.meta._id === undefined) {
      lastBytes = bytes;
      lastAction = action;
    }
    return action;
  };
}

/**
 * The forms clients send by the million: `{"index":{"_index":"i","_id":"1"}}` with plain text, in any order. A pattern is
 * a third of the price of our parser, and what it matches cannot mean anything else.
 */
const MEMBER = String.raw`"(_index|_id|routing)" ?: ?"([ !#-\[\]-~]*)"`;
const COMMON_FORM = new RegExp(
  String.raw`^\{ ?"(index|create|update|delete)" ?: ?\{ ?(?:${MEMBER}(?: ?, ?${MEMBER})?(?: ?, ?${MEMBER})? ?)?\} ?\}$`,
);
const COMMON_FORM_BYTES = 1_024;

function quickParse(bytes: Buffer): Action | undefined {
  if (bytes.length > COMMON_FORM_BYTES) return undefined;
  const match = COMMON_FORM.exec(bytes.toString("latin1"));
  if (match === null) return undefined;
  const meta: ActionMeta = {};
  for (let at = 2; at < match.length && match[at] !== undefined; at += 2) {
    const name = match[at] as "_index" | "_id" | "routing";
    if (meta[name] !== undefined) return undefined;
    meta[name] = match[at + 1];
  }
  return { kind: match[1] as ActionKind, meta };
}

/** A line that says index and id and ends with the latter: the next lines will differ from it in the id alone. */
interface LinePattern {
  readonly action: Action;
  /** The line up to its id. */
  readonly head: Buffer;
}

const TAIL = Buffer.from('"}}');
const ID_BEFORE = /"_id" ?: ?"$/;

function patternOf(bytes: Buffer, action: Action): LinePattern | undefined {
  const { _index, _id, routing } = action.meta;
  if (_index === undefined || _id === undefined || routing !== undefined) return undefined;
  // Plain text: as many bytes as characters.
  const head = bytes.length - TAIL.length - _id.length;
  const endsWithId = ID_BEFORE.test(bytes.toString("latin1", 0, head)) && bytes.subarray(-TAIL.length).equals(TAIL);
  return endsWithId ? { action, head: bytes.subarray(0, head) } : undefined;
}

/** The action of a line that follows the pattern, which costs a third of the regular expression; undefined: it does not. */
function parseAlike(bytes: Buffer, { action, head }: LinePattern): Action | undefined {
  const end = bytes.length - TAIL.length;
  if (end < head.length || end > COMMON_FORM_BYTES) return undefined;
  for (let i = 0; i < head.length; i++) if (bytes[i] !== head[i]) return undefined;
  for (let i = 0; i < TAIL.length; i++) if (bytes[end + i] !== TAIL[i]) return undefined;
  for (let i = head.length; i < end; i++) {
    const byte = bytes[i];
    if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) return undefined;
  }
  return { kind: action.kind, meta: { _index: action.meta._index, _id: bytes.toString("latin1", head.length, end) } };
}

function parseAction(bytes: Buffer, line: number): Action {
  const parsed = parseBody(bytes);
  if (!isObject(parsed)) throw malformed(line, "START_OBJECT", parsed);
  const [entry, second] = Object.entries(parsed);
  if (entry === undefined)
    throw illegalArgument(`Malformed action/metadata line [${line}], expected FIELD_NAME but found [END_OBJECT]`);
  if (second !== undefined)
    throw illegalArgument(`Malformed action/metadata line [${line}], expected END_OBJECT but found [FIELD_NAME]`);
  const [kind, meta] = entry;
  if (!KINDS.has(kind)) {
    throw illegalArgument(
      `Malformed action/metadata line [${line}], expected field [create], [delete], [index] or [update] but found [${kind}]`,
    );
  }
  if (!isObject(meta)) throw malformed(line, "START_OBJECT", meta);
  const read = readMeta(meta, line);
  checkVersionType(kind, read);
  checkOpType(read);
  readSequence(read);
  return { kind: kind as ActionKind, meta: read };
}

function readMeta(given: Json, line: number): ActionMeta {
  for (const [key, value] of Object.entries(given as Record<string, Json>)) {
    if (Object.hasOwn(ACTION_SHAPE.keys, key)) {
      if (key !== "_source") checkSimple(key, value, line);
      continue;
    }
    if (ACTION_SHAPE.refused.includes(key)) throw notSupported(`[${key}] in action/metadata line [${line}]`);
    if (value === null) continue;
    throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`);
  }
  const meta: ActionMeta = readShape(withoutUnknownNulls(given as Record<string, Json>), ACTION_SHAPE);
  if (meta._type !== undefined && meta._type !== "_doc")
    throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [_type]`);
  return meta;
}

function checkSimple(key: string, value: Json, line: number): void {
  if (value === null || typeof value !== "object") return;
  throw illegalArgument(
    `Malformed action/metadata line [${line}], expected a simple value for field [${key}] but found [${tokenName(value)}]`,
  );
}

function checkVersionType(kind: string, { version, version_type }: ActionMeta): void {
  const type = readVersionType(version_type);
  if (kind === "update" && (version !== undefined || type !== "internal"))
    throw illegalArgument(
      "Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead",
    );
}

/** Elasticsearch takes any other word for `index`. */
function checkOpType({ op_type }: ActionMeta): void {
  if (op_type === undefined || op_type === "index" || op_type === "create") return;
  throw illegalArgument(`opType must be 'create' or 'index', found: [${op_type}]`);
}

function withoutUnknownNulls(given: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(ACTION_SHAPE.keys, key)));
}

function malformed(line: number, wanted: string, found: Json): ApiError {
  return illegalArgument(
    `Malformed action/metadata line [${line}], expected ${wanted} but found [${tokenName(found)}]`,
  );
}
