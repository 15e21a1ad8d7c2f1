/** What templates would give an index: `_simulate` and `_simulate_index`. */
import type { BodyOf } from "../body/shape.js";
import { illegalArgument, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { templatesSeen } from "../templates/built-in.js";
import { checkIndexTemplate } from "../templates/check.js";
import { indexTemplateOf, type Named } from "../templates/matching.js";
import { type INDEX_TEMPLATE_SHAPE, readIndexTemplate } from "../templates/read.js";
import { simulation } from "../templates/simulate.js";
import type { IndexTemplate, Templates } from "../templates/template.js";

type Body = BodyOf<typeof INDEX_TEMPLATE_SHAPE>;

/** Names a template has that is not kept, and stands for an index that it would make. */
const TRIAL = "simulate_template_pinakes";

/** `POST /_index_template/_simulate/name`: a template that is there, or the one of the body in its place. */
export function simulateTemplate(request: ApiRequest, body: Body): Reply {
  const { captured } = request;
  const templates = templatesSeen(request);
  if (request.bytes.length > 0) {
    const { named, all } = withGiven(request, body, templates, captured.name ?? TRIAL);
    return json(simulation(named, all, TRIAL));
  }
  if (captured.name === undefined) {
    throw validationFailed("either index name or index template body must be specified for simulation");
  }
  const template = templates.indices.get(captured.name);
  if (template === undefined) {
    throw illegalArgument(`unable to simulate template [${captured.name}] that does not exist`);
  }
  return json(simulation({ name: captured.name, template }, templates, TRIAL));
}

/** `POST /_index_template/_simulate_index/index`; a template in the body is taken as if it were there too. */
export function simulateIndexTemplate(request: ApiRequest, body: Body): Reply {
  const { captured } = request;
  const given = request.bytes.length > 0;
  const all = given ? withGiven(request, body, templatesSeen(request), TRIAL).all : templatesSeen(request);
  const found = indexTemplateOf(all, captured.name, false);
  return json(found === undefined ? {} : simulation(found, all, captured.name));
}

/** All templates and the one of the body, which is checked as if it were put. */
function withGiven(
  request: ApiRequest,
  body: Body,
  templates: Templates,
  name: string,
): { readonly named: Named<IndexTemplate>; readonly all: Templates } {
  const template = readIndexTemplate(body, request.identity);
  if (request.parameters.boolean("create", false) && templates.indices.has(name)) {
    throw illegalArgument(`index template [${name}] already exists`);
  }
  checkIndexTemplate({ name, template }, templates, request.identity);
  return { named: { name, template }, all: { ...templates, indices: new Map(templates.indices).set(name, template) } };
}
