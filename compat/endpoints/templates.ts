/** Templates of indices: composable ones, their parts, and legacy ones. */
import {
  deleteComponentTemplates,
  existsComponentTemplate,
  getComponentTemplates,
  putComponentTemplate,
} from "../handlers/component-templates.js";
import {
  deleteIndexTemplates,
  existsIndexTemplate,
  getIndexTemplates,
  putIndexTemplate,
} from "../handlers/index-templates.js";
import {
  deleteLegacyTemplates,
  existsLegacyTemplate,
  getLegacyTemplates,
  putLegacyTemplate,
} from "../handlers/legacy-templates.js";
import { simulateIndexTemplate, simulateTemplate } from "../handlers/simulate-templates.js";
import { CLUSTER_WAITS, type ParameterName } from "../parameters.js";
import { COMPONENT_SHAPE, INDEX_TEMPLATE_SHAPE, LEGACY_SHAPE } from "../templates/read.js";
import { endpoint, type Row } from "./row.js";

const PUT: readonly ParameterName[] = [...CLUSTER_WAITS, "cause", "create"];
const EXISTS: readonly ParameterName[] = ["cluster_manager_timeout", "flat_settings", "local", "master_timeout"];
/** Defaults are those of data streams' lifecycles, which are not built: there are none to include. */
const GET: readonly ParameterName[] = [...EXISTS, "include_defaults"];
const SIMULATE: readonly ParameterName[] = [
  "cause",
  "cluster_manager_timeout",
  "create",
  "include_defaults",
  "master_timeout",
];
const NO_LIFECYCLE = "lifecycle and data_stream_options of templates";

/** Sorted by name. */
export const TEMPLATE_ROWS: readonly Row[] = [
  ...endpoint("cluster.delete_component_template", "DELETE /_component_template/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deleteComponentTemplates,
  }),
  ...endpoint("cluster.exists_component_template", "HEAD /_component_template/{name}", {
    status: "full",
    missing: "",
    parameters: EXISTS,
    body: "none",
    privilege: "monitor",
    handler: existsComponentTemplate,
  }),
  ...endpoint("cluster.get_component_template", "GET /_component_template ; GET /_component_template/{name}", {
    status: "full",
    missing: "",
    parameters: GET,
    body: "none",
    privilege: "monitor",
    handler: getComponentTemplates,
  }),
  ...endpoint("cluster.put_component_template", "PUT,POST /_component_template/{name}", {
    status: "partial",
    missing: NO_LIFECYCLE,
    parameters: PUT,
    body: COMPONENT_SHAPE,
    privilege: "manage",
    handler: putComponentTemplate,
  }),
  ...endpoint("indices.delete_index_template", "DELETE /_index_template/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deleteIndexTemplates,
  }),
  ...endpoint("indices.delete_template", "DELETE /_template/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deleteLegacyTemplates,
  }),
  ...endpoint("indices.exists_index_template", "HEAD /_index_template/{name}", {
    status: "full",
    missing: "",
    parameters: EXISTS,
    body: "none",
    privilege: "monitor",
    handler: existsIndexTemplate,
  }),
  ...endpoint("indices.exists_template", "HEAD /_template/{name}", {
    status: "full",
    missing: "",
    parameters: EXISTS,
    body: "none",
    privilege: "monitor",
    handler: existsLegacyTemplate,
  }),
  ...endpoint("indices.get_index_template", "GET /_index_template ; GET /_index_template/{name}", {
    status: "full",
    missing: "",
    parameters: GET,
    body: "none",
    privilege: "monitor",
    handler: getIndexTemplates,
  }),
  ...endpoint("indices.get_template", "GET /_template ; GET /_template/{name}", {
    status: "full",
    missing: "",
    parameters: [...EXISTS, "include_type_name"],
    body: "none",
    privilege: "monitor",
    handler: getLegacyTemplates,
  }),
  ...endpoint("indices.put_index_template", "PUT,POST /_index_template/{name}", {
    status: "partial",
    missing: NO_LIFECYCLE,
    parameters: PUT,
    body: INDEX_TEMPLATE_SHAPE,
    privilege: "manage",
    handler: putIndexTemplate,
  }),
  ...endpoint("indices.put_template", "PUT,POST /_template/{name}", {
    status: "full",
    missing: "",
    parameters: [...PUT, "include_type_name", "order"],
    body: LEGACY_SHAPE,
    privilege: "manage",
    handler: putLegacyTemplate,
  }),
  ...endpoint("indices.simulate_index_template", "POST /_index_template/_simulate_index/{name}", {
    status: "partial",
    missing: NO_LIFECYCLE,
    parameters: SIMULATE,
    body: INDEX_TEMPLATE_SHAPE,
    privilege: "monitor",
    handler: simulateIndexTemplate,
  }),
  ...endpoint("indices.simulate_template", "POST /_index_template/_simulate ; POST /_index_template/_simulate/{name}", {
    status: "partial",
    missing: NO_LIFECYCLE,
    parameters: SIMULATE,
    body: INDEX_TEMPLATE_SHAPE,
    privilege: "monitor",
    handler: simulateTemplate,
  }),
];
