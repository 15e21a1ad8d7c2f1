/** Legacy templates (`_template`): put, get, delete. */
import type { BodyOf } from "../body/shape.js";
import { inTurn } from "../cluster/in-turn.js";
import { illegalArgument } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { acknowledged } from "../http/warning.js";
import { templatesSeen } from "../templates/built-in.js";
import { checkLegacyTemplate } from "../templates/check.js";
import { keepTemplates, LEGACY, templatesOf } from "../templates/kept.js";
import { deletedMissing, findTemplates } from "../templates/names.js";
import { matchesAll } from "../templates/patterns.js";
import { printLegacy } from "../templates/print.js";
import { type LEGACY_SHAPE, readLegacyTemplate } from "../templates/read.js";

/** `PUT /_template/name` */
export function putLegacyTemplate(request: ApiRequest, body: BodyOf<typeof LEGACY_SHAPE>): Promise<Reply> {
  const { captured, identity, node, parameters } = request;
  const { name } = captured;
  const template = readLegacyTemplate(body, orderOf(parameters.text("order")));
  return inTurn(node.engine, async () => {
    const templates = templatesSeen(request);
    if (parameters.boolean("create", false) && templates.legacy.has(name)) {
      throw illegalArgument(`index_template [${name}] already exists`);
    }
    const warning = checkLegacyTemplate({ name, template }, templates, identity);
    await keepTemplates(node.engine, LEGACY, new Map([[name, template]]));
    return acknowledged(identity, warning);
  });
}

function orderOf(text: string | undefined): number | undefined {
  if (text === undefined || /^-?\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw illegalArgument(`Failed to parse int parameter [order] with value [${text}]`, {
    type: "number_format_exception",
    reason: `For input string: "${text}"`,
  });
}

/** `GET /_template/a,b*`: by name. Where names or patterns find nothing, 404 with an empty object. */
export function getLegacyTemplates(request: ApiRequest): Reply {
  const { captured, identity, node, parameters } = request;
  const options = { identity, flatSettings: parameters.boolean("flat_settings", false) };
  const found = findTemplates(templatesOf(node.engine, LEGACY), captured.name);
  const status = found.length === 0 && captured.name !== undefined ? 404 : 200;
  return json(Object.fromEntries(found.map(([name, template]) => [name, printLegacy(template, options)])), status);
}

/** `HEAD /_template/name` */
export function existsLegacyTemplate({ captured, node }: ApiRequest): Reply {
  return json({}, findTemplates(templatesOf(node.engine, LEGACY), captured.name).length === 0 ? 404 : 200);
}

/** `DELETE /_template/a*` */
export function deleteLegacyTemplates({ captured, node }: ApiRequest): Promise<Reply> {
  return inTurn(node.engine, async () => {
    const doomed = findTemplates(templatesOf(node.engine, LEGACY), captured.name).map(([name]) => name);
    if (doomed.length === 0 && !matchesAll(captured.name)) throw deletedMissing(captured.name);
    await keepTemplates(node.engine, LEGACY, new Map(doomed.map((name) => [name, undefined])));
    return ACKNOWLEDGED;
  });
}
