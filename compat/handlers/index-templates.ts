/** Index templates: put, get, delete. */
import type { EngineFace } from "../../engine/index.js";
import type { BodyOf } from "../body/shape.js";
import { inTurn } from "../cluster/in-turn.js";
import { dataStreamNames } from "../data-streams/kept.js";
import { illegalArgument } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { acknowledged } from "../http/warning.js";
import { templatesSeen } from "../templates/built-in.js";
import { checkIndexTemplate, olderTemplatesWarning, unmatchedStreams } from "../templates/check.js";
import { INDICES, keepTemplates } from "../templates/kept.js";
import { type Named, priorityOf } from "../templates/matching.js";
import { deletedMissing, findTemplates, requireTemplates } from "../templates/names.js";
import { printList } from "../templates/patterns.js";
import { printIndexTemplate } from "../templates/print.js";
import { type INDEX_TEMPLATE_SHAPE, readIndexTemplate } from "../templates/read.js";
import type { IndexTemplate, Templates } from "../templates/template.js";

/** `PUT /_index_template/name` */
export function putIndexTemplate(request: ApiRequest, body: BodyOf<typeof INDEX_TEMPLATE_SHAPE>): Promise<Reply> {
  const { captured, identity, node, parameters } = request;
  const { name } = captured;
  const template = readIndexTemplate(body, identity);
  return inTurn(node.engine, async () => {
    const templates = templatesSeen(request);
    if (parameters.boolean("create", false) && templates.indices.has(name)) {
      throw illegalArgument(`index template [${name}] already exists`);
    }
    checkIndexTemplate({ name, template }, templates, identity);
    checkStreamsKeepTemplate(node.engine, { name, template }, templates);
    await keepTemplates(node.engine, INDICES, new Map([[name, template]]));
    return acknowledged(identity, olderTemplatesWarning({ name, template }, templates));
  });
}

/** Throws ApiError 400 where a data stream that has a template now would have none. */
function checkStreamsKeepTemplate(
  engine: EngineFace,
  { name, template }: Named<IndexTemplate>,
  templates: Templates,
): void {
  const before = unmatchedStreams(templates, dataStreamNames(engine));
  const matched = dataStreamNames(engine).filter((stream) => !before.includes(stream));
  const changed = { ...templates, indices: new Map(templates.indices).set(name, template) };
  const lost = unmatchedStreams(changed, matched);
  if (lost.length === 0) return;
  const kind = template.dataStream === undefined ? " and no data stream configuration" : "";
  throw illegalArgument(
    `composable template [${name}] with index patterns ${printList(template.patterns)}, priority [${priorityOf(template)}]${kind} would cause data streams ${printList(lost)} to no longer match a data stream template`,
  );
}

/** `GET /_index_template/a*` */
export function getIndexTemplates(request: ApiRequest): Reply {
  const { captured, identity, parameters } = request;
  const options = { identity, flatSettings: parameters.boolean("flat_settings", false) };
  const found = requireTemplates(templatesSeen(request).indices, captured.name, INDICES);
  return json({
    index_templates: found.map(([name, template]) => ({
      name,
      index_template: printIndexTemplate(template, options),
    })),
  });
}

/** `HEAD /_index_template/name` */
export function existsIndexTemplate(request: ApiRequest): Reply {
  return json({}, findTemplates(templatesSeen(request).indices, request.captured.name).length === 0 ? 404 : 200);
}

/** `DELETE /_index_template/a,b*`: not one that a data stream has no other in place of. */
export function deleteIndexTemplates(request: ApiRequest): Promise<Reply> {
  const { node } = request;
  const expression = request.captured.name;
  return inTurn(node.engine, async () => {
    const templates = templatesSeen(request);
    for (const part of expression.split(",")) {
      const anyWill = part === "*" || (part.includes("*") && expression.includes(","));
      if (!anyWill && findTemplates(templates.indices, part).length === 0) throw deletedMissing(part);
    }
    const doomed = findTemplates(templates.indices, expression).map(([name]) => name);
    const streams = dataStreamNames(node.engine);
    const before = unmatchedStreams(templates, streams);
    const rest = new Map([...templates.indices].filter(([name]) => !doomed.includes(name)));
    const lost = unmatchedStreams({ ...templates, indices: rest }, streams).filter((name) => !before.includes(name));
    if (lost.length > 0) {
      throw illegalArgument(
        `unable to remove composable templates ${printList(doomed)} as they are in use by a data streams ${printList(lost)}`,
      );
    }
    await keepTemplates(node.engine, INDICES, new Map(doomed.map((name) => [name, undefined])));
    return ACKNOWLEDGED;
  });
}
