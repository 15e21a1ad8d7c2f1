/** Data streams in snapshots: each index behind one carries what is needed to make the stream again. */
import type { EngineFace, SnapshotIndex } from "../../engine/index.js";
import { type DataStream, dataStreamOf, dataStreamRecords, parentOf, writeIndexName } from "../data-streams/kept.js";
import { type AliasChanges, type AliasEntry, aliasesOfIndex, aliasOf } from "../indices/aliases.js";
import { wildcard } from "../indices/names.js";

/** What a snapshot of an index keeps beside its data. */
export interface IndexAttachment {
  readonly aliases: Readonly<Record<string, AliasEntry>>;
  /** Absent for an index of its own. */
  readonly stream?: StreamAttachment;
}

interface StreamAttachment {
  readonly name: string;
  readonly stream: DataStream;
  readonly aliases: Readonly<Record<string, AliasEntry>>;
}

/** What goes along with an index into a snapshot. */
export function attachmentOf(engine: EngineFace, index: string): IndexAttachment {
  const aliases = aliasesOfIndex(engine, index);
  const name = parentOf(engine, index);
  const stream = name === undefined ? undefined : dataStreamOf(engine, name);
  if (name === undefined || stream === undefined) return { aliases };
  return { aliases, stream: { name, stream, aliases: aliasesOfIndex(engine, name) } };
}

/** Names of the data streams that a snapshot can make again, sorted. */
export function streamsIn(contents: readonly SnapshotIndex[]): string[] {
  return [...byName(contents).keys()].sort();
}

/** Indices by the data stream whose write index is among them. */
function byName<I extends SnapshotIndex>(contents: readonly I[]): Map<string, I[]> {
  const found = new Map<string, I[]>();
  for (const index of contents) {
    const stream = (index.attachment as IndexAttachment).stream;
    if (stream !== undefined) found.set(stream.name, [...(found.get(stream.name) ?? []), index]);
  }
  for (const [name, indices] of found) {
    const stream = (indices[0].attachment as IndexAttachment).stream?.stream;
    const writer = stream === undefined ? "" : writeIndexName(stream);
    if (!indices.some((index) => index.name === writer)) found.delete(name);
  }
  return found;
}

/** A list of names and patterns in which the names of data streams are those of their indices. */
export function withStreamIndices(contents: readonly SnapshotIndex[], asked: readonly string[]): string[] {
  const streams = byName(contents);
  return asked.flatMap((part) => {
    const sign = part.startsWith("-") ? "-" : "";
    const pattern = part.slice(sign.length);
    const matches = wildcard(pattern);
    const indices = [...streams]
      .filter(([name]) => matches(name))
      .flatMap(([, found]) => found.map(({ name }) => name));
    const own = streams.has(pattern) ? [] : [part];
    return [...own, ...indices.map((name) => sign + name)];
  });
}

/** An index of a restore, and what it will be called. */
export interface RestoredIndex {
  readonly index: SnapshotIndex;
  readonly target: string;
}

/** A data stream that comes back. */
export interface RestoredStream {
  readonly name: string;
  readonly stream: DataStream;
  readonly aliases: Readonly<Record<string, AliasEntry>>;
}

/** Data streams that come back with their indices; `rename` gives their new names. */
export function restoredStreams(
  restored: readonly RestoredIndex[],
  rename: (names: readonly string[]) => string[],
): RestoredStream[] {
  const targets = new Map(restored.map(({ index, target }) => [index.name, target]));
  const found = [...byName(restored.map(({ index }) => index))];
  const names = rename(found.map(([name]) => name));
  return found.flatMap(([, indices], at) => {
    const kept = (indices[0].attachment as IndexAttachment).stream;
    if (kept === undefined) return [];
    const behind = kept.stream.indices.map((name) => targets.get(name)).filter((name) => name !== undefined);
    return [{ name: names[at], stream: { ...kept.stream, indices: behind }, aliases: kept.aliases }];
  });
}

/** The first of these streams whose name is taken; undefined: none is. */
export function takenStream(engine: EngineFace, streams: readonly RestoredStream[]): string | undefined {
  return streams.find(
    ({ name }) =>
      dataStreamOf(engine, name) !== undefined ||
      engine.index(name) !== undefined ||
      aliasOf(engine, name) !== undefined,
  )?.name;
}

/** Records that make the streams. */
export function streamRecords(engine: EngineFace, streams: readonly RestoredStream[]): Record<string, unknown> {
  return Object.assign({}, ...streams.map(({ name, stream }) => dataStreamRecords(engine, name, stream)));
}

/** Adds the streams' aliases; `rename` as above. */
export function addStreamAliases(
  changes: AliasChanges,
  streams: readonly RestoredStream[],
  rename: (names: readonly string[]) => string[],
): void {
  for (const { name, aliases } of streams) {
    const names = Object.keys(aliases);
    for (const [at, alias] of rename(names).entries()) changes.addToStream(alias, name, aliases[names[at]]);
  }
}
