/**
 * Data streams in the node's metadata. Two kinds of records, always changed together:
 *
 *   data_stream/<name>         the stream
 *   data_stream_of/<index>     the name of the stream that an index is behind
 */
import type { EngineFace, Index } from "../../engine/index.js";

/** A data stream: a name for indices that grow one after the other. */
export interface DataStream {
  readonly timestampField: string;
  /** Names, oldest first; the last one takes writes. */
  readonly indices: readonly string[];
  /** How many backing indices were made so far. */
  readonly generation: number;
  readonly hidden: boolean;
  readonly allowCustomRouting: boolean;
  /** `_meta` of the template as JSON text. */
  readonly meta?: string;
}

const PREFIX = "data_stream/";
const PARENT_PREFIX = "data_stream_of/";

export function dataStreamOf(engine: EngineFace, name: string): DataStream | undefined {
  return engine.metadata.get(PREFIX + name) as DataStream | undefined;
}

/** Names of all data streams, sorted. */
export function dataStreamNames(engine: EngineFace): string[] {
  return engine.metadata.keys(PREFIX).map((key) => key.slice(PREFIX.length));
}

/** The data stream that an index is behind; undefined for an index of its own. */
export function parentOf(engine: EngineFace, index: string): string | undefined {
  return engine.metadata.get(PARENT_PREFIX + index) as string | undefined;
}

/** Name of the index that takes writes. */
export function writeIndexName({ indices }: DataStream): string {
  return indices[indices.length - 1];
}

/** Indices behind a data stream that are there, oldest first. */
export function backingIndices(engine: EngineFace, { indices }: DataStream): Index[] {
  return indices.map((name) => engine.index(name)).filter((index) => index !== undefined);
}

/** Records that make a data stream what it shall be; undefined removes it. */
export function dataStreamRecords(
  engine: EngineFace,
  name: string,
  stream: DataStream | undefined,
): Record<string, unknown> {
  const before = dataStreamOf(engine, name)?.indices ?? [];
  const after = stream?.indices ?? [];
  const gone = before.filter((index) => !after.includes(index));
  return {
    [PREFIX + name]: stream,
    ...Object.fromEntries(gone.map((index) => [PARENT_PREFIX + index, undefined])),
    ...Object.fromEntries(after.map((index) => [PARENT_PREFIX + index, name])),
  };
}
