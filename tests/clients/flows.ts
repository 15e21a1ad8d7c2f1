/** What clients are made to do, and how it went. */

/** Flows in the order in which programs go through them; a client leaves out what it has no way to do. */
export const FLOWS = [
  "create",
  "mappings",
  "bulk",
  "search",
  "aggregations",
  "scroll",
  "pit",
  "aliases",
  "templates",
  "reindex",
  "by-query",
  "delete",
  "dump",
  "load",
] as const;

export type Flow = (typeof FLOWS)[number];

/** `refused`: the node said by name that it does not have it. */
export type Outcome = "ok" | "refused" | "failed";

const OUTCOMES: readonly Outcome[] = ["ok", "refused", "failed"];

/** One flow of one client. */
export interface Finding {
  readonly flow: Flow;
  readonly outcome: Outcome;
  /** Why, unless it went well. */
  readonly why: string;
}

/** What became of a client: what it found, or why it was not run. */
export interface ClientResult {
  readonly client: string;
  readonly findings: readonly Finding[];
  readonly notRun: string | undefined;
}

/** Reads what a program printed (see programs/README.md); other lines are none of ours. */
export function readFindings(output: string): Finding[] {
  return output.split("\n").flatMap((line) => {
    const [flow, outcome, why = ""] = line.split("\t");
    const known = FLOWS.find((one) => one === flow);
    const ended = OUTCOMES.find((one) => one === outcome);
    return known === undefined || ended === undefined ? [] : [{ flow: known, outcome: ended, why }];
  });
}

/** Clients down, flows across; below it why something was refused, failed or not run. */
export function table(results: readonly ClientResult[]): string {
  const flows = FLOWS.filter((flow) => results.some(({ findings }) => findings.some((one) => one.flow === flow)));
  const rows = [
    ["client", ...flows],
    ...results.map((result) => [result.client, ...flows.map((flow) => cell(result, flow))]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...results.flatMap(reasons)].join("\n");
}

/** Characters of a reason that are shown. */
const SHOWN = 300;

function cell({ findings, notRun }: ClientResult, flow: Flow): string {
  if (notRun !== undefined) return "not run";
  return findings.find((one) => one.flow === flow)?.outcome ?? "-";
}

function reasons({ client, findings, notRun }: ClientResult): string[] {
  if (notRun !== undefined) return [`${client}: NOT RUN: ${notRun}`];
  const bad = findings.filter(({ outcome }) => outcome !== "ok");
  return bad.map(({ flow, outcome, why }) => `${client}: ${flow} ${outcome}: ${why.slice(0, SHOWN)}`);
}
