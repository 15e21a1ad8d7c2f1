/** `_field_caps`: which fields there are, of which types, and what they are good for. */
import type { FieldMapping, Index, ObjectMapping } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument, notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { unblocked } from "../indices/blocks.js";
import { DOCUMENTS, indicesOf, nameOptions, wildcard } from "../indices/names.js";
import { type JsonObject, setMember } from "../json/value.js";
import { readQuery } from "../query/index.js";

export const FIELD_CAPS_SHAPE = shape("field_caps", "object", { fields: "strings", index_filter: "object" }, [
  "runtime_mappings",
]);

interface Capability {
  readonly type: string;
  readonly metadata_field: boolean;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
  readonly meta?: Readonly<Record<string, string>>;
}

const metadata = (type: string, searchable: boolean, aggregatable: boolean): Capability => ({
  type,
  metadata_field: true,
  searchable,
  aggregatable,
});

/** OpenSearch aggregates by `_id`, Elasticsearch has that switched off. */
const metadataFields = (identity: Identity): Readonly<Record<string, Capability>> => ({
  _id: metadata("_id", true, identity.distribution === "opensearch"),
  _index: metadata("_index", true, true),
  _seq_no: metadata("_seq_no", true, true),
  _source: metadata("_source", false, false),
  _version: metadata("_version", false, identity.distribution !== "opensearch"),
});

const OBJECT: Capability = { type: "object", metadata_field: false, searchable: false, aggregatable: false };

const WITHOUT_COLUMN: ReadonlySet<string> = new Set(["completion", "text", "wildcard", "dense_vector", "flat_object"]);

/** What one field of one index can do. */
function capability(field: FieldMapping | ObjectMapping): Capability {
  if (field.type === "object") return field.nested === true ? { ...OBJECT, type: "nested" } : OBJECT;
  const columns = field.type === "binary" ? false : !WITHOUT_COLUMN.has(field.type) && field.docValues !== false;
  return {
    type: familyOf(field),
    metadata_field: false,
    searchable: field.index !== false && field.type !== "binary",
    aggregatable: columns || field.fielddata === true,
    ...(field.meta === undefined ? {} : { meta: field.meta }),
  };
}

/** The family of a type, as Elasticsearch says it: what is searched alike. */
function familyOf({ type, kept, scale }: FieldMapping): string {
  if (type === "wildcard") return "keyword";
  const named = type === "flat_object" || scale !== undefined;
  return named && typeof kept?.type === "string" ? kept.type : type;
}

export async function fieldCaps(request: ApiRequest, body: BodyOf<typeof FIELD_CAPS_SHAPE>): Promise<Reply> {
  const { parameters } = request;
  const asked = body.fields ?? parameters.list("fields");
  if (asked === undefined || asked.length === 0) throw illegalArgument("specified fields can't be null or empty");
  if (
    (parameters.list("filters") ?? []).some(
      (filter) => filter !== "-metadata" && filter !== "+metadata" && filter !== "-parent",
    )
  ) {
    throw notSupported("[filters] other than -metadata, +metadata and -parent in [field_caps]");
  }
  const options = nameOptions(parameters, DOCUMENTS);
  const named = unblocked(indicesOf(request.node.engine, request.captured.index ?? "_all", options), "read");
  const indices = body.index_filter === undefined ? named : await matching(request, named, body.index_filter);
  const byName = gather(request, indices, chooser(request, asked));
  const unmapped = parameters.boolean("include_unmapped", false);
  const withMetadata = request.identity.distribution !== "opensearch";
  const fields: Record<string, unknown> = {};
  for (const [name, byType] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1)))
    setMember(fields, name, describe(byType, indices, { unmapped, withMetadata }));
  return json({ indices: indices.map((index) => index.name), fields });
}

/** The indices that have a document which the query finds. */
async function matching(request: ApiRequest, indices: readonly Index[], filter: JsonObject): Promise<Index[]> {
  const query = readQuery(filter);
  const { task } = request;
  const { signal, memory } = task;
  const { engine } = request.node;
  const sound = indices.filter(({ damage }) => damage === undefined);
  const counts = await Promise.all(sound.map(({ name }) => engine.count([{ index: name }], query, { signal, memory })));
  return sound.filter((_, at) => counts[at] > 0);
}

interface Chooser {
  chooses(name: string, capability: Capability): boolean;
  /** Whether objects are listed for the fields they hold. */
  readonly parents: boolean;
}

function chooser(request: ApiRequest, asked: readonly string[]): Chooser {
  const patterns = asked.map((pattern) => wildcard(pattern));
  const types = request.parameters.list("types");
  const filters = request.parameters.list("filters") ?? [];
  return {
    parents: !filters.includes("-parent"),
    chooses: (name, { type, metadata_field }) =>
      patterns.some((matches) => matches(name)) &&
      (types === undefined || types.includes(type)) &&
      !(filters.includes("-metadata") && metadata_field) &&
      !(filters.includes("+metadata") && !metadata_field),
  };
}

/** Field name to type to the indices that have it so. */
type Gathered = Map<string, Map<string, { index: string; capability: Capability }[]>>;

function gather(request: ApiRequest, indices: readonly Index[], { chooses, parents }: Chooser): Gathered {
  const gathered: Gathered = new Map();
  const add = (index: string, name: string, found: Capability) => {
    const byType = gathered.get(name) ?? new Map<string, { index: string; capability: Capability }[]>();
    gathered.set(name, byType);
    byType.set(found.type, [...(byType.get(found.type) ?? []), { index, capability: found }]);
  };
  const own = metadataFields(request.identity);
  for (const index of indices) {
    for (const [name, found] of Object.entries(own)) if (chooses(name, found)) add(index.name, name, found);
    const fields = index.fields();
    const objects = new Set<string>();
    for (const [name, field] of fields) {
      const found = capability(field);
      if (field.type === "object" || !chooses(name, found)) continue;
      add(index.name, name, found);
      if (parents) for (const parent of parentsOf(name)) objects.add(parent);
    }
    for (const name of objects) {
      const object = fields.get(name);
      if (object?.type === "object") add(index.name, name, capability(object));
    }
  }
  return gathered;
}

/** `a` and `a.b` of `a.b.c`. Objects are listed for the fields in them that were asked for, never by their own name. */
function parentsOf(name: string): string[] {
  const names = name.split(".");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("."));
}

type ByType = Map<string, { index: string; capability: Capability }[]>;

interface Shown {
  /** Indices without the field are listed too. */
  readonly unmapped: boolean;
  /** Whether `metadata_field` is said: OpenSearch has no such member. */
  readonly withMetadata: boolean;
}

function describe(byType: ByType, indices: readonly Index[], shown: Shown): Record<string, unknown> {
  const mapped = new Set([...byType.values()].flatMap((uses) => uses.map((use) => use.index)));
  const unmapped = indices.map((index) => index.name).filter((name) => !mapped.has(name));
  const several = byType.size > 1 || (shown.unmapped && unmapped.length > 0);
  const described: Record<string, unknown> = {};
  for (const [type, uses] of byType) {
    const searchable = uses.every((use) => use.capability.searchable);
    const aggregatable = uses.every((use) => use.capability.aggregatable);
    described[type] = {
      type,
      ...(shown.withMetadata ? { metadata_field: uses[0].capability.metadata_field } : {}),
      searchable,
      aggregatable,
      ...(several ? { indices: uses.map((use) => use.index) } : {}),
      ...mergedMeta(uses),
      ...partly("non_searchable_indices", uses, (use) => use.searchable),
      ...partly("non_aggregatable_indices", uses, (use) => use.aggregatable),
    };
  }
  if (shown.unmapped && unmapped.length > 0) {
    described.unmapped = {
      type: "unmapped",
      ...(shown.withMetadata ? { metadata_field: false } : {}),
      searchable: false,
      aggregatable: false,
      indices: unmapped,
    };
  }
  return described;
}

/** Every value that the indices give for a note of the field. */
function mergedMeta(uses: readonly { capability: Capability }[]): Record<string, unknown> {
  const merged = new Map<string, Set<string>>();
  for (const { capability } of uses) {
    for (const [name, value] of Object.entries(capability.meta ?? {})) {
      merged.set(name, (merged.get(name) ?? new Set()).add(value));
    }
  }
  const entries = [...merged].map(([name, values]) => [name, [...values].sort()]);
  return entries.length === 0 ? {} : { meta: Object.fromEntries(entries) };
}

function partly(
  name: string,
  uses: readonly { index: string; capability: Capability }[],
  can: (capability: Capability) => boolean,
) {
  const cannot = uses.filter((use) => !can(use.capability)).map((use) => use.index);
  return cannot.length === 0 || cannot.length === uses.length ? {} : { [name]: cannot };
}
