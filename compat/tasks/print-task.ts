/** A task as `_tasks` shows it. */
import type { Activity } from "../../engine/index.js";
import type { Identity } from "../identities.js";
import { printTaskId } from "./task-id.js";

/** How much of a task is shown, and to whom. */
export interface TaskForm {
  readonly node: string;
  readonly identity: Identity;
  readonly detailed: boolean;
}

/** Prints a task that runs. */
export function printTask(task: Activity, { node, identity, detailed }: TaskForm): Record<string, unknown> {
  const { start, id, startedAt, runningMs, cancelledAt } = task;
  const opensearch = identity.distribution !== undefined;
  const cancellable = start.cancel !== undefined;
  const status = detailed ? start.status?.() : undefined;
  return {
    node,
    id,
    type: start.type ?? "transport",
    action: start.action,
    ...(status === undefined || Object.keys(status).length === 0 ? {} : { status }),
    ...(detailed ? { description: start.describe() } : {}),
    start_time_in_millis: startedAt,
    running_time_in_nanos: Math.round(runningMs * 1e6),
    cancellable,
    ...(cancellable || opensearch ? { cancelled: cancelledAt !== undefined } : {}),
    ...(start.parent === undefined ? {} : { parent_task_id: printTaskId(node, start.parent) }),
    headers: start.headers ?? {},
    ...(detailed && opensearch ? { resource_stats: resourceStats(task) } : {}),
    ...(opensearch && cancelledAt !== undefined ? { cancellation_time_millis: cancelledAt } : {}),
  };
}

/** Memory is what the task holds; the time it had a processor is not measured by task. */
function resourceStats({ start }: Activity): Record<string, unknown> {
  const memory = start.memory?.() ?? 0;
  const none = { cpu_time_in_nanos: 0, memory_in_bytes: 0 };
  return {
    average: none,
    total: { cpu_time_in_nanos: 0, memory_in_bytes: memory },
    min: none,
    max: { cpu_time_in_nanos: 0, memory_in_bytes: memory },
    thread_info: { thread_executions: 0, active_threads: 0 },
  };
}
