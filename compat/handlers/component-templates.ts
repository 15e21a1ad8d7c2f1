/** Component templates: put, get, delete. */
import type { BodyOf } from "../body/shape.js";
import { inTurn } from "../cluster/in-turn.js";
import { illegalArgument } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { templatesSeen } from "../templates/built-in.js";
import { checkComponent } from "../templates/check.js";
import { COMPONENTS, keepTemplates } from "../templates/kept.js";
import { deletedMissing, findTemplates, requireTemplates } from "../templates/names.js";
import { matchesAll, printList } from "../templates/patterns.js";
import { printComponent } from "../templates/print.js";
import { type COMPONENT_SHAPE, readComponent } from "../templates/read.js";

/** `PUT /_component_template/name` */
export function putComponentTemplate(request: ApiRequest, body: BodyOf<typeof COMPONENT_SHAPE>): Promise<Reply> {
  const { captured, node, parameters } = request;
  const { name } = captured;
  const template = readComponent(body);
  return inTurn(node.engine, async () => {
    const templates = templatesSeen(request);
    if (parameters.boolean("create", false) && templates.components.has(name)) {
      throw illegalArgument(`component template [${name}] already exists`);
    }
    checkComponent({ name, template }, templates);
    await keepTemplates(node.engine, COMPONENTS, new Map([[name, template]]));
    return ACKNOWLEDGED;
  });
}

/** `GET /_component_template/a*` */
export function getComponentTemplates(request: ApiRequest): Reply {
  const { captured, identity, parameters } = request;
  const options = { identity, flatSettings: parameters.boolean("flat_settings", false) };
  const found = requireTemplates(templatesSeen(request).components, captured.name, COMPONENTS);
  return json({
    component_templates: found.map(([name, template]) => ({
      name,
      component_template: printComponent(template, options),
    })),
  });
}

/** `HEAD /_component_template/name` */
export function existsComponentTemplate(request: ApiRequest): Reply {
  return json({}, findTemplates(templatesSeen(request).components, request.captured.name).length === 0 ? 404 : 200);
}

/** `DELETE /_component_template/a,b*`: not one that an index template is made of. */
export function deleteComponentTemplates(request: ApiRequest): Promise<Reply> {
  const { node } = request;
  const expression = request.captured.name;
  return inTurn(node.engine, async () => {
    const { components, indices } = templatesSeen(request);
    for (const part of expression.split(",")) {
      if (!matchesAll(part) && findTemplates(components, part).length === 0) throw deletedMissing(part);
    }
    const doomed = findTemplates(components, expression).map(([name]) => name);
    const users = [...indices]
      .filter(([, { composedOf, ignoreMissing = [] }]) =>
        composedOf.some((part) => doomed.includes(part) && !ignoreMissing.includes(part)),
      )
      .map(([name]) => name);
    if (users.length > 0) {
      throw illegalArgument(
        `component templates ${printList(doomed)} cannot be removed as they are still in use by index templates ${printList(users)}`,
      );
    }
    await keepTemplates(node.engine, COMPONENTS, new Map(doomed.map((name) => [name, undefined])));
    return ACKNOWLEDGED;
  });
}
