/**
 * What an index is, kept durable: its definition and its fields. In the node's metadata it has these records:
 *
 *   index/<name>                      {definition without mapping, mappingVersion}
 *   mapping/<uuid>/<mapping version>  the field table (mapping and ordinals) of that version
 *
 * Every change of the mapping makes a new version. Older ones stay while the log may hold documents prepared with
 * them: replay must give the index that was there, not one that knows what came later.
 */
import type { IndexDefinition, MetadataStore } from "../engine-types.js";
import { EngineError, InternalError } from "../errors.js";
import type { SharedValue } from "../jobs.js";
import {
  createFieldTable,
  DEFAULT_LIMITS,
  type FieldTable,
  growFieldTable,
  loadFieldTable,
  type StoredFieldTable,
  storeFieldTable,
} from "../mapping/index.js";
import type { Mapping } from "../mapping/mapping.js";
import { sharedAnalysis, sharedFields } from "../shared-values.js";

type DefinitionWithoutMapping = Omit<IndexDefinition, "mapping">;

/** An index's definition as it is kept, its mapping as the field table that its segments were written with. */
export interface StoredDefinition {
  readonly definition: DefinitionWithoutMapping;
  readonly fields: StoredFieldTable;
}

interface StoredIndex {
  definition: DefinitionWithoutMapping;
  mappingVersion: number;
}

/** Parts of a definition that may change after the index was made. */
export type ChangeableSettings = Partial<
  Pick<
    IndexDefinition,
    | "refreshIntervalMs"
    | "durability"
    | "syncIntervalMs"
    | "flushThresholdBytes"
    | "settings"
    | "totalFieldsLimit"
    | "nestedObjectsLimit"
    | "maxResultWindow"
    | "gcDeletesMs"
    | "analysis"
    | "closed"
  >
>;

const INDEX_PREFIX = "index/";

/** The definition of one index: reads it, changes it durably. One change at a time. */
export class DefinitionStore {
  #stored: StoredIndex;
  #table: FieldTable;
  /** Versions older than the current one that are still kept. */
  readonly #older = new Map<number, FieldTable>();

  private constructor(
    private readonly metadata: MetadataStore,
    readonly name: string,
    stored: StoredIndex,
    table: FieldTable,
  ) {
    this.#stored = stored;
    this.#table = table;
  }

  /** Names of the indices that exist, sorted. */
  static names(metadata: MetadataStore): string[] {
    return metadata.keys(INDEX_PREFIX).map((key) => key.slice(INDEX_PREFIX.length));
  }

  /** Name and uuid of each index, sorted by name; of a store that is only read. */
  static uuids(metadata: Pick<MetadataStore, "get" | "keys">): [name: string, uuid: string][] {
    return metadata.keys(INDEX_PREFIX).map((key) => {
      return [key.slice(INDEX_PREFIX.length), (metadata.get(key) as StoredIndex).definition.uuid];
    });
  }

  /** Indices whose mapping is not there, and the newest version of it that is. */
  static incomplete(
    metadata: Pick<MetadataStore, "get" | "keys">,
  ): { name: string; uuid: string; lacks: number; newest: number | undefined }[] {
    return DefinitionStore.uuids(metadata).flatMap(([name, uuid]) => {
      const { mappingVersion } = metadata.get(INDEX_PREFIX + name) as StoredIndex;
      const prefix = mappingPrefix(uuid);
      const versions = metadata.keys(prefix).map((key) => Number(key.slice(prefix.length)));
      if (versions.includes(mappingVersion)) return [];
      return [{ name, uuid, lacks: mappingVersion, newest: versions.sort((a, b) => a - b).at(-1) }];
    });
  }

  /** Makes a new index's definition durable, together with `others`. Throws mapping_invalid and field_limit. */
  static async create(
    metadata: MetadataStore,
    name: string,
    definition: IndexDefinition,
    others: Readonly<Record<string, unknown>> = {},
  ): Promise<DefinitionStore> {
    const { mapping, ...rest } = definition;
    const table = firstTable(mapping, definition);
    const stored = { definition: rest, mappingVersion: 1 };
    await metadata.put({
      ...others,
      [INDEX_PREFIX + name]: stored,
      [mappingKey(definition.uuid, 1)]: storeFieldTable(table),
    });
    return new DefinitionStore(metadata, name, stored, table);
  }

  /** The records of an index whose segments are there already. */
  static recordsOf(name: string, { definition, fields }: StoredDefinition): Record<string, unknown> {
    const stored: StoredIndex = { definition, mappingVersion: 1 };
    return { [INDEX_PREFIX + name]: stored, [mappingKey(definition.uuid, 1)]: fields };
  }

  static load(metadata: MetadataStore, name: string): DefinitionStore {
    const stored = metadata.get(INDEX_PREFIX + name) as StoredIndex | undefined;
    if (!stored) throw new InternalError(`index ${name} has no definition`);
    const { uuid } = stored.definition;
    const table = readTable(metadata, name, uuid, stored.mappingVersion);
    return new DefinitionStore(metadata, name, stored, table);
  }

  /** Everything as it is now. */
  get definition(): IndexDefinition {
    return { mapping: this.#table.mapping, ...this.#stored.definition };
  }

  /** The same in the form that is kept. */
  get stored(): StoredDefinition {
    return { definition: this.#stored.definition, fields: storeFieldTable(this.#table) };
  }

  get mappingVersion(): number {
    return this.#stored.mappingVersion;
  }

  /** What jobs need of this index as it is now. */
  get shared(): { fields: SharedValue; analysis: SharedValue } {
    const { uuid, analysis } = this.#stored.definition;
    return { fields: sharedFields(uuid, this.#table), analysis: sharedAnalysis(uuid, analysis) };
  }

  /** The fields as they are now. */
  get table(): FieldTable {
    return this.#table;
  }

  /** The fields as documents prepared with this version of the mapping saw them. Throws `corrupt` for unknown ones. */
  tableAt(version: number): FieldTable {
    if (version === this.mappingVersion) return this.#table;
    const known = this.#older.get(version);
    if (known) return known;
    const table = readTable(this.metadata, this.name, this.#stored.definition.uuid, version);
    this.#older.set(version, table);
    return table;
  }

  /** Adds to the mapping; durable when it resolves. Throws mapping_conflict, mapping_invalid, field_limit. */
  async grow(change: Partial<Mapping>): Promise<void> {
    const table = growFieldTable(this.#table, change, limitsOf(this.#stored.definition));
    if (table !== this.#table) await this.adopt(table);
  }

  /** Makes a field table that grew out of the current one the new version; durable when it resolves. */
  async adopt(table: FieldTable): Promise<void> {
    const { definition, mappingVersion } = this.#stored;
    const stored = { definition, mappingVersion: mappingVersion + 1 };
    await this.metadata.put({
      [INDEX_PREFIX + this.name]: stored,
      [mappingKey(definition.uuid, stored.mappingVersion)]: storeFieldTable(table),
    });
    this.#older.set(mappingVersion, this.#table);
    this.#stored = stored;
    this.#table = table;
  }

  async updateSettings(change: ChangeableSettings): Promise<void> {
    const definition = { ...this.#stored.definition, ...change };
    const stored = { ...this.#stored, definition };
    await this.metadata.put({ [INDEX_PREFIX + this.name]: stored });
    this.#stored = stored;
  }

  /** Forgets the versions below `version`: no document in the log was prepared with one. */
  async forgetMappingsBefore(version: number): Promise<void> {
    const prefix = mappingPrefix(this.#stored.definition.uuid);
    const old = this.metadata.keys(prefix).filter((key) => Number(key.slice(prefix.length)) < version);
    for (const known of this.#older.keys()) if (known < version) this.#older.delete(known);
    if (old.length > 0) await this.metadata.put(Object.fromEntries(old.map((key) => [key, undefined])));
  }

  /** Removes the index's records, and changes `others` with them. */
  async remove(others: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.metadata.put({ ...others, ...this.removal() });
  }

  /** The change of the metadata that removes the index's records. */
  removal(): Record<string, undefined> {
    const mappings = this.metadata.keys(mappingPrefix(this.#stored.definition.uuid));
    return Object.fromEntries([INDEX_PREFIX + this.name, ...mappings].map((key) => [key, undefined]));
  }
}

/** The fields of a mapping that no document has been written with. Throws mapping_invalid and field_limit. */
export function firstTable(mapping: Mapping, limits: { totalFieldsLimit: number }): FieldTable {
  return growFieldTable(createFieldTable({ ...mapping, properties: {} }), mapping, limitsOf(limits));
}

function limitsOf(definition: { totalFieldsLimit: number }) {
  return { ...DEFAULT_LIMITS, totalFields: definition.totalFieldsLimit };
}

function mappingPrefix(uuid: string): string {
  return `mapping/${uuid}/`;
}

function mappingKey(uuid: string, version: number): string {
  return mappingPrefix(uuid) + version;
}

function readTable(metadata: MetadataStore, name: string, uuid: string, version: number): FieldTable {
  const stored = metadata.get(mappingKey(uuid, version)) as StoredFieldTable | undefined;
  if (stored) return loadFieldTable(stored);
  throw new EngineError("corrupt", `index ${name} needs version ${version} of its mapping, which is not there`, {
    index: name,
    version,
  });
}
