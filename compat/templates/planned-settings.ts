/** Settings that an index would get from templates, were it made now: what a write is to know before there is one. */
import { templatesSeen, type Viewer } from "./built-in.js";
import { compose, composeLegacy } from "./compose.js";
import { indexTemplateOf, legacyTemplatesOf } from "./matching.js";
import type { FlatSettings, Templates } from "./template.js";

const PREFIX = "index.";

/** Names without `index.`; settings that are lists (of analyzers) are left out. */
export function plannedSettings(viewer: Viewer, name: string): Record<string, string> {
  const texts = Object.entries(settingsFor(templatesSeen(viewer), name)).flatMap(([key, value]) =>
    typeof value === "string" ? [[key.slice(PREFIX.length), value]] : [],
  );
  return Object.fromEntries(texts);
}

function settingsFor(templates: Templates, name: string): FlatSettings {
  const found = indexTemplateOf(templates, name, false);
  if (found !== undefined) return compose(found.template, templates).settings;
  return composeLegacy(legacyTemplatesOf(templates, name, false).map(({ template }) => template)).settings;
}
