/** Changes of which indices are behind data streams, gathered first and made durable together. */
import type { EngineFace, Index } from "../../engine/index.js";
import { illegalArgument, indexNotFound } from "../errors.js";
import { AliasChanges, aliasesOfIndex } from "../indices/aliases.js";
import { engineSettings, mergeSettings } from "../indices/definition.js";
import { checkTimestamp } from "../templates/plan-index.js";
import { type DataStream, dataStreamOf, dataStreamRecords, parentOf, writeIndexName } from "./kept.js";

export class StreamChanges {
  readonly #engine: EngineFace;
  readonly #streams = new Map<string, DataStream>();
  readonly #added: { readonly index: Index; readonly timestampField: string }[] = [];

  constructor(engine: EngineFace) {
    this.#engine = engine;
  }

  /** Puts an index behind a stream, as its oldest. Throws ApiError 400 for one that cannot be. */
  add(name: string, index: string): void {
    const stream = this.#get(name);
    const found = this.#engine.index(index);
    if (found === undefined) throw indexNotFound(index);
    const parent = parentOf(this.#engine, index);
    if (parent === name) return;
    if (parent !== undefined) {
      throw illegalArgument(
        `cannot add index [${index}] to data stream [${name}] because it is already a backing index on data stream [${parent}]`,
      );
    }
    const aliases = Object.keys(aliasesOfIndex(this.#engine, index));
    if (aliases.length > 0) {
      throw illegalArgument(
        `cannot add index [${index}] to data stream [${name}] until its aliases [${aliases.join(", ")}] are removed`,
      );
    }
    checkTimestamp(found.definition.mapping, stream.timestampField);
    this.#added.push({ index: found, timestampField: stream.timestampField });
    this.#set(name, stream, [index, ...stream.indices]);
  }

  /** Takes an index out of a stream; it stays an index of its own. Throws ApiError 400 for the write index. */
  remove(name: string, index: string): void {
    const stream = this.#get(name);
    if (!stream.indices.includes(index)) throw illegalArgument(`index [${index}] not found`);
    if (writeIndexName(stream) === index) {
      throw illegalArgument(
        `cannot remove backing index [${index}] of data stream [${name}] because it is the write index of the data stream`,
      );
    }
    this.#set(
      name,
      stream,
      stream.indices.filter((one) => one !== index),
    );
  }

  /** Makes an alias and its indices, the write index last, a data stream instead. */
  convert(alias: string, stream: DataStream): void {
    for (const name of stream.indices) {
      const index = this.#engine.index(name);
      if (index === undefined) throw indexNotFound(name);
      checkTimestamp(index.definition.mapping, stream.timestampField);
      this.#added.push({ index, timestampField: stream.timestampField });
    }
    this.#streams.set(alias, stream);
  }

  /** Durable when it resolves; `gone` are aliases that go with it. */
  async apply(gone: AliasChanges = new AliasChanges(this.#engine)): Promise<void> {
    for (const { index, timestampField } of this.#added) {
      await index.updateMapping({ timestampField });
      const settings = mergeSettings(index.definition.settings, { hidden: "true" });
      await index.updateSettings({ settings, ...engineSettings(settings) });
    }
    const records = [...this.#streams].map(([name, stream]) => dataStreamRecords(this.#engine, name, stream));
    await this.#engine.metadata.put(Object.assign({ ...gone.records() }, ...records));
  }

  #get(name: string): DataStream {
    const stream = this.#streams.get(name) ?? dataStreamOf(this.#engine, name);
    if (stream === undefined) throw illegalArgument(`data stream [${name}] not found`);
    return stream;
  }

  #set(name: string, stream: DataStream, indices: readonly string[]): void {
    this.#streams.set(name, { ...stream, indices, generation: stream.generation + 1 });
  }
}
