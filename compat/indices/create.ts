/** Making an index. */
import type { EngineFace, Index } from "../../engine/index.js";
import { dataStreamOf } from "../data-streams/kept.js";
import { ApiError, illegalArgument } from "../errors.js";
import { allTemplates } from "../templates/kept.js";
import { type AskedIndex, type IndexPlan, planIndex } from "../templates/plan-index.js";
import type { Templates } from "../templates/template.js";
import { AliasChanges, aliasOf } from "./aliases.js";
import { checkIndexName } from "./names.js";

/** Creates an index by what is asked and what templates say; throws ApiError 400 when the name is taken or not allowed. */
export async function createIndex(
  engine: EngineFace,
  asked: AskedIndex,
  templates: Templates = allTemplates(engine),
): Promise<Index> {
  checkFree(engine, asked.name);
  return makeIndex(engine, planIndex(templates, asked));
}

/** Makes a planned index, its aliases and `records` of the node's metadata durable together. */
export async function makeIndex(
  engine: EngineFace,
  { name, definition, aliases }: IndexPlan,
  records: Readonly<Record<string, unknown>> = {},
): Promise<Index> {
  const changes = new AliasChanges(engine);
  for (const [alias, entry] of Object.entries(aliases)) {
    if (alias === name) throw illegalArgument(`alias name [${alias}] self-conflicts with index name`);
    changes.add(alias, name, entry);
  }
  return engine.createIndex(name, definition, { ...changes.records(), ...records });
}

/** The plan, with the name that it was asked for by where that says a date. */
export function withProvidedName(plan: IndexPlan, given: string): IndexPlan {
  if (given === plan.name) return plan;
  const settings = { ...plan.definition.settings, provided_name: given };
  return { ...plan, definition: { ...plan.definition, settings } };
}

/** Throws ApiError 400 for a name that no new index may have. */
export function checkFree(engine: EngineFace, name: string): void {
  checkIndexName(name);
  const existing = engine.index(name);
  if (existing !== undefined) throw alreadyExists(name, existing.definition.uuid);
  const other = aliasOf(engine, name) !== undefined ? "alias" : undefined;
  const taken = other ?? (dataStreamOf(engine, name) === undefined ? undefined : "data stream");
  if (taken === undefined) return;
  throw new ApiError(400, "invalid_index_name_exception", `Invalid index name [${name}], already exists as ${taken}`, {
    fields: { index_uuid: "_na_", index: name },
  });
}

function alreadyExists(name: string, uuid: string): ApiError {
  return new ApiError(400, "resource_already_exists_exception", `index [${name}/${uuid}] already exists`, {
    fields: { index_uuid: uuid, index: name },
  });
}
