/** Which templates a new name gets, and which ones claim the same names. */
import { matchesAll, matchesAny, overlap } from "./patterns.js";
import type { IndexTemplate, LegacyTemplate, Templates } from "./template.js";

/** An index template with its name. */
export interface Named<T> {
  readonly name: string;
  readonly template: T;
}

/** Elasticsearch's default. */
export const NO_PRIORITY = 0;

/**
 * The index template of the highest priority whose patterns mean a name. Templates for all names are not for hidden
 * indices, unless they make data streams, whose indices are hidden.
 */
export function indexTemplateOf(
  templates: Pick<Templates, "indices">,
  index: string,
  hidden: boolean,
): Named<IndexTemplate> | undefined {
  let best: Named<IndexTemplate> | undefined;
  for (const [name, template] of templates.indices) {
    if (!applies(template, index, hidden && template.dataStream === undefined)) continue;
    if (best === undefined || priorityOf(template) > priorityOf(best.template)) best = { name, template };
  }
  return best;
}

/** All legacy templates whose patterns mean a name. */
export function legacyTemplatesOf(
  { legacy }: Pick<Templates, "legacy">,
  index: string,
  hidden: boolean,
): Named<LegacyTemplate>[] {
  return [...legacy]
    .filter(([, template]) => applies(template, index, hidden))
    .map(([name, template]) => ({ name, template }));
}

function applies({ patterns }: { readonly patterns: readonly string[] }, index: string, hidden: boolean): boolean {
  return matchesAny(patterns, index) && !(hidden && patterns.some(matchesAll));
}

export function priorityOf(template: IndexTemplate): number {
  return template.priority ?? NO_PRIORITY;
}

/** Index templates but `name` that claim some name which `patterns` claim; of the same priority only, if that is given. */
export function claimants(
  { indices }: Pick<Templates, "indices">,
  name: string,
  patterns: readonly string[],
  priority?: number,
): Named<IndexTemplate>[] {
  return [...indices]
    .filter(([other]) => other !== name)
    .filter(([, template]) => priority === undefined || priorityOf(template) === priority)
    .filter(([, template]) => overlap(patterns, template.patterns))
    .map(([other, template]) => ({ name: other, template }));
}

/** Legacy templates that claim some name which `patterns` claim. */
export function legacyClaimants(
  { legacy }: Pick<Templates, "legacy">,
  patterns: readonly string[],
): Named<LegacyTemplate>[] {
  return [...legacy]
    .filter(([, template]) => overlap(patterns, template.patterns))
    .map(([name, template]) => ({ name, template }));
}
