/** Making a data stream: its first backing index, by the template that matches its name. */
import type { Index } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import type { Identity } from "../identities.js";
import { AliasChanges, aliasOf } from "../indices/aliases.js";
import { makeIndex } from "../indices/create.js";
import { printJson } from "../json/print.js";
import type { Node } from "../node.js";
import { compose } from "../templates/compose.js";
import { indexTemplateOf } from "../templates/matching.js";
import { planBackingIndex, templateAliases } from "../templates/plan-index.js";
import type { DataStreamOptions, IndexTemplate, Templates } from "../templates/template.js";
import { type DataStream, dataStreamOf, dataStreamRecords } from "./kept.js";
import { backingIndexName, checkDataStreamName } from "./names.js";

/** Who asks: names of backing indices differ by identity. */
export interface Asker {
  readonly node: Node;
  readonly identity: Identity;
}

/** Creates a data stream; gives its first index. Throws ApiError 400. */
export async function createDataStream(asker: Asker, name: string, templates: Templates): Promise<Index> {
  const { engine } = asker.node;
  const template = streamTemplate(name, templates);
  if (dataStreamOf(engine, name) !== undefined) {
    throw new ApiError(400, "resource_already_exists_exception", `data_stream [${name}] already exists`);
  }
  if (engine.index(name) !== undefined || aliasOf(engine, name) !== undefined) {
    throw illegalArgument(`data stream [${name}] conflicts with an index or an alias of the same name`);
  }
  checkDataStreamName(name, asker.identity);
  const first = freeGeneration(asker, name, 1);
  const stream: DataStream = {
    timestampField: template.dataStream.timestampField,
    indices: [first.index],
    generation: first.generation,
    hidden: template.dataStream.hidden,
    allowCustomRouting: template.dataStream.allowCustomRouting,
    ...(template._meta === undefined ? {} : { meta: printJson(template._meta) }),
  };
  const plan = planBackingIndex(templates, template, { name: first.index });
  const records = { ...dataStreamRecords(engine, name, stream), ...aliasRecords(asker, name, template, templates) };
  return makeIndex(engine, plan, records);
}

/** The template that makes a data stream of a name. Throws ApiError 400 when there is none. */
export function streamTemplate(
  name: string,
  templates: Templates,
): IndexTemplate & { readonly dataStream: DataStreamOptions } {
  const found = indexTemplateOf(templates, name, false);
  if (found === undefined) throw illegalArgument(`no matching index template found for data stream [${name}]`);
  const { dataStream } = found.template;
  if (dataStream === undefined) {
    throw illegalArgument(
      `matching index template [${found.name}] for data stream [${name}] has no data stream template`,
    );
  }
  return { ...found.template, dataStream };
}

/** Aliases that the template gives are the data stream's own. */
function aliasRecords(asker: Asker, name: string, template: IndexTemplate, templates: Templates) {
  const changes = new AliasChanges(asker.node.engine);
  const aliases = templateAliases(compose(template, templates), name);
  for (const [alias, entry] of Object.entries(aliases)) {
    if (alias === name) throw illegalArgument(`alias name [${alias}] self-conflicts with index name`);
    changes.addToStream(alias, name, entry);
  }
  return changes.records();
}

/** The next generation whose index has a name that is free. */
export function freeGeneration(
  { node, identity }: Asker,
  stream: string,
  from: number,
): { readonly index: string; readonly generation: number } {
  for (let generation = from; ; generation++) {
    const index = backingIndexName({ identity, now: node.now() }, stream, generation);
    if (node.engine.index(index) === undefined && aliasOf(node.engine, index) === undefined) {
      return { index, generation };
    }
  }
}
