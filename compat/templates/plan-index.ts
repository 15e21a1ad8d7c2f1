/** What a new index will be: what was asked for, over what the templates that match its name say. */
import { checkDefinition, type Mapping } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import type { AliasEntry } from "../indices/aliases.js";
import { type NewDefinition, newDefinition } from "../indices/definition.js";
import { type Json, type JsonObject, member, setMember } from "../json/value.js";
import { type Composed, compose, composeLegacy } from "./compose.js";
import { indexTemplateOf, legacyTemplatesOf, type Named } from "./matching.js";
import { mergeLegacyMappings, mergeMappings } from "./merge-mappings.js";
import { flatten } from "./settings.js";
import type { IndexTemplate, LegacyTemplate, Templates } from "./template.js";

/** An index as it is asked for. */
export interface AskedIndex {
  readonly name: string;
  readonly settings?: JsonObject;
  readonly mappings?: Json;
  readonly aliases?: Readonly<Record<string, AliasEntry>>;
}

/** An index as it will be made. */
export interface IndexPlan {
  readonly name: string;
  readonly definition: NewDefinition;
  readonly aliases: Readonly<Record<string, AliasEntry>>;
}

/** Throws ApiError 400, and EngineError for what the engine cannot make. */
export function planIndex(templates: Templates, asked: AskedIndex): IndexPlan {
  const hidden = asked.settings !== undefined && flatten(asked.settings)["index.hidden"] === "true";
  const found = indexTemplateOf(templates, asked.name, hidden);
  if (found?.template.dataStream !== undefined) {
    throw illegalArgument(
      `cannot create index with name [${asked.name}], because it matches with template [${found.name}] that creates data streams only, use create data stream api instead`,
    );
  }
  if (found !== undefined) return overlaid(compose(found.template, templates), asked, mergeMappings);
  const legacy = legacyOf(templates, asked, hidden);
  return overlaid(composeLegacy(legacy.map(({ template }) => template)), asked, mergeLegacyMappings);
}

/** A legacy template may make an index hidden: those for all names are not for it then. */
function legacyOf(templates: Templates, { name }: AskedIndex, hidden: boolean): Named<LegacyTemplate>[] {
  const found = legacyTemplatesOf(templates, name, hidden);
  const hides = composeLegacy(found.map(({ template }) => template)).settings["index.hidden"] === "true";
  return hides && !hidden ? legacyTemplatesOf(templates, name, true) : found;
}

type Merge = (mappings: readonly JsonObject[]) => JsonObject;

function overlaid(composed: Composed, asked: AskedIndex, merge: Merge): IndexPlan {
  // What no template has a word on is read as it was given.
  const own = asked.mappings === undefined ? [] : [objectOf(asked.mappings)];
  const mappings = composed.mappings.length === 0 ? asked.mappings : merge([...composed.mappings, ...own]);
  const settings =
    Object.keys(composed.settings).length === 0
      ? asked.settings
      : { ...composed.settings, ...flatten(asked.settings ?? {}) };
  return {
    name: asked.name,
    definition: newDefinition(settings, mappings),
    aliases: { ...templateAliases(composed, asked.name), ...asked.aliases },
  };
}

/** A mapping that is no object is refused when it is read. */
function objectOf(mappings: Json): JsonObject {
  if (typeof mappings === "object" && mappings !== null && !Array.isArray(mappings)) return mappings;
  throw illegalArgument("[mappings] must be an object");
}

/** Aliases of templates, the strongest one's word on each; `{index}` in a name stands for the index's own. */
export function templateAliases({ aliases }: Composed, index: string): Record<string, AliasEntry> {
  const chosen: Record<string, AliasEntry> = {};
  for (const part of aliases) {
    for (const [name, entry] of Object.entries(part)) setMember(chosen, name.replaceAll("{index}", index), entry);
  }
  return chosen;
}

/**
 * The mapping of an index behind a data stream: a date for the timestamp unless the templates map it, and the rule that
 * every document has it.
 */
export function planBackingIndex(templates: Templates, template: IndexTemplate, asked: AskedIndex): IndexPlan {
  const field = template.dataStream?.timestampField ?? "@timestamp";
  const composed = compose(template, templates);
  const own = asked.mappings === undefined ? [] : [objectOf(asked.mappings)];
  const date: JsonObject = {};
  setMember(date, field, { type: "date" });
  const mappings = mergeMappings([{ properties: date }, ...composed.mappings, ...own]);
  const settings = { ...composed.settings, ...flatten(asked.settings ?? {}), "index.hidden": "true" };
  const definition = newDefinition(settings, mappings);
  definition.mapping.timestampField = field;
  checkTimestamp(definition.mapping, field);
  return { name: asked.name, definition, aliases: asked.aliases ?? {} };
}

const DATES: ReadonlySet<string> = new Set(["date", "date_nanos"]);

/** Whether a mapping can be that of an index behind a data stream: Elasticsearch's DataStreamTimestampFieldMapper. */
export function checkTimestamp({ properties }: Pick<Mapping, "properties">, path: string): void {
  const field = member(properties, path);
  const named = `data stream timestamp field [${path}]`;
  if (field === undefined) throw illegalArgument(`${named} does not exist`);
  if (field.type === "object" || !DATES.has(field.type)) {
    throw illegalArgument(`${named} is of type [${field.type}], but [date,date_nanos] is expected`);
  }
  if (field.index === false) throw illegalArgument(`${named} is not indexed`);
  if (field.docValues === false) throw illegalArgument(`${named} doesn't have doc values`);
  if (field.nullValue !== undefined) throw illegalArgument(`${named} has disallowed [null_value] attribute specified`);
  if (field.ignoreMalformed === true) {
    throw illegalArgument(`${named} has disallowed [ignore_malformed] attribute specified`);
  }
}

/** A name that stands for those a template will be used for, while the template is checked. */
const TRIAL = "validate-template";

/** Whether an index could be made of what templates say. Throws ApiError 400 or EngineError. */
export function checkComposed(composed: Composed, kind: "composable" | "legacy"): void {
  const merge = kind === "legacy" ? mergeLegacyMappings : mergeMappings;
  const { definition } = overlaid(composed, { name: TRIAL }, merge);
  checkDefinition(definition);
}
