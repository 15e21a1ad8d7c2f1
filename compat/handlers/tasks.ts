/** `_tasks` and `_cat/tasks`: what runs on the node, and what became of tasks that ran on after their request. */
import type { Activity } from "../../engine/index.js";
import { answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf, namesNode, nodeHead, portOf } from "../cluster/node-names.js";
import { ApiError, type ErrorCause } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { wildcard } from "../indices/names.js";
import { Exact } from "../json/print.js";
import { printTask } from "../tasks/print-task.js";
import { parseTaskId, printTaskId, type TaskId } from "../tasks/task-id.js";
import { printRunningTime } from "../units.js";

type Printed = Record<string, unknown>;

const DEFAULT_WAIT_MS = 30_000;

/** Tasks that the parameters `nodes`, `actions` and `parent_task_id` let through. */
function chosen(request: ApiRequest): readonly Activity[] {
  const { node, parameters } = request;
  const parent = parameters.text("parent_task_id");
  const wanted = parent === undefined ? undefined : parseTaskId(parent);
  if (!namesNode(request, parameters.text("nodes"))) return [];
  const patterns = parameters.list("actions")?.map(wildcard);
  return node.engine.resources.activities.list().filter(({ start }) => {
    if (patterns !== undefined && !patterns.some((matches) => matches(start.action))) return false;
    return wanted === undefined || (wanted.node === node.id && wanted.id === start.parent);
  });
}

/** `GET /_tasks` */
export async function listTasks(request: ApiRequest): Promise<Reply> {
  const { parameters } = request;
  const groupBy = parameters.text("group_by") ?? "nodes";
  const tasks = chosen(request);
  if (parameters.boolean("wait_for_completion", false)) await waitForAll(request, tasks);
  return json(groupedTasks(request, tasks, { groupBy, detailed: parameters.boolean("detailed", false) }));
}

/** Waits for others to end; for itself it would wait for ever. */
async function waitForAll(request: ApiRequest, tasks: readonly Activity[]): Promise<void> {
  const others = tasks.filter(({ id }) => id !== request.task.id);
  await Promise.all(others.map(({ id }) => waitFor(request, id)));
}

async function waitFor(request: ApiRequest, id: number): Promise<void> {
  const { node, parameters } = request;
  const patience = parameters.duration("timeout") ?? DEFAULT_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), patience);
  });
  const outcome = await Promise.race([node.engine.resources.activities.ended(id), late]);
  clearTimeout(timer);
  if (outcome !== "late") return;
  const name = printTaskId(node.id, id);
  // Elasticsearch's status since 8.13; 500, as it was before and is in OpenSearch, would say that the node failed.
  throw new ApiError(429, "timeout_exception", `Timed out waiting for completion of task [${name}]`);
}

/** Tasks as `_tasks` groups them. */
export function groupedTasks(
  request: ApiRequest,
  tasks: readonly Activity[],
  { groupBy, detailed }: { groupBy: string; detailed: boolean },
): Printed {
  const { node, identity } = request;
  const form = { node: node.id, identity, detailed };
  const nameOf = ({ id }: Activity) => printTaskId(node.id, id);
  if (groupBy === "none") return { tasks: tasks.map((task) => printTask(task, form)) };
  if (groupBy === "parents") {
    const printed = new Map(tasks.map((task) => [task.id, printTask(task, form)]));
    const roots = tasks.filter((task) => !adopt(task, printed));
    return { tasks: Object.fromEntries(roots.map((task) => [nameOf(task), printed.get(task.id)])) };
  }
  const entries = tasks.map((task) => [nameOf(task), printTask(task, form)]);
  if (entries.length === 0) return { nodes: {} };
  return { nodes: { [node.id]: { ...nodeHead(request), tasks: Object.fromEntries(entries) } } };
}

/** Puts a task below its parent, if that is among them. */
function adopt({ id, start }: Activity, printed: ReadonlyMap<number, Printed>): boolean {
  const parent = start.parent === undefined ? undefined : printed.get(start.parent);
  if (parent === undefined) return false;
  parent.children = [...((parent.children as unknown[] | undefined) ?? []), printed.get(id)];
  return true;
}

/** `GET /_tasks/{task_id}`: one that runs, or the result of one that ran on after its request was answered. */
export async function getTask(request: ApiRequest): Promise<Reply> {
  const { node, captured, parameters, identity } = request;
  const wanted = parseTaskId(captured.task_id);
  if (wanted.node !== node.id) throw otherNode(wanted);
  const { activities } = node.engine.resources;
  const waits = parameters.boolean("wait_for_completion", false);
  const running = activities.find(wanted.id);
  if (running !== undefined && waits) await waitFor(request, wanted.id);
  const result = node.tasks.find(wanted.id);
  if (result !== undefined) {
    const { task, response, error } = result;
    return json({
      completed: true,
      task: new Exact(task),
      ...(response === undefined ? {} : { response: new Exact(response) }),
      ...(error === undefined ? {} : { error: new Exact(error) }),
    });
  }
  if (running === undefined) throw notFound(notRunning(wanted));
  const form = { node: node.id, identity, detailed: true };
  return json({ completed: waits, task: printTask(running, form) });
}

function notRunning({ node, id }: TaskId): string {
  return `task [${printTaskId(node, id)}] isn't running and hasn't stored its results`;
}

function notFound(reason: string, causedBy?: ErrorCause): ApiError {
  return new ApiError(404, "resource_not_found_exception", reason, { causedBy });
}

function otherNode(wanted: TaskId): ApiError {
  const reason =
    `task [${printTaskId(wanted.node, wanted.id)}] belongs to the node [${wanted.node}] which isn't part of the ` +
    "cluster and there is no record of the task";
  return notFound(reason, { type: "resource_not_found_exception", reason: notRunning(wanted) });
}

/** `POST /_tasks/_cancel` and `POST /_tasks/{task_id}/_cancel` */
export async function cancelTasks(request: ApiRequest): Promise<Reply> {
  const { node, captured, parameters } = request;
  const { activities } = node.engine.resources;
  const single = captured.task_id === undefined ? undefined : parseTaskId(captured.task_id);
  if (single !== undefined) {
    const failure = cancelFailure(request, single);
    if (failure !== undefined) return json({ node_failures: [failure], nodes: {} });
  }
  const tasks =
    single === undefined
      ? chosen(request).filter(({ start }) => start.cancel !== undefined)
      : activities.list().filter(({ id }) => id === single.id);
  for (const { id } of tasks) activities.cancel(id, "by user request");
  const answer = groupedTasks(request, tasks, { groupBy: parameters.text("group_by") ?? "nodes", detailed: false });
  if (parameters.boolean("wait_for_completion", false)) await waitForAll(request, tasks);
  return json(answer);
}

/** Why one task can't be cancelled, as Elasticsearch lists it. */
function cancelFailure(request: ApiRequest, { node, id }: TaskId): Printed | undefined {
  const failed = (type: string, reason: string, more: Printed = {}) => ({
    type: "failed_node_exception",
    reason: `Failed node [${node}]`,
    node_id: node,
    caused_by: { type, reason, ...more },
  });
  if (node !== request.node.id) return failed("no_such_node_exception", `No such node [${node}]`, { node_id: node });
  const name = printTaskId(node, id);
  const found = request.node.engine.resources.activities.find(id);
  if (found === undefined) return failed("resource_not_found_exception", `task [${name}] is not found`);
  if (found.start.cancel !== undefined) return undefined;
  return failed("illegal_argument_exception", `task [${name}] doesn't support cancellation`);
}

interface TaskRow {
  readonly request: ApiRequest;
  readonly task: Activity;
}

const COLUMNS: readonly Column<TaskRow>[] = [
  extra("id", "", "id of the task with the node", ({ task }) => task.id),
  column("action", "ac", "task action", ({ task }) => task.start.action),
  column("task_id", "ti", "unique task id", ({ request, task }) => printTaskId(request.node.id, task.id)),
  column("parent_task_id", "pti", "parent task id", ({ request, task }) =>
    task.start.parent === undefined ? "-" : printTaskId(request.node.id, task.start.parent),
  ),
  column("type", "ty", "task type", ({ task }) => task.start.type ?? "transport"),
  column("start_time", "start", "start time in ms", ({ task }) => String(task.startedAt)),
  column("timestamp", "ts,hms,hhmmss", "start time in HH:MM:SS", ({ task }) =>
    new Date(task.startedAt).toISOString().slice(11, 19),
  ),
  extra("running_time_ns", "", "running time ns", ({ task }) => Math.round(task.runningMs * 1e6)),
  column("running_time", "time", "running time", ({ task }) => printRunningTime(task.runningMs)),
  extra("node_id", "ni", "unique node id", ({ request }) => request.node.id),
  column("ip", "i", "ip address", ({ request }) => hostOf(request.node)),
  extra("port", "po", "bound transport port", ({ request }) => portOf(request.node)),
  column("node", "n", "node name", ({ request }) => request.node.name),
  extra("version", "v", "es version", ({ request }) => request.identity.version),
  extra("x_opaque_id", "x", "X-Opaque-ID header", ({ task }) => task.start.headers?.["X-Opaque-Id"] ?? "-"),
];

const DESCRIPTION: Column<TaskRow> = column("description", "desc", "task action", ({ task }) => task.start.describe());

/** `GET /_cat/tasks` */
export function catTasks(request: ApiRequest): Reply {
  const columns = request.parameters.boolean("detailed", false) ? [...COLUMNS, DESCRIPTION] : COLUMNS;
  return answerTable(request, columns, () => chosen(request).map((task) => ({ request, task })));
}
