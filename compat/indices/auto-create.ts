/** The first write to a name that is not there makes an index, or a data stream where a template says so. */
import type { Index } from "../../engine/index.js";
import { AUTO_CREATE_SETTING, checkAutoCreate } from "../cluster/auto-create.js";
import { inTurn } from "../cluster/in-turn.js";
import { readClusterSetting } from "../cluster/settings.js";
import { type Asker, createDataStream } from "../data-streams/create.js";
import { indexNotFound } from "../errors.js";
import { templatesSeen } from "../templates/built-in.js";
import { indexTemplateOf, type Named } from "../templates/matching.js";
import { printList } from "../templates/patterns.js";
import type { IndexTemplate } from "../templates/template.js";
import { createIndex } from "./create.js";
import { writeTarget } from "./names.js";

/** The index that writes to the name go to; two writes at once make one. Throws ApiError 404 when that is not allowed. */
export function autoCreate(asker: Asker, name: string): Promise<Index> {
  const { engine } = asker.node;
  return inTurn(engine, async () => {
    const there = writeTarget(engine, name);
    if (there !== undefined) return there;
    const templates = templatesSeen(asker);
    const found = indexTemplateOf(templates, name, false);
    if (!allowedByTemplate(name, found)) checkAutoCreate(name, readClusterSetting(engine, AUTO_CREATE_SETTING));
    return found?.template.dataStream === undefined
      ? createIndex(engine, { name }, templates)
      : createDataStream(asker, name, templates);
  });
}

/** A template's word goes before the setting. */
function allowedByTemplate(name: string, found: Named<IndexTemplate> | undefined): boolean {
  if (found?.template.allowAutoCreate !== false) return found?.template.allowAutoCreate === true;
  throw indexNotFound(
    name,
    `no such index [${name}] and composable template [${printList(found.template.patterns)}] forbids index auto creation`,
  );
}

/** Whether the first write to a name would make a data stream. */
export function makesDataStream(asker: Asker, name: string): boolean {
  return indexTemplateOf(templatesSeen(asker), name, false)?.template.dataStream !== undefined;
}
