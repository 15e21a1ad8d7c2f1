/** The settings of the index that a write to a name goes to. */
import type { EngineFace, Index } from "../../engine/index.js";
import type { ApiRequest } from "../http/request.js";
import { writeTarget } from "../indices/names.js";
import { plannedSettings } from "../templates/planned-settings.js";

/** Who writes, and where. */
export type Writer = Pick<ApiRequest, "node" | "identity">;

/** Settings without `index.`; of a name that has no index, those that the templates would give it. */
export function settingsOf(writer: Writer, name: string): Readonly<Record<string, string>> {
  return targetOf(writer.node.engine, name)?.definition.settings ?? plannedSettings(writer, name);
}

function targetOf(engine: EngineFace, name: string): Index | undefined {
  try {
    return engine.index(name) ?? writeTarget(engine, name);
  } catch {
    // An alias without an index to write to: the write says so.
    return undefined;
  }
}
