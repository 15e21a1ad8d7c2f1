/** The page that says what is supported, from the tables themselves. */
import { AGGREGATION_KINDS, REFUSED_AGGREGATIONS } from "../aggs/index.js";
import { INDEX_SETTINGS } from "../indices/settings.js";
import { NOT_BUILT_PROCESSORS, PROCESSORS } from "../ingest/index.js";
import { KNOWN_TYPES, MAPPING_PARAMETERS } from "../mapping/index.js";
import { PARAMETERS, type Parameter } from "../parameters.js";
import { QUERY_KINDS, REFUSED_KINDS } from "../query/index.js";
import { SEARCH_SHAPE } from "../search/shape.js";
import { joinRows } from "./index.js";
import type { Row } from "./row.js";

/** `docs/compatibility.md`, whole. */
export function compatibilityPage(): string {
  const rows = joinRows([]);
  const built = rows.filter((row) => row.status !== "not built");
  return `${[
    "# What of Elasticsearch is answered",
    "Made from the tables in `compat/` by `node scripts/compatibility.mjs`; a running node gives the endpoints at `GET /_pinakes/compat`. " +
      "Whatever is not listed as supported is refused by name with a 400: nothing is accepted and ignored.",
    "## Endpoints",
    endpointTable(built),
    "## Query parameters that change nothing, and why",
    parameterTable("moot"),
    "## Query parameters with values that are refused",
    parameterTable("refused"),
    "## Keys of a `_search` body",
    `Read: ${code(Object.keys(SEARCH_SHAPE.keys).sort())}.`,
    `Refused by name: ${code([...SEARCH_SHAPE.refused].sort())}.`,
    "## Queries",
    `Supported: ${code(Object.keys(QUERY_KINDS))}.`,
    `Refused by name: ${code([...REFUSED_KINDS])}.`,
    "## Aggregations",
    `Supported: ${code(Object.keys(AGGREGATION_KINDS))}.`,
    `Refused by name: ${code([...REFUSED_AGGREGATIONS])}.`,
    "## Mappings",
    `Field types: ${code([...KNOWN_TYPES].sort())}, and objects.`,
    `Parameters: ${code(MAPPING_PARAMETERS.map((row) => row.name))}.`,
    "## Index settings",
    settingTable(),
    "## Ingest processors",
    `Supported: ${code(Object.keys(PROCESSORS))}; docs/ingest.md says more.`,
    `Refused by name: ${code(NOT_BUILT_PROCESSORS)}.`,
    "## Known endpoints that are not built",
    notBuilt(rows.filter((row) => row.status === "not built")),
  ].join("\n\n")}\n`;
}

function endpointTable(rows: readonly Row[]): string {
  const byName = new Map<string, Row[]>();
  for (const row of rows) byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  const lines = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, own]) =>
        `| \`${name}\` | ${own.map((row) => `\`${row.method} ${row.path}\``).join("<br>")} | ${own[0].status} | ${identities(own[0])}${own[0].missing} |`,
    );
  return ["| Name | Routes | Support | Missing |", "|---|---|---|---|", ...lines].join("\n");
}

function identities(row: Row): string {
  return row.identities === "all" ? "" : `(only as ${row.identities.join(", ")}) `;
}

function parameterTable(effect: Parameter["effect"]): string {
  const rows = Object.entries<Parameter>(PARAMETERS).filter(([, parameter]) => parameter.effect === effect);
  const lines = rows.map(([name, { note, allowed }]) => {
    const values =
      allowed === undefined || effect === "moot"
        ? ""
        : ` (accepted: ${allowed.length === 0 ? "nothing" : allowed.map((value) => (value === "" ? "empty" : value)).join(", ")})`;
    return `| \`${name}\` | ${note}${values} |`;
  });
  return ["| Parameter | Why |", "|---|---|", ...lines].join("\n");
}

const EFFECTS = { engine: "acts", wire: "acts", moot: "kept and shown; means nothing on one node" } as const;

function settingTable(): string {
  const lines = INDEX_SETTINGS.map(
    ({ name, dynamic, effect }) => `| \`index.${name}\` | ${dynamic ? "yes" : "no"} | ${EFFECTS[effect]} |`,
  );
  return ["| Setting | Changeable | Effect |", "|---|---|---|", ...lines].join("\n");
}

function notBuilt(rows: readonly Row[]): string {
  return code([...new Set(rows.map((row) => row.name))]);
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
