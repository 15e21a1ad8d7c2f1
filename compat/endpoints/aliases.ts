/** Aliases. */
import { ALIASES_SHAPE, deleteAlias, getAlias, PUT_ALIAS_SHAPE, putAlias, updateAliases } from "../handlers/aliases.js";
import { CLUSTER_WAITS, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const SHOW: readonly ParameterName[] = [...INDEX_OPTIONS, "local", "master_timeout"];
const ROUTES = "/_alias ; METHOD /_alias/{name} ; METHOD /{index}/_alias ; METHOD /{index}/_alias/{name}";

/** Sorted by name. */
export const ALIAS_ROWS: readonly Row[] = [
  ...endpoint("indices.delete_alias", "DELETE /{index}/_alias/{name} ; DELETE /{index}/_aliases/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deleteAlias,
  }),
  ...endpoint("indices.exists_alias", "HEAD /_alias/{name} ; HEAD /{index}/_alias/{name}", {
    status: "full",
    missing: "",
    parameters: SHOW,
    body: "none",
    privilege: "read",
    handler: getAlias,
  }),
  ...endpoint("indices.get_alias", `GET ${ROUTES.replaceAll("METHOD", "GET")}`, {
    status: "full",
    missing: "",
    parameters: SHOW,
    body: "none",
    privilege: "read",
    handler: getAlias,
  }),
  ...endpoint(
    "indices.put_alias",
    "PUT,POST /{index}/_alias/{name} ; PUT,POST /{index}/_aliases/{name} ; PUT,POST /_alias/{name} ; PUT,POST /_aliases/{name} ; PUT /{index}/_alias ; PUT /{index}/_aliases ; PUT /_alias",
    {
      status: "full",
      missing: "",
      parameters: CLUSTER_WAITS,
      body: PUT_ALIAS_SHAPE,
      privilege: "manage",
      handler: putAlias,
    },
  ),
  ...endpoint("indices.update_aliases", "POST /_aliases", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: ALIASES_SHAPE,
    privilege: "manage",
    handler: updateAliases,
  }),
];
