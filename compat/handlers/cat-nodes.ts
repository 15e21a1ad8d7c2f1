/** `_cat/nodes` */
import { loadavg } from "node:os";
import { aligned, answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf, portOf, ROLE_LETTERS, rolesOf } from "../cluster/node-names.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { EVERY, indicesOf } from "../indices/names.js";
import { type DiskSpace, diskSpace } from "../process/fs-stats.js";
import { heapNumbers } from "../process/heap-stats.js";
import { fileDescriptors, machineMemoryStats } from "../process/os-stats.js";
import { statColumns } from "../stats/columns.js";
import { type Totals, totalsOf } from "../stats/totals.js";

interface NodeRow {
  readonly request: ApiRequest;
  readonly totals: Totals;
  readonly disk: DiskSpace;
  readonly heap: ReturnType<typeof heapNumbers>;
  readonly memory: Record<string, number>;
  readonly files: { readonly open: number; readonly max: number };
}

const percentOf = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.round((part / whole) * 100));

const load = (name: string, title: string, at: number): Column<NodeRow> =>
  aligned(
    "right",
    column(name, "l", title, () => loadavg()[at].toFixed(2)),
  );

const MACHINE: readonly Column<NodeRow>[] = [
  extra("id", "nodeId", "unique node id", ({ request: { node, parameters } }) =>
    parameters.boolean("full_id", false) ? node.id : node.id.slice(0, 4),
  ),
  extra("pid", "p", "process id", () => process.pid),
  column("ip", "i", "ip address", ({ request }) => hostOf(request.node)),
  extra("port", "po", "bound transport port", ({ request }) => portOf(request.node)),
  extra("http_address", "http", "bound http address", ({ request }) => request.node.address()),
  extra("version", "v", "es version", ({ request }) => request.identity.version),
  extra("type", "t", "es distribution type", () => "tar"),
  extra("build", "b", "es build hash", () => "pinakes0000000000000000000000000000000000"),
  extra("jdk", "j", "jdk version", () => process.versions.node),
  extra("disk.total", "dt,diskTotal", "total disk space", ({ disk }) => ({ bytes: disk.total })),
  extra("disk.used", "du,diskUsed", "used disk space", ({ disk }) => ({ bytes: disk.total - disk.available })),
  extra("disk.avail", "d,da,disk,diskAvail", "available disk space", ({ disk }) => ({ bytes: disk.available })),
  aligned(
    "right",
    extra("disk.used_percent", "dup,diskUsedPercent", "used disk space percentage", ({ disk }) =>
      ((1 - disk.available / disk.total) * 100).toFixed(2),
    ),
  ),
  extra("heap.current", "hc,heapCurrent", "used heap", ({ heap }) => ({ bytes: heap.used })),
  column("heap.percent", "hp,heapPercent", "used heap ratio", ({ heap }) => heap.percent),
  extra("heap.max", "hm,heapMax", "max configured heap", ({ heap }) => ({ bytes: heap.max })),
  extra("ram.current", "rc,ramCurrent", "used machine memory", ({ memory }) => ({ bytes: memory.used_in_bytes })),
  column("ram.percent", "rp,ramPercent", "used machine memory ratio", ({ memory }) => memory.used_percent),
  extra("ram.max", "rm,ramMax", "total machine memory", ({ memory }) => ({ bytes: memory.total_in_bytes })),
  extra("file_desc.current", "fdc,fileDescriptorCurrent", "used file descriptors", ({ files }) => files.open),
  extra("file_desc.percent", "fdp,fileDescriptorPercent", "used file descriptor ratio", ({ files }) =>
    percentOf(files.open, files.max),
  ),
  extra("file_desc.max", "fdm,fileDescriptorMax", "max file descriptors", ({ files }) => files.max),
  column("cpu", "", "recent cpu usage", ({ request }) => request.node.cpu.load().machinePercent),
  load("load_1m", "1m load avg", 0),
  load("load_5m", "5m load avg", 1),
  load("load_15m", "15m load avg", 2),
  extra("uptime", "u", "node uptime", ({ request: { node } }) => ({ millis: node.now() - node.startedAt })),
  column("node.role", "r,role,nodeRole", "m:master eligible node, d:data node, i:ingest node", () => ROLE_LETTERS),
];

/** What the products call the node that leads. */
function leaderColumns(identity: Identity): Column<NodeRow>[] {
  if (identity.distribution === undefined) return [column("master", "m", "*:current master", () => "*")];
  return [
    column("node.roles", "rs,all roles", "-:coordinating node only", () => rolesOf(identity).join(",")),
    column("cluster_manager", "cm,m,master", "*:current cluster manager", () => "*"),
  ];
}

const NAME: Column<NodeRow> = column("name", "n", "node name", ({ request }) => request.node.name);

export function catNodes(request: ApiRequest): Reply {
  const { node, identity } = request;
  const statistics = statColumns<NodeRow>("nodes", identity, ({ totals }) => totals);
  const columns = [...MACHINE, ...leaderColumns(identity), NAME, ...statistics];
  return answerTable(request, columns, () => [
    {
      request,
      totals: totalsOf(node, indicesOf(node.engine, "_all", EVERY)),
      disk: diskSpace(node.engine.dataFolder),
      heap: heapNumbers(),
      memory: machineMemoryStats(),
      files: fileDescriptors(),
    },
  ]);
}
