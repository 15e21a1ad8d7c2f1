import { type Client, WireError } from "../../client/index.js";
import { codeAnalysis, INDEX, PROPERTIES } from "../../code/index.js";
import { dataIndex } from "../documents/ids.js";

/** The four indices that hold code, in the order they are created. */
export const CODE_INDICES = [INDEX.files, INDEX.declarations, INDEX.references, INDEX.catalog] as const;

/** A Pinakes node has the code analyzer built in; any other cluster is told of it with each index. */
type ServerKind = "pinakes" | "other";

const kinds = new WeakMap<Client, ServerKind>();

async function serverKind(client: Client): Promise<ServerKind> {
  const known = kinds.get(client);
  if (known) return known;
  const reply = await client.request("GET", "/_pinakes/compat");
  const kind = reply.status === 200 ? "pinakes" : "other";
  kinds.set(client, kind);
  return kind;
}

/**
 * An index gets a replica as soon as there is a second machine to hold it; until then it is whole without one. Whoever
 * writes here refreshes at the end: a segment a second would be merged again and again while a large folder is read.
 */
const SETTINGS = { number_of_shards: 1, auto_expand_replicas: "0-1", refresh_interval: "30s" };

/** Creates the code indices that are missing, and adds the fields that those of an earlier version lack. */
export async function ensureCodeIndices(client: Client): Promise<void> {
  const missing: string[] = [];
  for (const index of CODE_INDICES) {
    const known = await fieldsOf(client, index);
    if (!known) missing.push(index);
    else await addFields(client, index, known);
  }
  if (missing.length === 0) return;
  const settings = codeSettings(await serverKind(client));
  for (const index of missing) {
    await create(client, index, { settings, mappings: { dynamic: "strict", properties: PROPERTIES[index] } });
  }
}

/**
 * Creates those of the code indices that were deleted under somebody who goes on writing: a bulk request would make them
 * with guessed fields. Says whether any was missing; that none is costs one small request.
 */
export async function restoreCodeIndices(client: Client): Promise<"were there" | "made anew"> {
  const reply = await client.request("HEAD", `/${CODE_INDICES.join(",")}`);
  if (reply.status === 200) return "were there";
  await ensureCodeIndices(client);
  return "made anew";
}

/** Indices whose documents change together. */
const TOGETHER = [INDEX.files, INDEX.declarations, INDEX.references].join(",");

/**
 * Keeps what is written from now on out of searches until it is released, refreshed by hand or by another run: a change
 * of more files than one request holds is seen as one. A cluster that does not let settings be changed shows it in parts.
 */
export async function holdRefreshes(client: Client): Promise<void> {
  await client.request("PUT", `/${TOGETHER}/_settings`, { index: { refresh_interval: "-1" } });
}

/** Has the indices refreshed as usual again, which whoever was cut off while holding them may have left undone. */
export async function releaseRefreshes(client: Client): Promise<void> {
  await client.request("PUT", `/${TOGETHER}/_settings`, { index: { refresh_interval: SETTINGS.refresh_interval } });
}

/** Creates the index of commits if it is missing: not every folder has any. */
export async function ensureCommitsIndex(client: Client): Promise<void> {
  const known = await fieldsOf(client, INDEX.commits);
  if (known) return addFields(client, INDEX.commits, known);
  const settings = codeSettings(await serverKind(client));
  await create(client, INDEX.commits, {
    settings,
    mappings: { dynamic: "strict", properties: PROPERTIES[INDEX.commits] },
  });
}

/** What is asked of a field here: its multi-fields. */
interface KnownField {
  readonly fields?: Readonly<Record<string, unknown>>;
}

type KnownFields = ReadonlyMap<string, KnownField>;

/** An index's fields by name; nothing when there is no such index. */
async function fieldsOf(client: Client, index: string): Promise<KnownFields | undefined> {
  const reply = await client.request("GET", `/${index}/_mapping`);
  if (reply.status === 404) return undefined;
  if (reply.status >= 400) throw new WireError(reply.status, "exception", `GET /${index}/_mapping`, reply.text);
  // Asked by an alias, the answer has the index's own name.
  type Answer = Record<string, { mappings: { properties?: Record<string, KnownField> } }>;
  const [found] = Object.values(JSON.parse(reply.text) as Answer);
  return new Map(Object.entries(found?.mappings.properties ?? {}));
}

/** A field that is there, but lacks one of its multi-fields, is told of whole: what it is stays as it is. */
async function addFields(client: Client, index: string, known: KnownFields): Promise<void> {
  const lacking = Object.entries(PROPERTIES[index]!).filter(([name, field]) => {
    const existing = known.get(name);
    const wanted = Object.keys((field as KnownField).fields ?? {});
    return existing === undefined || wanted.some((multi) => existing.fields?.[multi] === undefined);
  });
  if (lacking.length === 0) return;
  await client.json("PUT", `/${index}/_mapping`, { properties: Object.fromEntries(lacking) });
}

function codeSettings(kind: ServerKind): Record<string, unknown> {
  return kind === "pinakes" ? { index: SETTINGS } : { index: SETTINGS, analysis: codeAnalysis };
}

/** An empty index for a data set; what an earlier state of the file left is gone with its mapping. */
export async function createDataIndex(
  client: Client,
  dataset: string,
  properties: Record<string, unknown>,
): Promise<void> {
  await deleteDataIndex(client, dataset);
  await create(client, dataIndex(dataset), { settings: { index: SETTINGS }, mappings: { properties } });
}

/** Removes a data set's index; one that is not there is fine. */
export async function deleteDataIndex(client: Client, dataset: string): Promise<void> {
  const reply = await client.request("DELETE", `/${encodeURIComponent(dataIndex(dataset))}`);
  if (reply.status >= 400 && reply.status !== 404) {
    throw new WireError(reply.status, "exception", `DELETE ${dataIndex(dataset)}`, reply.text);
  }
}

async function create(client: Client, index: string, body: unknown): Promise<void> {
  try {
    await client.json("PUT", `/${encodeURIComponent(index)}`, body);
  } catch (error) {
    // Another run may have made it between our look and our request.
    if (!(error instanceof WireError && error.type === "resource_already_exists_exception")) throw error;
  }
}

/** Makes all that was written visible to searches. */
export async function refreshIndices(client: Client, indices: readonly string[]): Promise<void> {
  for (let at = 0; at < indices.length; at += 50) {
    const names = indices.slice(at, at + 50).map(encodeURIComponent);
    await client.json("POST", `/${names.join(",")}/_refresh`);
  }
}
