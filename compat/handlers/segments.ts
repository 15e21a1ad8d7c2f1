/** `_segments` and `_cat/segments`: every segment of every index, those that only memory and the log know included. */
import { type Index, SEGMENT_FORMAT_VERSION, type SegmentInfo } from "../../engine/index.js";
import { answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf } from "../cluster/node-names.js";
import { shardCounts, sumShards } from "../cluster/state.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { DOCUMENTS, indicesOf, nameOptions } from "../indices/names.js";
import { shardRouting } from "../stats/shards.js";

/** Names of the engine's segments: `s` and a number that counts from 1, to the base 36. */
const ENGINE_NAME = /^s([0-9a-z]+)$/;

/** A segment's number as Lucene counts: from 0. */
function generationOf({ name }: SegmentInfo): number {
  const number = ENGINE_NAME.exec(name)?.[1];
  return number === undefined ? 0 : Number.parseInt(number, 36) - 1;
}

/** `_0`, `_a`: how Lucene names the segment of a generation. */
function nameOf(segment: SegmentInfo): string {
  return `_${generationOf(segment).toString(36)}`;
}

/** There is no Lucene here: the version is that of the segment's format, in three parts as tools expect. */
export function versionOf(formatVersion = SEGMENT_FORMAT_VERSION): string {
  return `${formatVersion}.0.0`;
}

function chosen(request: ApiRequest): Index[] {
  const options = nameOptions(request.parameters, DOCUMENTS);
  return unblocked(indicesOf(request.node.engine, request.captured.index ?? "_all", options), "metadata_read");
}

/** `GET /_segments`. One physical shard holds all segments of an index: the first of its shards shows them. */
export function indexSegments(request: ApiRequest): Reply {
  const indices = chosen(request);
  const { primaries, unassigned } = sumShards(indices);
  return json({
    _shards: { total: primaries + unassigned, successful: primaries, failed: 0 },
    indices: Object.fromEntries(indices.map((index) => [index.name, { shards: shardsOf(request, index) }])),
  });
}

function shardsOf(request: ApiRequest, index: Index): Record<string, unknown> {
  const { segments } = index.stats();
  const { primaries } = shardCounts(index);
  return Object.fromEntries(
    Array.from({ length: primaries }, (_, shard) => [shard, [shardSegments(request, shard === 0 ? segments : [])]]),
  );
}

function shardSegments(request: ApiRequest, segments: readonly SegmentInfo[]): Record<string, unknown> {
  return {
    routing: shardRouting(request.node),
    num_committed_segments: segments.filter(({ committed }) => committed).length,
    num_search_segments: segments.filter(({ searchable }) => searchable).length,
    segments: Object.fromEntries(segments.map((segment) => [nameOf(segment), describe(segment)])),
  };
}

function describe(segment: SegmentInfo): Record<string, unknown> {
  return {
    generation: generationOf(segment),
    num_docs: segment.docCount,
    deleted_docs: segment.deletedCount,
    size_in_bytes: segment.sizeBytes,
    memory_in_bytes: segment.memoryBytes,
    committed: segment.committed,
    search: segment.searchable,
    version: versionOf(segment.formatVersion),
    // A segment is one file.
    compound: true,
    attributes: {},
  };
}

interface SegmentRow {
  readonly request: ApiRequest;
  readonly index: Index;
  readonly segment: SegmentInfo;
}

const COLUMNS: readonly Column<SegmentRow>[] = [
  column("index", "i,idx", "index name", ({ index }) => index.name),
  column("shard", "s,sh", "shard name", () => "0"),
  column("prirep", "p,pr,primaryOrReplica", "primary or replica", () => "p"),
  column("ip", "", "ip of node where it lives", ({ request }) => hostOf(request.node)),
  extra("id", "", "unique id of node where it lives", ({ request }) => request.node.id),
  column("segment", "seg", "segment name", ({ segment }) => nameOf(segment)),
  column("generation", "g,gen", "segment generation", ({ segment }) => generationOf(segment)),
  column("docs.count", "dc,docsCount", "number of docs in segment", ({ segment }) => segment.docCount),
  column("docs.deleted", "dd,docsDeleted", "number of deleted docs in segment", ({ segment }) => segment.deletedCount),
  column("size", "si", "segment size in bytes", ({ segment }) => ({ bytes: segment.sizeBytes })),
  column("size.memory", "sm,sizeMemory", "segment memory in bytes", ({ segment }) => segment.memoryBytes),
  column("committed", "ic,isCommitted", "is segment committed", ({ segment }) => String(segment.committed)),
  column("searchable", "is,isSearchable", "is segment searched", ({ segment }) => String(segment.searchable)),
  column("version", "v,ver", "version", ({ segment }) => versionOf(segment.formatVersion)),
  column("compound", "ico,isCompound", "is segment compound", () => "true"),
];

/** `GET /_cat/segments` */
export function catSegments(request: ApiRequest): Reply {
  return answerTable(request, COLUMNS, () =>
    chosen(request).flatMap((index) => index.stats().segments.map((segment) => ({ request, index, segment }))),
  );
}
