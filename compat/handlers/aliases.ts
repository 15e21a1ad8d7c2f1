/** Aliases: put, get, delete, and several changes at once. */
import type { EngineFace } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { inTurn } from "../cluster/in-turn.js";
import { checkNoWriteIndex, withoutIndex } from "../data-streams/remove.js";
import { ApiError, illegalArgument, validationFailed } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { aliasMembers, checkNotBacking } from "../indices/alias-members.js";
import { AliasChanges, type AliasEntry, aliasesOfIndex, aliasNames } from "../indices/aliases.js";
import { deletable, unblocked } from "../indices/blocks.js";
import { EVERY, indicesOf, type NameOptions, nameOptions, STRICT, wildcard } from "../indices/names.js";
import { ALIAS_SHAPE, aliasEntry } from "../indices/read-alias.js";
import { isObject, type Json } from "../json/value.js";

export const PUT_ALIAS_SHAPE = shape("alias", "object", { ...ALIAS_SHAPE.keys, index: "strings", alias: "string" });

/** Aliases of closed indices may change too. */
const CHANGED: NameOptions = { ...STRICT, closed: true };

/** What aliases are given to or taken from, if it may be changed. */
function changeable(engine: EngineFace, expression: string, options: NameOptions): string[] {
  const members = aliasMembers(engine, expression, options);
  const indices = members.map((name) => engine.index(name)).filter((index) => index !== undefined);
  unblocked(indices, "metadata_write");
  return members;
}

/** `PUT /index/_alias/name`; index and name may stand in the body too. */
export function putAlias(request: ApiRequest, body: BodyOf<typeof PUT_ALIAS_SHAPE>): Promise<Reply> {
  const { engine } = request.node;
  const { index, alias, ...options } = body;
  const name = alias ?? request.captured.name;
  const expression = index?.join(",") ?? request.captured.index;
  if (name === undefined) throw illegalArgument("[alias] can't be empty string");
  if (expression === undefined) throw illegalArgument("[indices] can't be empty");
  return inTurn(engine, async () => {
    const changes = new AliasChanges(engine);
    for (const member of changeable(engine, expression, { ...CHANGED, allowNoIndices: false })) {
      checkNotBacking(engine, member);
      changes.add(name, member, aliasEntry(options));
    }
    await changes.apply();
    return ACKNOWLEDGED;
  });
}

/** `DELETE /index/_alias/name*` */
export function deleteAlias(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const { index, name } = request.captured;
  return inTurn(engine, async () => {
    const changes = new AliasChanges(engine);
    const indices = changeable(engine, index, CHANGED);
    if (!removeFrom(changes, aliasNames(engine), { indices, patterns: name.split(",") })) throw aliasesMissing(name);
    await changes.apply();
    return ACKNOWLEDGED;
  });
}

function removeFrom(
  changes: AliasChanges,
  names: readonly string[],
  what: { indices: string[]; patterns: string[] },
): boolean {
  const matchers = what.patterns.map((pattern) => wildcard(pattern === "_all" ? "*" : pattern));
  let removed = false;
  for (const name of names.filter((one) => matchers.some((matches) => matches(one)))) {
    for (const index of what.indices) removed = changes.remove(name, index) || removed;
  }
  return removed;
}

function aliasesMissing(name: string): ApiError {
  return new ApiError(404, "aliases_not_found_exception", `aliases [${name}] missing`, {
    fields: { "resource.type": "aliases", "resource.id": name },
  });
}

export const ALIASES_SHAPE = shape("aliases", "object", { actions: "list" });

const TARGETS = {
  index: "strings",
  indices: "strings",
  alias: "strings",
  aliases: "strings",
  must_exist: "boolean",
} as const;
const ADD = shape("add", "object", { ...ALIAS_SHAPE.keys, ...TARGETS });
const REMOVE = shape("remove", "object", { ...TARGETS });
const REMOVE_INDEX = shape("remove_index", "object", { index: "strings", indices: "strings", must_exist: "boolean" });

/** `POST /_aliases`: all actions or none. */
export function updateAliases(request: ApiRequest, body: BodyOf<typeof ALIASES_SHAPE>): Promise<Reply> {
  const { actions = [] } = body;
  if (actions.length === 0) throw illegalArgument("No action specified");
  const { engine } = request.node;
  return inTurn(engine, async () => {
    const changes = new AliasChanges(engine);
    const doomed: string[] = [];
    // Indices that go make room for aliases of their names, wherever in the list that stands.
    const removals = actions.filter((action) => isObject(action) && action.remove_index !== undefined);
    const others = actions.filter((action) => !removals.includes(action));
    for (const action of [...removals, ...others]) readAction(request, action, { changes, doomed });
    for (const index of doomed) changes.removeIndex(index);
    await changes.apply();
    for (const index of doomed) await engine.deleteIndex(index, withoutIndex(engine, index));
    return json({ acknowledged: true, errors: false });
  });
}

interface Pending {
  readonly changes: AliasChanges;
  readonly doomed: string[];
}

function readAction(request: ApiRequest, given: Json, pending: Pending): void {
  const entries = isObject(given) ? Object.entries(given) : [];
  if (entries.length !== 1)
    throw illegalArgument("[alias_action] must hold exactly one of [add], [remove], [remove_index]");
  const [kind, body] = entries[0];
  if (kind === "add") add(request, readShape(body, ADD), pending);
  else if (kind === "remove") remove(request, readShape(body, REMOVE), pending);
  else if (kind === "remove_index") removeIndex(request, readShape(body, REMOVE_INDEX), pending);
  else throw new ApiError(400, "x_content_parse_exception", `[aliases] unknown action [${kind}]`, { key: kind });
}

function namesOf(given: { index?: string[]; indices?: string[]; alias?: string[]; aliases?: string[] }) {
  const indices = given.index ?? given.indices;
  const aliases = given.alias ?? given.aliases;
  if (aliases !== undefined && aliases.length === 0) throw illegalArgument("[aliases] can't be empty");
  if (indices === undefined) throw validationFailed("One of [index] or [indices] is required");
  return { indices, aliases };
}

function add(request: ApiRequest, body: BodyOf<typeof ADD>, { changes, doomed }: Pending): void {
  const { index, indices, alias, aliases, must_exist: _moot, ...options } = body;
  const names = namesOf({ index, indices, alias, aliases });
  if (names.aliases === undefined) throw validationFailed("One of [alias] or [aliases] is required");
  const { engine } = request.node;
  for (const member of changeable(engine, names.indices.join(","), { ...CHANGED, allowNoIndices: false })) {
    checkNotBacking(engine, member);
    for (const name of names.aliases) changes.add(name, member, aliasEntry(options), doomed);
  }
}

function remove(request: ApiRequest, body: BodyOf<typeof REMOVE>, { changes }: Pending): void {
  const names = namesOf(body);
  if (names.aliases === undefined) throw validationFailed("One of [alias] or [aliases] is required");
  const indices = changeable(request.node.engine, names.indices.join(","), CHANGED);
  const known = new Set([...aliasNames(request.node.engine), ...names.aliases]);
  const removed = removeFrom(changes, [...known], { indices, patterns: names.aliases });
  if (!removed && body.must_exist !== false) throw aliasesMissing(names.aliases.join(","));
}

function removeIndex(request: ApiRequest, body: BodyOf<typeof REMOVE_INDEX>, { doomed }: Pending): void {
  const names = namesOf(body).indices;
  const { engine } = request.node;
  for (const name of names) {
    const found = deletable(indicesOf(engine, name, { ...CHANGED, ignoreUnavailable: body.must_exist === false }));
    if (aliasNames(engine).includes(name)) {
      throw illegalArgument(
        `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
    for (const index of found) checkNoWriteIndex(engine, index.name);
    doomed.push(...found.map((index) => index.name));
  }
}

/** `GET` and `HEAD` of aliases, by index, by name, or both. */
export function getAlias(request: ApiRequest): Reply {
  const { engine } = request.node;
  const { index, name } = request.captured;
  const options = nameOptions(request.parameters, EVERY);
  const expression = index ?? "_all";
  const indices = indicesOf(engine, expression, options).map((one) => one.name);
  const members = new Set([...indices, ...aliasMembers(engine, expression, options)]);
  const { chosen, missing } = chooseAliases(aliasNames(engine), name);
  const answer: Record<string, { aliases: Record<string, AliasEntry> }> = {};
  for (const member of [...members].sort()) {
    const aliases = Object.entries(aliasesOfIndex(engine, member)).filter(([alias]) => chosen.has(alias));
    // Of data streams only those are shown that have some.
    const shown = aliases.length > 0 || (name === undefined && engine.index(member) !== undefined);
    if (shown) answer[member] = { aliases: Object.fromEntries(aliases) };
  }
  if (missing.length === 0) return json(answer);
  const error =
    missing.length === 1 ? `alias [${missing[0]}] missing` : `aliases [${[...missing].sort().join(",")}] missing`;
  return json({ error, status: 404, ...answer }, 404);
}

/** Names and patterns in order; `-name` takes away again once a pattern has come before. Undefined: all. */
function chooseAliases(
  known: readonly string[],
  expression: string | undefined,
): { chosen: Set<string>; missing: string[] } {
  const chosen = new Set<string>();
  const missing: string[] = [];
  let sawPattern = false;
  for (const part of (expression ?? "*").split(",")) {
    const isPattern = part === "_all" || part.includes("*");
    const excludes = part.startsWith("-") && (sawPattern || isPattern);
    const matches = wildcard(part === "_all" ? "*" : excludes ? part.slice(1) : part);
    const found = known.filter(matches);
    for (const alias of found) excludes ? chosen.delete(alias) : chosen.add(alias);
    if (found.length === 0 && !isPattern && !excludes) missing.push(part);
    sawPattern ||= isPattern;
  }
  return { chosen, missing };
}
