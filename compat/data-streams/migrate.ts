/** An alias of indices becomes a data stream of its name. */
import { illegalArgument } from "../errors.js";
import { AliasChanges, aliasesOfIndex, rawAliasOf } from "../indices/aliases.js";
import { printJson } from "../json/print.js";
import type { Templates } from "../templates/template.js";
import { type Asker, streamTemplate } from "./create.js";
import { StreamChanges } from "./modify.js";
import { checkDataStreamName } from "./names.js";

/** Throws ApiError 400 for what is no alias, has no write index, or has indices that a data stream cannot have. */
export async function migrateAlias({ node, identity }: Asker, name: string, templates: Templates): Promise<void> {
  const { engine } = node;
  const alias = rawAliasOf(engine, name);
  if (alias === undefined) throw illegalArgument(`alias [${name}] does not exist`);
  const entries = Object.entries(alias);
  const writer = entries.find(([, entry]) => entry.is_write_index === true)?.[0] ?? soleIndex(entries);
  if (writer === undefined || engine.index(writer) === undefined) {
    throw illegalArgument(`alias [${name}] must specify a write index`);
  }
  const bound = entries.find(
    ([, { filter, index_routing, search_routing }]) => filter ?? index_routing ?? search_routing,
  );
  if (bound !== undefined) throw illegalArgument(`alias [${name}] may not have custom filtering or routing`);
  const template = streamTemplate(name, templates);
  checkDataStreamName(name, identity);
  const gone = new AliasChanges(engine);
  for (const [index] of entries) {
    const others = Object.keys(aliasesOfIndex(engine, index)).filter((other) => other !== name);
    if (others.length > 0) {
      throw illegalArgument(
        `other aliases referencing indices [${index}] must be removed before migrating to a data stream`,
      );
    }
    gone.remove(name, index);
  }
  const changes = new StreamChanges(engine);
  changes.convert(name, {
    timestampField: template.dataStream.timestampField,
    indices: [
      ...entries
        .map(([index]) => index)
        .filter((index) => index !== writer)
        .sort(),
      writer,
    ],
    generation: entries.length,
    hidden: template.dataStream.hidden,
    allowCustomRouting: template.dataStream.allowCustomRouting,
    ...(template._meta === undefined ? {} : { meta: printJson(template._meta) }),
  });
  await changes.apply(gone);
}

function soleIndex(entries: readonly [string, { readonly is_write_index?: boolean }][]): string | undefined {
  return entries.length === 1 && entries[0][1].is_write_index !== false ? entries[0][0] : undefined;
}
