/** The engine's mapping as Elasticsearch prints it: defaults left out, properties in alphabetical order. */
import type { DynamicTemplate, FieldMapping, Mapping, ObjectMapping } from "../../engine/index.js";
import { double } from "../json/print.js";
import { MAPPING_PARAMETERS } from "./parameters.js";

type Printed = Record<string, unknown>;

/** The object under `mappings`. */
export function printMapping(mapping: Mapping): Printed {
  const printed: Printed = {};
  if (mapping.dynamic !== undefined) printed.dynamic = mapping.dynamic;
  if (mapping.meta !== undefined) printed._meta = mapping.meta;
  if (mapping.timestampField !== undefined) printed._data_stream_timestamp = { enabled: true };
  if (mapping.routingRequired === true) printed._routing = { required: true };
  if (mapping.sourceEnabled === false) printed._source = { enabled: false };
  if (mapping.dynamicDateFormats !== undefined) printed.dynamic_date_formats = mapping.dynamicDateFormats;
  if (mapping.dynamicTemplates !== undefined) printed.dynamic_templates = mapping.dynamicTemplates.map(printTemplate);
  if (mapping.dateDetection !== undefined) printed.date_detection = mapping.dateDetection;
  if (mapping.numericDetection !== undefined) printed.numeric_detection = mapping.numericDetection;
  if (Object.keys(mapping.properties).length > 0) printed.properties = printProperties(mapping.properties);
  return printed;
}

function printProperties(properties: Mapping["properties"]): Printed {
  const names = Object.keys(properties).sort();
  return Object.fromEntries(names.map((name) => [name, printEntry(properties[name])]));
}

function printEntry(entry: FieldMapping | ObjectMapping): Printed {
  return entry.type === "object" ? printObject(entry) : printField(entry);
}

function printObject(object: ObjectMapping): Printed {
  const printed: Printed = {};
  const empty = Object.keys(object.properties).length === 0;
  if (object.nested === true) printed.type = "nested";
  else if (empty) printed.type = "object";
  if (object.dynamic !== undefined) printed.dynamic = object.dynamic;
  if (object.enabled === false) printed.enabled = false;
  if (!empty) printed.properties = printProperties(object.properties);
  return printed;
}

/** Defaults that Elasticsearch prints whatever was said. */
const ALWAYS_SHOWN: Readonly<Record<string, Printed>> = {
  completion: {
    analyzer: "simple",
    preserve_separators: true,
    preserve_position_increments: true,
    max_input_length: 50,
  },
};

/** One field with its multi-fields; also what `_mapping/field` shows. */
export function printField(field: FieldMapping): Printed {
  return {
    type: field.type,
    ...(ALWAYS_SHOWN[field.type] ?? {}),
    ...printParameters(field as unknown as Printed, field.type),
  };
}

function printParameters(field: Printed, type: string | undefined): Printed {
  const printed: Printed = {};
  for (const { name, key, otherwise, types } of MAPPING_PARAMETERS) {
    const value = field[key];
    const fits = types === "all" || type === undefined || (types as readonly string[]).includes(type);
    if (value === undefined || !fits || (type !== undefined && value === otherwise) || isEmpty(value)) continue;
    const fraction = (name === "null_value" && isFraction(type)) || name === "scaling_factor";
    printed[name] = fraction ? double(Number(value)) : value;
  }
  if (printed.search_analyzer !== undefined && printed.search_analyzer === printed.analyzer)
    delete printed.search_analyzer;
  if (typeof field.constant === "string") printed.value = field.constant;
  Object.assign(printed, field.kept);
  const multi = field.fields as Record<string, FieldMapping> | undefined;
  if (multi !== undefined && Object.keys(multi).length > 0) {
    const names = Object.keys(multi).sort();
    printed.fields = Object.fromEntries(names.map((name) => [name, printField(multi[name])]));
  }
  return printed;
}

/** `copy_to` and `meta` with nothing in them say nothing. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function isFraction(type: string | undefined): boolean {
  return type === "double" || type === "float" || type === "half_float";
}

function printTemplate(template: DynamicTemplate): Printed {
  const { type, ...parameters } = template.mapping;
  const mapping =
    type === "object"
      ? template.mapping
      : { ...(type === undefined ? {} : { type }), ...printParameters(parameters, undefined) };
  return {
    [template.name]: {
      ...printList("match", template.match),
      ...printList("unmatch", template.unmatch),
      ...printList("path_match", template.pathMatch),
      ...printList("path_unmatch", template.pathUnmatch),
      ...printList("match_mapping_type", template.matchMappingType),
      ...(template.matchPattern === undefined ? {} : { match_pattern: template.matchPattern }),
      mapping,
    },
  };
}

/** A list of one is printed as it was most likely written: plain. */
function printList(name: string, values: readonly string[] | undefined): Printed {
  if (values === undefined) return {};
  return { [name]: values.length === 1 ? values[0] : values };
}
