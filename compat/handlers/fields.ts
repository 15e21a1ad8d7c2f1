/** `_field_caps`: which fields there are, of which types, and what they are good for. */
import type { FieldMapping, Index, ObjectMapping } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument, notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { indicesOf, nameOptions, wildcard } from "../indices/names.js";

export const FIELD_CAPS_SHAPE = shape("field_caps", "object", { fields: "strings" }, [
  "index_filter",
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

const METADATA_FIELDS: Readonly<Record<string, Capability>> = {
  _id: metadata("_id", true, false),
  _index: metadata("_index", false, false),
  _seq_no: metadata("_seq_no", false, false),
  _source: metadata("_source", false, false),
  _version: metadata("_version", false, false),
};

/** What one field of one index can do. */
function capability(field: FieldMapping | ObjectMapping): Capability {
  if (field.type === "object") return { type: "object", metadata_field: false, searchable: false, aggregatable: false };
  const columns = field.type !== "text" && field.type !== "dense_vector" && field.docValues !== false;
  return {
    type: field.type,
    metadata_field: false,
    searchable: field.index !== false,
    aggregatable: columns,
    ...(field.meta === undefined ? {} : { meta: field.meta }),
  };
}

export function fieldCaps(request: ApiRequest, body: BodyOf<typeof FIELD_CAPS_SHAPE>): Reply {
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
  const indices = indicesOf(request.node.engine, request.captured.index ?? "_all", nameOptions(parameters));
  const byName = gather(indices, chooser(request, asked));
  const unmapped = parameters.boolean("include_unmapped", false);
  const fields: Record<string, unknown> = {};
  for (const [name, byType] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1)))
    fields[name] = describe(byType, indices, unmapped);
  return json({ indices: indices.map((index) => index.name), fields });
}

function chooser(request: ApiRequest, asked: readonly string[]): (name: string, capability: Capability) => boolean {
  const patterns = asked.map((pattern) => wildcard(pattern));
  const types = request.parameters.list("types");
  const filters = request.parameters.list("filters") ?? [];
  return (name, { type, metadata_field }) =>
    patterns.some((matches) => matches(name)) &&
    (types === undefined || types.includes(type)) &&
    !(filters.includes("-metadata") && metadata_field) &&
    !(filters.includes("+metadata") && !metadata_field) &&
    !(filters.includes("-parent") && type === "object");
}

/** Field name to type to the indices that have it so. */
type Gathered = Map<string, Map<string, { index: string; capability: Capability }[]>>;

function gather(indices: readonly Index[], chosen: ReturnType<typeof chooser>): Gathered {
  const gathered: Gathered = new Map();
  const add = (index: string, name: string, found: Capability) => {
    if (!chosen(name, found)) return;
    const byType = gathered.get(name) ?? new Map<string, { index: string; capability: Capability }[]>();
    gathered.set(name, byType);
    byType.set(found.type, [...(byType.get(found.type) ?? []), { index, capability: found }]);
  };
  for (const index of indices) {
    for (const [name, found] of Object.entries(METADATA_FIELDS)) add(index.name, name, found);
    for (const [name, field] of index.fields()) add(index.name, name, capability(field));
  }
  return gathered;
}

type ByType = Map<string, { index: string; capability: Capability }[]>;

function describe(byType: ByType, indices: readonly Index[], includeUnmapped: boolean): Record<string, unknown> {
  const mapped = new Set([...byType.values()].flatMap((uses) => uses.map((use) => use.index)));
  const unmapped = indices.map((index) => index.name).filter((name) => !mapped.has(name));
  const several = byType.size > 1 || (includeUnmapped && unmapped.length > 0);
  const described: Record<string, unknown> = {};
  for (const [type, uses] of byType) {
    const searchable = uses.every((use) => use.capability.searchable);
    const aggregatable = uses.every((use) => use.capability.aggregatable);
    described[type] = {
      type,
      metadata_field: uses[0].capability.metadata_field,
      searchable,
      aggregatable,
      ...(several ? { indices: uses.map((use) => use.index) } : {}),
      ...mergedMeta(uses),
      ...partly("non_searchable_indices", uses, (use) => use.searchable),
      ...partly("non_aggregatable_indices", uses, (use) => use.aggregatable),
    };
  }
  if (includeUnmapped && unmapped.length > 0) {
    described.unmapped = {
      type: "unmapped",
      metadata_field: false,
      searchable: false,
      aggregatable: false,
      indices: unmapped,
    };
  }
  return described;
}

/** Every value that the indices give for a note of the field. */
function mergedMeta(uses: readonly { capability: Capability }[]): Record<string, unknown> {
  const merged: Record<string, Set<string>> = {};
  for (const { capability } of uses) {
    for (const [name, value] of Object.entries(capability.meta ?? {})) {
      merged[name] ??= new Set();
      merged[name].add(value);
    }
  }
  const entries = Object.entries(merged).map(([name, values]) => [name, [...values].sort()]);
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
