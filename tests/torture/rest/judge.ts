/** What may be wrong with an answer, whatever was asked. */
import type { Answer } from "./exchange.js";

/** Statuses that say the node itself failed; 503 and 504 say that something is not to be had now. */
const FAILURES = new Set([500, 501, 502, 505]);
/** Elasticsearch answers 500, too, about a repository that is not where a request says, or is damaged. */
const OF_REPOSITORIES = /"type":"(repository|repository_verification|snapshot|snapshot_restore)_exception"/;

/** Whether the node failed in a way that the request asked for. */
export function isOfRepositories({ status, text }: Answer): boolean {
  return FAILURES.has(status) && OF_REPOSITORIES.test(text);
}

/** One line for what is wrong; undefined when nothing is. */
export function faultOf(method: string, answer: Answer): string | undefined {
  const { status, headers, text } = answer;
  if (FAILURES.has(status) && !isOfRepositories(answer)) return `status ${status}: ${text.slice(0, 400)}`;
  if (headers["x-elastic-product"] !== "Elasticsearch") return `status ${status} without the product's header`;
  if (method === "HEAD") return text === "" ? undefined : "HEAD was answered with a body";
  if (!isJson(String(headers["content-type"] ?? ""))) return undefined;
  const body = parsed(text);
  if (body === undefined) return `status ${status} with a body that is no JSON: ${text.slice(0, 400)}`;
  const inner = failedPart(body);
  return inner === undefined
    ? undefined
    : `status ${status} with a failed part: ${JSON.stringify(inner).slice(0, 400)}`;
}

/** The same of what came back on a bare connection; hanging up is allowed. */
export function faultOfBytes(text: string): string | undefined {
  if (text === "") return undefined;
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(text)?.[1]);
  if (Number.isNaN(status)) return `an answer that is no HTTP: ${text.slice(0, 200)}`;
  return FAILURES.has(status) ? `status ${status}: ${text.slice(0, 400)}` : undefined;
}

function isJson(type: string): boolean {
  return /json/.test(type) && !/ndjson/.test(type);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the fault that is looked for
  }
}

/** Lists whose members have a status of their own: bulk items, answers of several searches, failed shards. */
function failedPart(body: unknown): unknown {
  const { items, responses, failures, _shards } = (body ?? {}) as Record<string, unknown>;
  const shards = (_shards as { failures?: unknown } | undefined)?.failures;
  const parts = [
    ...listOf(items).flatMap((item) => Object.values((item ?? {}) as object)),
    ...listOf(responses),
    ...listOf(failures),
    ...listOf(shards),
  ];
  return parts.find((part) => FAILURES.has((part as { status?: number } | null)?.status ?? 0));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
