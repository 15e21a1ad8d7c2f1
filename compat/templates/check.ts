/** What makes a template impossible: names, patterns, others that claim the same names, parts that do not fit. */
import { ApiError, illegalArgument, toApiError, validationFailed } from "../errors.js";
import type { Identity } from "../identities.js";
import { compose, composeLegacy } from "./compose.js";
import { claimants, indexTemplateOf, legacyClaimants, type Named, priorityOf } from "./matching.js";
import { matchesAll, printList } from "./patterns.js";
import { checkComposed } from "./plan-index.js";
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, Templates } from "./template.js";

/** 400 `invalid_index_template_exception`. */
export function invalidTemplate(name: string, cause: string): ApiError {
  return new ApiError(400, "invalid_index_template_exception", `index_template [${name}] invalid, cause [${cause}]`);
}

const FILE_NAME = /[\\/?"<>| ,]/;

/** Elasticsearch's MetadataIndexTemplateService.validate. Throws ApiError 400. */
export function checkNames(name: string, patterns: readonly string[]): void {
  const problems: string[] = [];
  for (const character of [" ", ",", "#", "*"]) {
    if (name.includes(character)) problems.push(`name must not contain a ${shown(character)}`);
  }
  if (name.startsWith("_")) problems.push("name must not start with '_'");
  if (name !== name.toLowerCase()) problems.push("name must be lower cased");
  for (const pattern of patterns) problems.push(...patternProblems(pattern));
  if (problems.length === 0) return;
  const list = problems.map((problem, at) => `${at + 1}: ${problem};`).join("");
  throw invalidTemplate(name, `Validation Failed: ${list}`);
}

function patternProblems(pattern: string): string[] {
  const problems = [" ", ",", "#", ":"]
    .filter((character) => pattern.includes(character))
    .map((character) => `index_patterns [${pattern}] must not contain a ${shown(character)}`);
  if (pattern.startsWith("_")) problems.push(`index_pattern [${pattern}] must not start with '_'`);
  if (FILE_NAME.test(pattern)) {
    problems.push(
      `index_pattern [${pattern}] must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`,
    );
  }
  return problems;
}

function shown(character: string): string {
  return character === " " ? "space" : `'${character}'`;
}

/** Throws ApiError 400 unless an index could be made by the template; `templates` does not have to have it yet. */
export function checkIndexTemplate(
  { name, template }: Named<IndexTemplate>,
  templates: Templates,
  identity: Identity,
): void {
  checkNames(name, template.patterns);
  const missing = template.composedOf.filter(
    (part) => !templates.components.has(part) && !(template.ignoreMissing ?? []).includes(part),
  );
  if (missing.length > 0) throw missingComponents(name, missing, identity);
  const composed = compose(template, templates);
  if (template.patterns.some(matchesAll) && template.template?.settings?.["index.hidden"] !== undefined) {
    throw validationFailed("global composable templates may not specify the setting index.hidden");
  }
  if (template.patterns.some(matchesAll) && composed.settings["index.hidden"] !== undefined) {
    throw invalidTemplate(name, "global composable templates may not specify the setting index.hidden");
  }
  checkComposed(composed, "composable");
  const rivals = claimants(templates, name, template.patterns, priorityOf(template));
  if (rivals.length === 0) return;
  throw illegalArgument(
    `index template [${name}] has index patterns ${printList(template.patterns)} matching patterns from existing templates [${names(rivals)}] with patterns (${withPatterns(rivals)}) that have the same priority [${priorityOf(template)}], multiple index templates may not match during index creation, please use a different priority`,
  );
}

function missingComponents(name: string, missing: readonly string[], { distribution }: Identity): ApiError {
  const list = printList(missing);
  return invalidTemplate(
    name,
    distribution === "opensearch"
      ? `index template [${name}] specifies component templates ${list} that do not exist`
      : `index template [${name}] specifies a missing component templates ${list} that does not exist and is not part of 'ignore_missing_component_templates'`,
  );
}

function names(templates: readonly Named<unknown>[]): string {
  return templates.map(({ name }) => name).join(",");
}

function withPatterns(templates: readonly Named<{ readonly patterns: readonly string[] }>[]): string {
  return templates.map(({ name, template }) => `${name} => ${printList(template.patterns)}`).join(",");
}

/** What a client is told of legacy templates that an index template puts out of force; undefined: there are none. */
export function olderTemplatesWarning({ name, template }: Named<IndexTemplate>, templates: Templates) {
  const older = legacyClaimants(templates, template.patterns);
  if (older.length === 0) return undefined;
  return `index template [${name}] has index patterns ${printList(template.patterns)} matching patterns from existing older templates [${names(older)}] with patterns (${withPatterns(older)}); this template [${name}] will take precedence during new index creation`;
}

/** Throws ApiError 400 where an index template that uses the component template would no longer work with it. */
export function checkComponent({ name, template }: Named<ComponentTemplate>, templates: Templates): void {
  checkNames(name, []);
  checkComposed(compose({ patterns: [], composedOf: [], template: template.template }, templates), "composable");
  const changed = { ...templates, components: new Map(templates.components).set(name, template) };
  for (const [user, index] of templates.indices) {
    if (!index.composedOf.includes(name)) continue;
    if (index.patterns.some(matchesAll) && template.template.settings?.["index.hidden"] !== undefined) {
      throw illegalArgument(
        `cannot update component template [${name}] because the following global templates would resolve to specifying the [index.hidden] setting: [${user}]`,
      );
    }
    try {
      checkComposed(compose(index, changed), "composable");
    } catch (error) {
      const { type, message } = toApiError(error);
      throw illegalArgument(
        `updating component template [${name}] results in invalid composable template [${user}] after templates are merged`,
        { type, reason: message },
      );
    }
  }
}

/**
 * Legacy templates are for names that no index template claims. Throws ApiError 400, or gives what the client is told
 * where the template is for all names, or was there before and only its content changes; OpenSearch only tells.
 */
export function checkLegacyTemplate(
  { name, template }: Named<LegacyTemplate>,
  templates: Templates,
  identity: Identity,
): string | undefined {
  checkNames(name, template.patterns);
  checkComposed(composeLegacy([template]), "legacy");
  const newer = claimants(templates, name, template.patterns).concat(namesake(name, template, templates));
  if (newer.length === 0) return undefined;
  const head = `legacy template [${name}] has index patterns ${printList(template.patterns)} matching patterns from existing composable templates [${names(newer)}] with patterns (${withPatterns(newer)})`;
  const before = templates.legacy.get(name);
  const isSame = before !== undefined && before.patterns.join() === template.patterns.join();
  if (!isSame && !template.patterns.some(matchesAll) && identity.distribution !== "opensearch") {
    throw illegalArgument(`${head}, use composable templates (/_index_template) instead`);
  }
  return `${head}; this template [${name}] may be ignored in favor of a composable template at index creation time`;
}

/** The index template of the same name, which `claimants` leaves out. */
function namesake(name: string, { patterns }: LegacyTemplate, { indices }: Templates): Named<IndexTemplate>[] {
  const template = indices.get(name);
  if (template === undefined) return [];
  return claimants({ indices: new Map([[name, template]]) }, "", patterns);
}

/** Data streams that no template for data streams would match. `streams` are those to be looked at. */
export function unmatchedStreams(templates: Templates, streams: readonly string[]): string[] {
  return streams.filter((stream) => indexTemplateOf(templates, stream, false)?.template.dataStream === undefined);
}
