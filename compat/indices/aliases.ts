/** Aliases: kept in the engine's metadata, one record per alias. Reading them is synchronous. */
import type { EngineFace } from "../../engine/index.js";
import { dataStreamOf } from "../data-streams/kept.js";
import { ApiError, illegalArgument } from "../errors.js";
import { type JsonObject, member, setMember } from "../json/value.js";

/** What an alias says about one of its indices. */
export interface AliasEntry {
  /** Query DSL as it was given. */
  filter?: JsonObject;
  index_routing?: string;
  search_routing?: string;
  is_write_index?: boolean;
  is_hidden?: boolean;
}

/** By index name. */
export type Alias = Record<string, AliasEntry>;

const PREFIX = "alias/";

/** An alias by index; one of data streams, by the indices behind them. */
export function aliasOf(engine: EngineFace, name: string): Alias | undefined {
  const alias = rawAliasOf(engine, name);
  // An alias is of indices or of data streams, never of both.
  const [first] = Object.keys(alias ?? {});
  if (alias === undefined || first === undefined || dataStreamOf(engine, first) === undefined) return alias;
  const behind: Alias = {};
  for (const [stream, entry] of Object.entries(alias)) {
    for (const index of dataStreamOf(engine, stream)?.indices ?? []) setMember(behind, index, entry);
  }
  return behind;
}

/** An alias as it is kept: by index, or by data stream. */
export function rawAliasOf(engine: EngineFace, name: string): Alias | undefined {
  return engine.metadata.get(PREFIX + name) as Alias | undefined;
}

/** Names of all aliases, sorted. */
export function aliasNames(engine: EngineFace): string[] {
  return engine.metadata.keys(PREFIX).map((key) => key.slice(PREFIX.length));
}

/** Aliases of one index, or of one data stream, by name. */
export function aliasesOfIndex(engine: EngineFace, index: string): Record<string, AliasEntry> {
  const found: Record<string, AliasEntry> = {};
  for (const name of aliasNames(engine)) {
    const entry = member(rawAliasOf(engine, name) ?? {}, index);
    if (entry !== undefined) setMember(found, name, entry);
  }
  return found;
}

/** Changes gathered first and made durable together, so that an `_aliases` request happens whole or not at all. */
export class AliasChanges {
  readonly #engine: EngineFace;
  readonly #changed = new Map<string, Alias>();

  constructor(engine: EngineFace) {
    this.#engine = engine;
  }

  /** The alias as it will be. */
  get(name: string): Alias | undefined {
    const alias = this.#changed.get(name) ?? rawAliasOf(this.#engine, name);
    return alias === undefined || Object.keys(alias).length === 0 ? undefined : alias;
  }

  /** `index` may be a data stream; `going`: indices that will be deleted together with this change. */
  add(name: string, index: string, entry: AliasEntry, going: readonly string[] = []): void {
    if (dataStreamOf(this.#engine, index) !== undefined) {
      this.addToStream(name, index, entry);
      return;
    }
    this.#checkName(name, going);
    if (entry.index_routing?.includes(",") === true)
      throw illegalArgument(`alias [${name}] has several index routing values associated with it`);
    this.#checkOneKind(name, "index");
    this.#put(name, index, entry);
  }

  /** The same for a data stream, which may be made together with this change. Its documents have no routing values. */
  addToStream(name: string, stream: string, entry: AliasEntry): void {
    this.#checkName(name, []);
    this.#checkOneKind(name, "data stream");
    const { index_routing: _index, search_routing: _search, ...rest } = entry;
    this.#put(name, stream, rest);
  }

  #checkName(name: string, going: readonly string[]): void {
    checkAliasName(name);
    const taken = this.#engine.index(name) !== undefined || dataStreamOf(this.#engine, name) !== undefined;
    if (!taken || going.includes(name)) return;
    throw new ApiError(
      400,
      "invalid_alias_name_exception",
      `Invalid alias name [${name}]: an index or data stream exists with the same name as the alias`,
      {
        fields: { index: name, index_uuid: this.#engine.index(name)?.definition.uuid ?? "_na_" },
      },
    );
  }

  #put(name: string, member: string, entry: AliasEntry): void {
    this.#set(name, { ...this.get(name), [member]: entry });
    const writers = Object.entries(this.get(name) ?? {}).filter(([, one]) => one.is_write_index === true);
    if (writers.length > 1) {
      throw new ApiError(
        400,
        "illegal_state_exception",
        `alias [${name}] has more than one write index [${writers.map(([one]) => one).join(",")}]`,
      );
    }
  }

  /** Throws ApiError 400 where an alias would be of indices and of data streams. */
  #checkOneKind(name: string, kind: "index" | "data stream"): void {
    const [first] = Object.keys(this.get(name) ?? {});
    if (first === undefined) return;
    const isStream = dataStreamOf(this.#engine, first) !== undefined;
    const isIndex = this.#engine.index(first) !== undefined;
    if (kind === "index" ? !isStream : !isIndex) return;
    throw illegalArgument(`alias [${name}] cannot be of data streams and of indices at once`);
  }

  /** False when there was nothing to remove. */
  remove(name: string, index: string): boolean {
    const alias = this.get(name);
    if (alias === undefined || !Object.hasOwn(alias, index)) return false;
    const { [index]: _removed, ...rest } = alias;
    this.#set(name, rest);
    return true;
  }

  removeIndex(index: string): void {
    for (const name of new Set([...aliasNames(this.#engine), ...this.#changed.keys()])) this.remove(name, index);
  }

  /** The changes as records of the engine's metadata; undefined removes. */
  records(): Record<string, Alias | undefined> {
    const records = [...this.#changed].map(([name, alias]) => [
      PREFIX + name,
      Object.keys(alias).length === 0 ? undefined : alias,
    ]);
    return Object.fromEntries(records);
  }

  async apply(): Promise<void> {
    if (this.#changed.size > 0) await this.#engine.metadata.put(this.records());
  }

  #set(name: string, alias: Alias): void {
    this.#changed.set(name, alias);
  }
}

function checkAliasName(name: string): void {
  if (name === "" || /[\\/*?"<>| ,#:]/.test(name) || /^[_\-+]/.test(name)) {
    throw new ApiError(
      400,
      "invalid_alias_name_exception",
      `Invalid alias name [${name}]: must not contain the following characters [ , \\", *, \\\\, <, |, ,, >, /, ?] and must not start with '_', '-', or '+'`,
    );
  }
  if (name === "." || name === "..") throw illegalArgument(`Invalid alias name [${name}]: must not be '.' or '..'`);
}
