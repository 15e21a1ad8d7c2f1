/** Making an index, asked for or on the first write to its name. */
import type { EngineFace, Index } from "../../engine/index.js";
import { EngineError } from "../../engine/index.js";
import { ApiError, indexNotFound } from "../errors.js";
import type { Json } from "../json/value.js";
import { aliasOf } from "./aliases.js";
import { concreteName } from "./date-math.js";
import { newDefinition } from "./definition.js";
import { checkIndexName } from "./names.js";

/** Creates an index; throws ApiError 400 when the name is taken or not allowed. */
export async function createIndex(engine: EngineFace, given: string, settings?: Json, mappings?: Json): Promise<Index> {
  const name = concreteName(engine, given);
  checkIndexName(name);
  const existing = engine.index(name);
  if (existing !== undefined) throw alreadyExists(name, existing.definition.uuid);
  if (aliasOf(engine, name) !== undefined) {
    throw new ApiError(400, "invalid_index_name_exception", `Invalid index name [${name}], already exists as alias`, {
      fields: { index_uuid: "_na_", index: name },
    });
  }
  const definition = newDefinition(settings, mappings);
  if (given !== name) definition.settings.provided_name = given;
  return engine.createIndex(name, definition);
}

function alreadyExists(name: string, uuid: string): ApiError {
  return new ApiError(400, "resource_already_exists_exception", `index [${name}/${uuid}] already exists`, {
    fields: { index_uuid: uuid, index: name },
  });
}

/** The setting of the cluster that forbids making indices by writing to them. */
export const AUTO_CREATE_SETTING = "action.auto_create_index";

/** Creates the index a write names; two writes at once make one. Throws ApiError 404 when that is switched off. */
export async function autoCreateIndex(engine: EngineFace, name: string, allowed: string | undefined): Promise<Index> {
  if (allowed === "false") {
    throw indexNotFound(name, `no such index [${name}] and [${AUTO_CREATE_SETTING}] is [false]`);
  }
  try {
    return await createIndex(engine, name);
  } catch (error) {
    const raced =
      (error instanceof EngineError && error.code === "index_exists") ||
      (error instanceof ApiError && error.type === "resource_already_exists_exception");
    const index = engine.index(concreteName(engine, name));
    if (raced && index !== undefined) return index;
    throw error;
  }
}
