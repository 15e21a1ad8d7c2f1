/** Between cases everything goes that a case may have left. */
import { isMap, type Value } from "./values.js";
import type { Answer, Wire } from "./wire.js";

const TRIES = 100;
const PAUSE_MS = 50;

/** Removes snapshots, repositories, data streams, indices, templates, pipelines, scripts and settings. Throws NoAnswer, Error. */
export async function wipe(wire: Wire): Promise<void> {
  await removeRepositories(wire);
  await remove(wire, "/_data_stream/*?expand_wildcards=all");
  await unblock(wire);
  await remove(wire, "/*?expand_wildcards=open,closed,hidden");
  for (const path of ["/_template/*", "/_index_template/*", "/_component_template/*"]) await remove(wire, path);
  for (const id of await names(wire, "/_ingest/pipeline"))
    await remove(wire, `/_ingest/pipeline/${encodeURIComponent(id)}`);
  for (const id of await names(wire, "/_search/pipeline"))
    await remove(wire, `/_search/pipeline/${encodeURIComponent(id)}`);
  await removeScripts(wire);
  await resetSettings(wire);
  await settle(wire);
}

function get(wire: Wire, path: string): Promise<Answer> {
  return wire.send({ method: "GET", path, body: undefined });
}

/** A case that failed half way leaves indices that can't be removed. */
async function unblock(wire: Wire): Promise<void> {
  const path = "/_settings?expand_wildcards=all&allow_no_indices=true&ignore_unavailable=true";
  const body = { "index.blocks.read_only": null, "index.blocks.metadata": null };
  await wire.send({ method: "PUT", path, body: JSON.stringify(body) });
}

/** A server without the endpoint has nothing there to remove. */
async function remove(wire: Wire, path: string): Promise<void> {
  const { status, body } = await wire.send({ method: "DELETE", path, body: undefined });
  if (status >= 500) throw new Error(`DELETE ${path} answered ${status}: ${String(body)}`);
}

async function names(wire: Wire, path: string): Promise<string[]> {
  const { status, body } = await get(wire, path);
  return status < 400 && isMap(body) ? [...body.keys()] : [];
}

async function removeRepositories(wire: Wire): Promise<void> {
  for (const repository of await names(wire, "/_snapshot")) {
    const { body } = await get(wire, `/_snapshot/${repository}/_all?ignore_unavailable=true`);
    for (const snapshot of listAt(body, "snapshots")) {
      const name = isMap(snapshot) ? snapshot.get("snapshot") : undefined;
      if (typeof name === "string") await remove(wire, `/_snapshot/${repository}/${encodeURIComponent(name)}`);
    }
    await remove(wire, `/_snapshot/${repository}`);
  }
}

function listAt(body: Value, key: string): Value[] {
  const found = isMap(body) ? body.get(key) : undefined;
  return Array.isArray(found) ? found : [];
}

async function removeScripts(wire: Wire): Promise<void> {
  const { body } = await get(wire, "/_cluster/state/metadata?filter_path=metadata.stored_scripts");
  const metadata = isMap(body) ? body.get("metadata") : undefined;
  const scripts = isMap(metadata) ? metadata.get("stored_scripts") : undefined;
  if (isMap(scripts)) for (const id of scripts.keys()) await remove(wire, `/_scripts/${encodeURIComponent(id)}`);
}

async function resetSettings(wire: Wire): Promise<void> {
  const { body } = await get(wire, "/_cluster/settings?flat_settings=true");
  const nulls = (kind: string) => {
    const found = isMap(body) ? body.get(kind) : undefined;
    return isMap(found) ? Object.fromEntries([...found.keys()].map((key) => [key, null])) : {};
  };
  const change = { persistent: nulls("persistent"), transient: nulls("transient") };
  if (Object.keys(change.persistent).length + Object.keys(change.transient).length === 0) return;
  await wire.send({ method: "PUT", path: "/_cluster/settings", body: JSON.stringify(change) });
}

async function settle(wire: Wire): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { body } = await get(wire, "/_cluster/pending_tasks");
    if (listAt(body, "tasks").length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error("the server's pending tasks do not end");
}
