/** What an index would get from templates, without making one. */

import { nest } from "../indices/definition.js";
import { printMapping } from "../mapping/index.js";
import { compose } from "./compose.js";
import { claimants, legacyClaimants, type Named } from "./matching.js";
import { planBackingIndex, planIndex, templateAliases } from "./plan-index.js";
import type { IndexTemplate, Templates } from "./template.js";

/** An answer of `_simulate`. `index` is the name that `{index}` in aliases stands for. */
export function simulation({ name, template }: Named<IndexTemplate>, templates: Templates, index: string) {
  const composed = compose(template, templates);
  const { dataStream, ...plain } = template;
  const asked = { name: index };
  const { definition } =
    dataStream === undefined
      ? planIndex({ ...templates, indices: new Map([[name, { ...plain, patterns: [index] }]]) }, asked)
      : planBackingIndex(templates, template, asked);
  return {
    template: {
      settings: nest(composed.settings),
      mappings: printMapping(definition.mapping),
      aliases: templateAliases(composed, index),
    },
    overlapping: overlapping({ name, template }, templates),
  };
}

/** Templates that would apply to some of the same names, were this one not there: legacy ones first. */
function overlapping({ name, template }: Named<IndexTemplate>, templates: Templates) {
  const others = [...legacyClaimants(templates, template.patterns), ...claimants(templates, name, template.patterns)];
  return others.map((other) => ({ name: other.name, index_patterns: other.template.patterns }));
}
