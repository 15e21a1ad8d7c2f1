/** Removes what cases left, all but the index of control, so that the node neither fills up nor stays misconfigured. */
import { IDENTITY_HEADER } from "../../../compat/identities.js";
import { CONTROL_INDEX } from "./courtesy.js";
import { ask } from "./exchange.js";

const REGISTRIES = ["/_template", "/_index_template", "/_component_template"];
const NAMED = ["/_ingest/pipeline", "/_search/pipeline"];

/** See the head of this file; what is refused is left. Throws NoAnswer. */
export async function tidy(url: string): Promise<void> {
  await resetSettings(url);
  // Points in time can be closed together in OpenSearch's form only.
  const headers = { [IDENTITY_HEADER]: "os2" };
  await ask(url, "DELETE", "/_search/point_in_time/_all", { headers });
  await ask(url, "DELETE", "/_search/scroll/_all");
  await ask(url, "DELETE", "/_data_stream/*?expand_wildcards=all");
  for (const { index } of (await read<{ index: string }[]>(url, "/_cat/indices?expand_wildcards=all&format=json")) ??
    [])
    if (index !== CONTROL_INDEX) await ask(url, "DELETE", `/${encodeURIComponent(index)}`);
  for (const registry of REGISTRIES) await ask(url, "DELETE", `${registry}/*`);
  for (const registry of NAMED)
    for (const id of Object.keys((await read<object>(url, registry)) ?? {}))
      await ask(url, "DELETE", `${registry}/${encodeURIComponent(id)}`);
}

/** undefined: refused. */
async function read<T>(url: string, path: string): Promise<T | undefined> {
  const { status, text } = await ask(url, "GET", path);
  return status === 200 ? (JSON.parse(text) as T) : undefined;
}

type Flat = Record<"persistent" | "transient", Record<string, unknown>>;

async function resetSettings(url: string): Promise<void> {
  const given = await read<Flat>(url, "/_cluster/settings?flat_settings=true");
  if (given === undefined) return;
  const nulls = (kind: keyof Flat) => Object.fromEntries(Object.keys(given[kind] ?? {}).map((key) => [key, null]));
  const body = JSON.stringify({ persistent: nulls("persistent"), transient: nulls("transient") });
  await ask(url, "PUT", "/_cluster/settings", { body });
}
