/** Templates and data streams in the metadata of `_cluster/state`; kinds of which there is none are left out. */
import { dataStreamNames, dataStreamOf } from "../data-streams/kept.js";
import { printDataStream } from "../data-streams/print.js";
import { templatesSeen, type Viewer } from "./built-in.js";
import { printComponent, printIndexTemplate, printLegacy } from "./print.js";

/** Members of `metadata`. */
export function templateMetadata({ node, identity }: Viewer, flatSettings: boolean): Record<string, unknown> {
  const templates = templatesSeen({ node, identity });
  const options = { identity, flatSettings };
  const context = { engine: node.engine, identity, templates };
  const legacy = printed(templates.legacy, (template) => printLegacy(template, options));
  const components = printed(templates.components, (template) => printComponent(template, options));
  const indices = printed(templates.indices, (template) => printIndexTemplate(template, options));
  const streams = dataStreamNames(node.engine).flatMap((name) => {
    const stream = dataStreamOf(node.engine, name);
    return stream === undefined ? [] : [[name, printDataStream(name, stream, context)] as const];
  });
  return {
    templates: legacy,
    ...wrapped("component_template", components),
    ...wrapped("index_template", indices),
    ...wrapped("data_stream", Object.fromEntries(streams)),
  };
}

function printed<T>(templates: ReadonlyMap<string, T>, print: (template: T) => unknown): Record<string, unknown> {
  return Object.fromEntries([...templates].map(([name, template]) => [name, print(template)]));
}

/** Elasticsearch says the name of a kind twice. */
function wrapped(kind: string, members: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(members).length === 0 ? {} : { [kind]: { [kind]: members } };
}
