/** `_cat/allocation`: how many shards a node has and how full its disk is. There is one node, and what has no place. */
import { answerTable, type Column, column } from "../cat/table.js";
import { hostOf, namesNode, ROLE_LETTERS } from "../cluster/node-names.js";
import { sumShards } from "../cluster/state.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { EVERY, indicesOf } from "../indices/names.js";
import { type DiskSpace, diskSpace } from "../process/fs-stats.js";
import { totalsOf } from "../stats/totals.js";

interface AllocationRow {
  readonly shards: number;
  /** Undefined: shards that no node has. */
  readonly place:
    | { readonly node: ApiRequest["node"]; readonly indicesBytes: number; readonly disk: DiskSpace }
    | undefined;
}

type Place = NonNullable<AllocationRow["place"]>;

const ofPlace =
  <T>(of: (place: Place) => T) =>
  ({ place }: AllocationRow): T | null =>
    place === undefined ? null : of(place);

const used = ({ disk }: Place): number => disk.total - disk.available;
const percent = (place: Place): number => Math.floor((used(place) / place.disk.total) * 100);

/** Elasticsearch 8 has more columns: how far a balancer would move shards, which is not at all. */
const balanced: readonly Column<AllocationRow>[] = [
  column(
    "shards.undesired",
    "su",
    "number of shards that are scheduled to be moved elsewhere in the cluster",
    ofPlace(() => 0),
  ),
  column(
    "write_load.forecast",
    "wlf,writeLoadForecast",
    "sum of index write load forecasts",
    ofPlace(() => "0.0"),
  ),
  column(
    "disk.indices.forecast",
    "dif,diskIndicesForecast",
    "sum of shard size forecasts",
    ofPlace(({ indicesBytes }) => ({ bytes: indicesBytes })),
  ),
];

function columns({ distribution }: Identity): readonly Column<AllocationRow>[] {
  const isElasticsearch = distribution === undefined;
  return [
    column("shards", "s", "number of shards on node", ({ shards }) => shards),
    ...(isElasticsearch ? balanced : []),
    column(
      "disk.indices",
      "di,diskIndices",
      "disk used by ES indices",
      ofPlace(({ indicesBytes }) => ({ bytes: indicesBytes })),
    ),
    column(
      "disk.used",
      "du,diskUsed",
      "disk used (total, not just ES)",
      ofPlace((place) => ({ bytes: used(place) })),
    ),
    column(
      "disk.avail",
      "da,diskAvail",
      "disk available",
      ofPlace(({ disk }) => ({ bytes: disk.available })),
    ),
    column(
      "disk.total",
      "dt,diskTotal",
      "total capacity of all volumes",
      ofPlace(({ disk }) => ({ bytes: disk.total })),
    ),
    column("disk.percent", "dp,diskPercent", "percent disk used", ofPlace(percent)),
    column(
      "host",
      "h",
      "host of node",
      ofPlace(({ node }) => hostOf(node)),
    ),
    column(
      "ip",
      "",
      "ip of node",
      ofPlace(({ node }) => hostOf(node)),
    ),
    column("node", "n", "name of node", ({ place }) => place?.node.name ?? "UNASSIGNED"),
    ...(isElasticsearch
      ? [
          column<AllocationRow>(
            "node.role",
            "r,role,nodeRole",
            "node roles",
            ofPlace(() => ROLE_LETTERS),
          ),
        ]
      : []),
  ];
}

/** `GET /_cat/allocation` */
export function catAllocation(request: ApiRequest): Reply {
  const { node, captured } = request;
  return answerTable(request, columns(request.identity), () => {
    if (!namesNode(request, captured.node_id)) return [];
    const indices = indicesOf(node.engine, "_all", EVERY);
    const { primaries, unassigned } = sumShards(indices);
    const indicesBytes = totalsOf(node, indices).storeBytes;
    const rows: AllocationRow[] = [
      { shards: primaries, place: { node, indicesBytes, disk: diskSpace(node.engine.dataFolder) } },
    ];
    const unnamed = captured.node_id === undefined || captured.node_id === "_all" || captured.node_id === "*";
    return unassigned > 0 && unnamed ? [...rows, { shards: unassigned, place: undefined }] : rows;
  });
}
