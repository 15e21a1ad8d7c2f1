/** `_cat/templates` and `_cat/component_templates`. */
import { aligned, answerTable, type Column, column } from "../cat/table.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { templatesSeen } from "../templates/built-in.js";
import { NO_PRIORITY } from "../templates/matching.js";
import { findTemplates } from "../templates/names.js";
import { printList } from "../templates/patterns.js";
import type { ComponentTemplate } from "../templates/template.js";

interface Row {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly order: number;
  readonly version: number | undefined;
  /** Empty for legacy templates. */
  readonly composedOf: string;
}

const TEMPLATES: readonly Column<Row>[] = [
  column("name", "n", "template name", ({ name }) => name),
  column("index_patterns", "t", "template index patterns", ({ patterns }) => printList(patterns)),
  aligned(
    "left",
    column("order", "o,p", "template application order/priority number", ({ order }) => order),
  ),
  aligned(
    "left",
    column("version", "v", "version", ({ version }) => version ?? null),
  ),
  column("composed_of", "c", "component templates comprising index template", ({ composedOf }) => composedOf),
];

/** Legacy templates and index templates, by name. */
export function catTemplates(request: ApiRequest): Reply {
  const { name } = request.captured;
  return answerTable(request, TEMPLATES, () => {
    const templates = templatesSeen(request);
    const legacy = findTemplates(templates.legacy, name).map(
      ([name, { patterns, order, version }]): Row => ({ name, patterns, order, version, composedOf: "" }),
    );
    const composable = findTemplates(templates.indices, name).map(
      ([name, template]): Row => ({
        name,
        patterns: template.patterns,
        order: template.priority ?? NO_PRIORITY,
        version: template.version,
        composedOf: printList(template.composedOf),
      }),
    );
    return [...legacy, ...composable];
  });
}

interface ComponentRow {
  readonly name: string;
  readonly component: ComponentTemplate;
  readonly users: readonly string[];
}

const COMPONENT_COLUMNS: readonly Column<ComponentRow>[] = [
  column<ComponentRow>("name", "n", "component template name", ({ name }) => name),
  column<ComponentRow>("version", "v", "version", ({ component }) => component.version ?? null),
  column<ComponentRow>("alias_count", "a", "alias count", ({ component }) => count(component.template.aliases)),
  column<ComponentRow>("mapping_count", "m", "mapping count", ({ component }) =>
    count(component.template.mappings?.properties),
  ),
  column<ComponentRow>("settings_count", "s", "settings count", ({ component }) => count(component.template.settings)),
  column<ComponentRow>("metadata_count", "me", "metadata count", ({ component }) => count(component._meta)),
  column<ComponentRow>("included_in", "i", "included in", ({ users }) => printList(users)),
].map((one) => aligned("left", one));

function count(of: unknown): number {
  return typeof of === "object" && of !== null ? Object.keys(of).length : 0;
}

/** Component templates, and the index templates that are made of them. */
export function catComponentTemplates(request: ApiRequest): Reply {
  return answerTable(request, COMPONENT_COLUMNS, () => {
    const { components, indices } = templatesSeen(request);
    return findTemplates(components, request.captured.name).map(([name, component]) => ({
      name,
      component,
      users: [...indices].filter(([, { composedOf }]) => composedOf.includes(name)).map(([user]) => user),
    }));
  });
}
