/** The settings of the index that a write to a name goes to. */
import type { EngineFace, Index } from "../../engine/index.js";
import type { ApiRequest } from "../http/request.js";
import { writeTarget } from "../indices/names.js";
import { templatesSeen } from "../templates/built-in.js";
import { compose, composeLegacy } from "../templates/compose.js";
import { indexTemplateOf, legacyTemplatesOf } from "../templates/matching.js";

/** Who writes, and where. */
export type Writer = Pick<ApiRequest, "node" | "identity">;

/** Settings without `index.`; of a name that has no index, those that the templates would give it. */
export function settingsOf(writer: Writer, name: string): Readonly<Record<string, string>> {
  return targetOf(writer.node.engine, name)?.definition.settings ?? templateSettings(writer, name);
}

const PREFIX = "index.";

function templateSettings(writer: Writer, name: string): Record<string, string> {
  const templates = templatesSeen(writer);
  const found = indexTemplateOf(templates, name, false);
  const { settings } =
    found === undefined
      ? composeLegacy(legacyTemplatesOf(templates, name, false).map(({ template }) => template))
      : compose(found.template, templates);
  const plain = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(plain.map(([setting, value]) => [setting.slice(PREFIX.length), value]));
}

function targetOf(engine: EngineFace, name: string): Index | undefined {
  try {
    return engine.index(name) ?? writeTarget(engine, name);
  } catch {
    // An alias without an index to write to: the write says so.
    return undefined;
  }
}
