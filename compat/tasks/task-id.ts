/** `node:number`, how tasks are called on the wire. */
import { illegalArgument } from "../errors.js";

/** A task's node and its number there. */
export interface TaskId {
  readonly node: string;
  readonly id: number;
}

/** Reads a task id. Throws ApiError 400. */
export function parseTaskId(text: string): TaskId {
  const colon = text.lastIndexOf(":");
  const number = text.slice(colon + 1);
  if (colon <= 0 || text.indexOf(":") !== colon) throw illegalArgument(`malformed task id ${text}`);
  if (!/^\d{1,15}$/.test(number)) {
    const cause = { type: "number_format_exception", reason: `For input string: "${number}"` };
    throw illegalArgument(`malformed task id ${text}`, cause);
  }
  return { node: text.slice(0, colon), id: Number(number) };
}

/** Prints a task id. */
export function printTaskId(node: string, id: number): string {
  return `${node}:${id}`;
}
