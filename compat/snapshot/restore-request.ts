/** `_restore`: what is to come back, under which names, with which settings and aliases. */
import type { EngineFace, RestoreSnapshot, SnapshotDetails, SnapshotIndex } from "../../engine/index.js";
import { ApiError, illegalArgument, notSupported } from "../errors.js";
import type { Identity } from "../identities.js";
import { AliasChanges, aliasOf } from "../indices/aliases.js";
import { engineSettings, mergeSettings } from "../indices/definition.js";
import { checkIndexName, wildcard } from "../indices/names.js";
import { readSettings, shardsOf } from "../indices/settings.js";
import type { JsonObject } from "../json/value.js";
import { checkFeatures, checkKeys, readExpansion, readFlag, readNames, readObject, readText } from "./body.js";
import { chooseIndices } from "./choose-indices.js";
import {
  addStreamAliases,
  type IndexAttachment,
  type RestoredIndex,
  type RestoredStream,
  restoredStreams,
  streamRecords,
  takenStream,
  withStreamIndices,
} from "./data-streams.js";
import { restoredState } from "./global-state.js";
import { renameAll } from "./rename.js";

const KEYS = [
  "expand_wildcards",
  "feature_states",
  "ignore_index_settings",
  "ignore_unavailable",
  "include_aliases",
  "include_global_state",
  "index_settings",
  "indices",
  "partial",
  "rename_alias_pattern",
  "rename_alias_replacement",
  "rename_pattern",
  "rename_replacement",
];
const REFUSED = ["source_remote_store_repository", "source_remote_translog_repository", "storage_type"];

/** A request as it was read. */
export interface RestoreBody {
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
  readonly partial: boolean;
  readonly globalState: boolean;
  readonly aliases: boolean;
  readonly rename: Rename;
  readonly renameAlias: Rename;
  /** Without `index.`; null takes a setting away. */
  readonly settings: Readonly<Record<string, string | null>>;
  readonly ignoredSettings: readonly string[];
}

interface Rename {
  readonly pattern: string | undefined;
  readonly replacement: string | undefined;
}

/** Throws ApiError 400. */
export function readRestoreBody(body: JsonObject): RestoreBody {
  checkKeys(body, KEYS, REFUSED);
  checkFeatures(body.feature_states);
  readExpansion(body.expand_wildcards);
  const settings = readSettings(readObject(body.index_settings, "malformed index_settings section"));
  if (settings.analysis !== undefined) throw notSupported("[index.analysis] in [index_settings]");
  return {
    indices: readNames(body.indices, "indices") ?? [],
    ignoreUnavailable: readFlag(body.ignore_unavailable, "ignore_unavailable", false),
    partial: readFlag(body.partial, "partial", false),
    globalState: readFlag(body.include_global_state, "include_global_state", false),
    aliases: readFlag(body.include_aliases, "include_aliases", true),
    rename: renameOf(body, "rename_pattern", "rename_replacement"),
    renameAlias: renameOf(body, "rename_alias_pattern", "rename_alias_replacement"),
    settings: settings.values,
    ignoredSettings: (readNames(body.ignore_index_settings, "ignore_index_settings") ?? []).map(withoutPrefix),
  };
}

function renameOf(body: JsonObject, pattern: string, replacement: string): Rename {
  return { pattern: readText(body[pattern], pattern), replacement: readText(body[replacement], replacement) };
}

/** The engine's request, and names and shards for the answer. */
export interface RestorePlan {
  readonly request: RestoreSnapshot;
  readonly restored: readonly { readonly index: SnapshotIndex; readonly target: string }[];
}

/** Throws ApiError: names that are taken or no names, settings that may not change. */
export function planRestore(
  engine: EngineFace,
  identity: Identity,
  snapshot: SnapshotDetails,
  body: RestoreBody,
): RestorePlan {
  const label = `[${snapshot.repository}:${snapshot.name}/${snapshot.uuid}]`;
  if (body.globalState && snapshot.globalState === null) {
    throw unrestorable(`${label} cannot restore global state since the snapshot was created without global state`);
  }
  const asked = withStreamIndices(snapshot.contents, body.indices);
  const sources = chooseIndices(snapshot.indices, asked, body.ignoreUnavailable);
  const targets = renamedIndices(snapshot, sources, body.rename);
  checkDistinct(`[${snapshot.repository}:${snapshot.name}]`, sources, targets);
  for (const target of targets) checkTarget(engine, label, target);
  const restored = sources.map((source, at) => ({ index: indexOf(snapshot, source), target: targets[at] }));
  for (const one of restored) checkReplaced(engine, label, one);
  const streams = restoredStreams(restored, (names) => renamed(names, body.rename));
  const taken = takenStream(engine, streams);
  if (taken !== undefined) {
    throw unrestorable(
      `${label} cannot restore data stream [${taken}] because a data stream, index or alias of that name already exists`,
    );
  }
  const indices = restored.map(({ index, target }) => ({
    source: index.name,
    target,
    settings: settingsOf(index, body, { label, identity }),
  }));
  const records = () => ({
    ...(body.globalState ? restoredState(snapshot.globalState ?? {}, (prefix) => engine.metadata.keys(prefix)) : {}),
    ...(body.aliases ? aliasRecords(engine, { restored, streams }, body.renameAlias) : {}),
    ...streamRecords(engine, streams),
  });
  // Aliases that can't be are found before anything is copied.
  records();
  return { request: { indices, partial: body.partial, records }, restored };
}

function indexOf({ contents }: SnapshotDetails, name: string): SnapshotIndex {
  const found = contents.find((index) => index.name === name);
  if (found === undefined) throw illegalArgument(`index [${name}] is not in the snapshot`);
  return found;
}

function renamed(names: readonly string[], { pattern, replacement }: Rename): string[] {
  return pattern === undefined || replacement === undefined ? [...names] : renameAll(names, pattern, replacement);
}

/** Of an index behind a data stream, what comes after `.ds-` is renamed. */
function renamedIndices({ contents }: SnapshotDetails, names: readonly string[], rename: Rename): string[] {
  const behind = new Set(
    contents.filter(({ attachment }) => (attachment as IndexAttachment).stream).map(({ name }) => name),
  );
  const heads = names.map((name) => (behind.has(name) && name.startsWith(".ds-") ? ".ds-" : ""));
  const tails = renamed(
    names.map((name, at) => name.slice(heads[at].length)),
    rename,
  );
  return tails.map((tail, at) => heads[at] + tail);
}

function checkDistinct(label: string, sources: readonly string[], targets: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const [at, target] of targets.entries()) {
    const other = seen.get(target);
    if (other !== undefined) {
      throw unrestorable(
        `${label} indices [${sources[at]}] and [${other}] are renamed into the same index [${target}]`,
      );
    }
    seen.set(target, sources[at]);
  }
}

function checkTarget(engine: EngineFace, label: string, target: string): void {
  checkIndexName(target);
  if (aliasOf(engine, target) !== undefined) {
    throw new ApiError(400, "invalid_index_name_exception", `Invalid index name [${target}], already exists as alias`, {
      fields: { index_uuid: "_na_", index: target },
    });
  }
  const existing = engine.index(target);
  // A closed index gives way to what is restored.
  if (existing === undefined || existing.definition.closed === true) return;
  throw unrestorable(
    `${label} cannot restore index [${target}] because an open index with same name already exists in the cluster. ` +
      "Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name",
  );
}

/** What is written with routing values for so many shards goes only where there are as many. */
function checkReplaced(
  engine: EngineFace,
  label: string,
  { index, target }: { readonly index: SnapshotIndex; readonly target: string },
): void {
  const existing = engine.index(target);
  if (existing === undefined) return;
  const [there, coming] = [existing.definition, index.definition].map(({ settings }) => shardsOf(settings));
  if (there === coming) return;
  throw unrestorable(
    `${label} cannot restore index [${target}] with [${there}] shards from a snapshot of index [${index.name}] with [${coming}] shards`,
  );
}

/** Settings that say how the documents lie; those below may be set to something else but not taken away. */
const UNMODIFIABLE = ["number_of_shards", "number_of_routing_shards"];
const UNREMOVABLE = [...UNMODIFIABLE, "auto_expand_replicas", "number_of_replicas"];

function settingsOf(
  { definition }: SnapshotIndex,
  body: RestoreBody,
  { label, identity }: { label: string; identity: Identity },
): RestoreSnapshot["indices"][number]["settings"] {
  // OpenSearch has another word for the settings that are fixed.
  const fixed = identity.distribution === "opensearch" ? "UnmodifiableOnRestore setting" : "setting";
  const changed = Object.keys(body.settings).find((name) => UNMODIFIABLE.includes(name));
  if (changed !== undefined) throw unrestorable(`${label} cannot modify ${fixed} [index.${changed}] on restore`);
  const ignored: Record<string, null> = {};
  for (const part of body.ignoredSettings) {
    const kind = UNMODIFIABLE.includes(part) ? fixed : "setting";
    if (UNREMOVABLE.includes(part)) throw unrestorable(`${label} cannot remove ${kind} [index.${part}] on restore`);
    if (part.startsWith("analysis")) throw notSupported("[index.analysis] in [ignore_index_settings]");
    const matches = wildcard(part);
    for (const name of Object.keys(definition.settings)) {
      if (matches(name) && !UNREMOVABLE.includes(name)) ignored[name] = null;
    }
  }
  const settings = mergeSettings(mergeSettings(definition.settings, ignored), body.settings);
  return { settings, ...engineSettings(settings) };
}

function withoutPrefix(name: string): string {
  return name.startsWith("index.") ? name.slice("index.".length) : name;
}

function aliasRecords(
  engine: EngineFace,
  { restored, streams }: { restored: readonly RestoredIndex[]; streams: readonly RestoredStream[] },
  rename: Rename,
): Record<string, unknown> {
  const changes = new AliasChanges(engine);
  const coming = restored.map(({ target }) => target);
  for (const target of coming) changes.removeIndex(target);
  for (const { index, target } of restored) {
    const { aliases } = index.attachment as IndexAttachment;
    const names = Object.keys(aliases);
    const renamedTo = renamed(names, rename);
    for (const [at, name] of names.entries()) {
      if (coming.includes(renamedTo[at])) {
        throw illegalArgument(`alias [${renamedTo[at]}] would have the name of an index that is restored with it`);
      }
      changes.add(renamedTo[at], target, aliases[name]);
    }
  }
  addStreamAliases(changes, streams, (names) => renamed(names, rename));
  return changes.records();
}

function unrestorable(reason: string): ApiError {
  return new ApiError(500, "snapshot_restore_exception", reason);
}
