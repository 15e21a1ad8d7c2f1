/** Taking data streams, and indices behind them, away. */
import type { EngineFace } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import { AliasChanges } from "../indices/aliases.js";
import { dataStreamOf, dataStreamRecords, parentOf, writeIndexName } from "./kept.js";

/** Deletes a data stream and its indices, oldest first: what a crash leaves is a data stream with fewer of them. */
export async function removeDataStream(engine: EngineFace, name: string): Promise<void> {
  const stream = dataStreamOf(engine, name);
  if (stream === undefined) return;
  for (const index of stream.indices.slice(0, -1)) await removeBackingIndex(engine, index);
  const changes = new AliasChanges(engine);
  changes.removeIndex(name);
  const last = writeIndexName(stream);
  const records = { ...dataStreamRecords(engine, name, undefined), ...changes.records() };
  if (engine.index(last) === undefined) await engine.metadata.put(records);
  else await engine.deleteIndex(last, records);
}

/** Deletes an index and takes it out of its data stream. */
async function removeBackingIndex(engine: EngineFace, index: string): Promise<void> {
  const records = withoutIndex(engine, index);
  if (engine.index(index) === undefined) await engine.metadata.put(records);
  else await engine.deleteIndex(index, records);
}

/** Records of a data stream that no longer has an index, which need not be behind one. */
export function withoutIndex(engine: EngineFace, index: string): Record<string, unknown> {
  const name = parentOf(engine, index);
  const stream = name === undefined ? undefined : dataStreamOf(engine, name);
  if (name === undefined || stream === undefined) return {};
  const indices = stream.indices.filter((one) => one !== index);
  return dataStreamRecords(engine, name, { ...stream, indices });
}

/** Throws ApiError 400 for an index that a data stream writes to. */
export function checkNoWriteIndex(engine: EngineFace, index: string): void {
  const name = parentOf(engine, index);
  const stream = name === undefined ? undefined : dataStreamOf(engine, name);
  if (stream === undefined || writeIndexName(stream) !== index) return;
  throw illegalArgument(`index [${index}] is the write index for data stream [${name}] and cannot be deleted`);
}
