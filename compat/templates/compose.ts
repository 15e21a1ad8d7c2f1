/** An index template joined with the component templates that it names. */
import type { AliasEntry } from "../indices/aliases.js";
import type { JsonObject } from "../json/value.js";
import type { FlatSettings, IndexTemplate, LegacyTemplate, TemplateContent, Templates } from "./template.js";

/** What templates give an index, each list with the weakest first. */
export interface Composed {
  readonly settings: FlatSettings;
  readonly mappings: readonly JsonObject[];
  readonly aliases: readonly Readonly<Record<string, AliasEntry>>[];
}

/** Component templates in their order, then the template itself; those that are not there give nothing. */
export function compose(template: IndexTemplate, { components }: Pick<Templates, "components">): Composed {
  const parts = template.composedOf.map((name) => components.get(name)?.template);
  return join([...parts, template.template].filter((part) => part !== undefined));
}

/** Legacy templates, the lowest order first. */
export function composeLegacy(templates: readonly LegacyTemplate[]): Composed {
  return join([...templates].sort((a, b) => a.order - b.order));
}

function join(parts: readonly TemplateContent[]): Composed {
  return {
    settings: Object.assign({}, ...parts.map(({ settings }) => settings)) as FlatSettings,
    mappings: parts.map(({ mappings }) => mappings).filter((mappings) => mappings !== undefined),
    aliases: parts.map(({ aliases }) => aliases).filter((aliases) => aliases !== undefined),
  };
}
