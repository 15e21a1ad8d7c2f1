/** Which nodes a path or parameter means, and how this one is introduced: there is one. */
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { wildcard } from "../indices/names.js";
import type { Node } from "../node.js";

const EVERY_NAME: ReadonlySet<string> = new Set(["_all", "_local", "_master", "_cluster_manager"]);

/** Elasticsearch says `master`, OpenSearch `cluster_manager`. */
export function rolesOf(identity: Identity): readonly string[] {
  return identity.distribution === undefined ? ["data", "ingest", "master"] : ["cluster_manager", "data", "ingest"];
}

/** One letter for each role. */
export const ROLE_LETTERS = "dim";

/** Address without port. */
export function hostOf(node: Node): string {
  return node.address().replace(/:\d+$/, "");
}

/** Port of the address. */
export function portOf(node: Node): string {
  return node.address().replace(/^.*:/, "");
}

/** Whether a node expression means this node: ids, names and addresses with wildcards, roles (`data:true`), `_local`. */
export function namesNode({ node, identity }: ApiRequest, expression: string | undefined): boolean {
  if (expression === undefined || expression === "") return true;
  const roles = new Set(["master", "cluster_manager", ...rolesOf(identity)]);
  let meant = false;
  for (const one of expression.split(",").map((part) => part.trim())) {
    const [role, wanted] = one.split(":");
    if (roles.has(role) && (wanted === "true" || wanted === "false")) meant = wanted === "true";
    else if (EVERY_NAME.has(one)) meant = true;
    else if ([node.id, node.name, hostOf(node), node.address()].some(wildcard(one))) meant = true;
  }
  return meant;
}

/** What answers about nodes begin with. */
export function nodesEnvelope(request: ApiRequest, matches: boolean): Record<string, unknown> {
  const total = matches ? 1 : 0;
  return { _nodes: { total, successful: total, failed: 0 }, cluster_name: request.node.clusterName };
}

/** What a node's entry begins with. */
export function nodeHead({ node, identity }: ApiRequest): Record<string, unknown> {
  return {
    name: node.name,
    transport_address: node.address(),
    host: hostOf(node),
    ip: node.address(),
    roles: rolesOf(identity),
    attributes: node.attributes,
  };
}
