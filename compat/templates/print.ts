/** Templates as answers show them. */
import type { Identity } from "../identities.js";
import { nest } from "../indices/definition.js";
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, TemplateContent } from "./template.js";

/** How settings are shown. */
export interface PrintOptions {
  readonly flatSettings: boolean;
  readonly identity: Identity;
}

type Printed = Record<string, unknown>;

/** The member `component_template`. */
export function printComponent({ template, ...rest }: ComponentTemplate, options: PrintOptions): Printed {
  return { template: printContent(template, options), ...rest };
}

/** The member `index_template`. */
export function printIndexTemplate(template: IndexTemplate, options: PrintOptions): Printed {
  const { template: content, priority, version, _meta, dataStream, deprecated } = template;
  return {
    index_patterns: template.patterns,
    ...(content === undefined ? {} : { template: printContent(content, options) }),
    // OpenSearch leaves an empty list out.
    ...(template.composedOf.length === 0 && options.identity.distribution === "opensearch"
      ? {}
      : { composed_of: template.composedOf }),
    ...given({ priority, version, _meta }),
    ...(dataStream === undefined ? {} : { data_stream: printDataStream(dataStream, options) }),
    ...given({
      allow_auto_create: template.allowAutoCreate,
      ignore_missing_component_templates: template.ignoreMissing,
      deprecated,
    }),
  };
}

function printDataStream(dataStream: NonNullable<IndexTemplate["dataStream"]>, { identity }: PrintOptions): Printed {
  const { hidden, allowCustomRouting, timestampField } = dataStream;
  if (identity.distribution === "opensearch") return { timestamp_field: { name: timestampField } };
  return { hidden, allow_custom_routing: allowCustomRouting };
}

/** A legacy template: all of its parts, said or not. */
export function printLegacy(template: LegacyTemplate, options: PrintOptions): Printed {
  return {
    order: template.order,
    ...given({ version: template.version }),
    index_patterns: template.patterns,
    settings: printSettings(template.settings ?? {}, options),
    mappings: template.mappings ?? {},
    aliases: template.aliases ?? {},
  };
}

function printContent({ settings, mappings, aliases }: TemplateContent, options: PrintOptions): Printed {
  return given({ settings: settings && printSettings(settings, options), mappings, aliases });
}

function printSettings(settings: NonNullable<TemplateContent["settings"]>, { flatSettings }: PrintOptions): Printed {
  return flatSettings ? settings : nest(settings);
}

function given(parts: Printed): Printed {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
