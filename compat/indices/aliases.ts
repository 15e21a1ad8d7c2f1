/** Aliases: kept in the engine's metadata, one record per alias. Reading them is synchronous. */
import type { EngineFace } from "../../engine/index.js";
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

export function aliasOf(engine: EngineFace, name: string): Alias | undefined {
  return engine.metadata.get(PREFIX + name) as Alias | undefined;
}

/** Names of all aliases, sorted. */
export function aliasNames(engine: EngineFace): string[] {
  return engine.metadata.keys(PREFIX).map((key) => key.slice(PREFIX.length));
}

/** Aliases of one index by name. */
export function aliasesOfIndex(engine: EngineFace, index: string): Record<string, AliasEntry> {
  const found: Record<string, AliasEntry> = {};
  for (const name of aliasNames(engine)) {
    const entry = member(aliasOf(engine, name) ?? {}, index);
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
    const alias = this.#changed.get(name) ?? aliasOf(this.#engine, name);
    return alias === undefined || Object.keys(alias).length === 0 ? undefined : alias;
  }

  /** `going`: indices that will be deleted together with this change. */
  add(name: string, index: string, entry: AliasEntry, going: readonly string[] = []): void {
    checkAliasName(name);
    if (this.#engine.index(name) !== undefined && !going.includes(name)) {
      throw new ApiError(
        400,
        "invalid_alias_name_exception",
        `Invalid alias name [${name}]: an index or data stream exists with the same name as the alias`,
        {
          fields: { index: name, index_uuid: this.#engine.index(name)?.definition.uuid ?? "_na_" },
        },
      );
    }
    if (entry.index_routing?.includes(",") === true)
      throw illegalArgument(`alias [${name}] has several index routing values associated with it`);
    this.#set(name, { ...this.get(name), [index]: entry });
    const writers = Object.entries(this.get(name) ?? {}).filter(([, one]) => one.is_write_index === true);
    if (writers.length > 1) {
      throw new ApiError(
        400,
        "illegal_state_exception",
        `alias [${name}] has more than one write index [${writers.map(([one]) => one).join(",")}]`,
      );
    }
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
