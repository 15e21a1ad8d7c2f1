/** Rows for the known endpoints that nothing answers: each a 400 that names it. */
import { notSupported } from "../errors.js";
import { KNOWN_ENDPOINTS } from "./known.js";
import { parseRoutes, type Row } from "./row.js";

/** `built` holds `METHOD path` of the rows there are, placeholders written `{}`. */
export function notBuiltRows(built: ReadonlyMap<string, string>): Row[] {
  const rows: Row[] = [];
  for (const [name, routes] of KNOWN_ENDPOINTS) {
    for (const { method, path } of parseRoutes(routes)) {
      if (!built.has(`${method} ${path.replace(/\{[^}]*\}/g, "{}")}`)) rows.push(notBuilt(name, method, path));
    }
  }
  return rows;
}

function notBuilt(name: string, method: Row["method"], path: string): Row {
  return {
    name,
    method,
    path,
    status: "not built",
    missing: "everything",
    parameters: [],
    body: "bytes",
    identities: "all",
    privilege: "monitor",
    table: false,
    run: () => {
      throw notSupported(`[${method} ${path}] (${name})`);
    },
  };
}
