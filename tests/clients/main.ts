/**
 * Official clients, as published, against a node: each goes through the same flows. Prints clients and flows as a table.
 *
 *   npm run clients -- [--only TEXT]... [--url URL] [--complete]
 *
 * Ends with 1 when a flow failed. `--complete`: also when one was refused or a client could not be run, which is only
 * said otherwise. `--url`: another server than a new node of ours.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { removeFolder, startTestNode, temporaryFolder } from "../support/node.js";
import { BOOKS, MAPPINGS } from "./fixture.js";
import { type ClientResult, readFindings, table } from "./flows.js";
import { CLIENTS, type Client, KITS, type Kit, type KitName } from "./kits.js";
import { runCommand } from "./run-command.js";

/** Why a kit is not there, or nothing. */
type Installed = ReadonlyMap<KitName, string | undefined>;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      url: { type: "string" },
      complete: { type: "boolean", default: false },
    },
  });
  const wanted = CLIENTS.filter(({ name }) => values.only?.some((part) => name.includes(part)) ?? true);
  if (wanted.length === 0) throw new Error(`no client is called so; there are ${CLIENTS.map(({ name }) => name)}`);
  const work = temporaryFolder("clients");
  try {
    const results = await runAll(wanted, work, values.url);
    process.stdout.write(`${table(results)}\n`);
    return verdict(results, values.complete);
  } finally {
    removeFolder(work);
  }
}

async function runAll(clients: readonly Client[], work: string, url: string | undefined): Promise<ClientResult[]> {
  const installed = await installAll(clients, work);
  const node = url === undefined ? await startTestNode(path.join(work, "data")) : undefined;
  const fixture = path.join(work, "fixture.json");
  writeFileSync(fixture, JSON.stringify({ books: BOOKS, mappings: MAPPINGS }));
  const results: ClientResult[] = [];
  for (const [at, client] of clients.entries()) {
    const notRun = installed.get(client.kit);
    const given = [url ?? node?.url ?? "", `client-${at}`, fixture];
    results.push(
      notRun === undefined
        ? await runClient(client, path.join(work, client.kit), given)
        : { client: client.name, findings: [], notRun },
    );
  }
  await node?.stop();
  return results;
}

/** All kits at the same time: most of it is waiting for downloads. */
async function installAll(clients: readonly Client[], work: string): Promise<Installed> {
  const names = [...new Set(clients.map(({ kit }) => kit))];
  const reasons = await Promise.all(names.map((name) => install(KITS[name], path.join(work, name))));
  return new Map(names.map((name, at) => [name, reasons[at]]));
}

async function install(kit: Kit, folder: string): Promise<string | undefined> {
  const { status } = await runCommand({ program: "which", arguments: [kit.tool], folder: "." });
  if (status !== 0) return `there is no ${kit.tool} on this machine`;
  try {
    await kit.install(folder);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A program that ends badly has a failure even if all that it said is well. */
async function runClient(client: Client, folder: string, given: readonly string[]): Promise<ClientResult> {
  const { status, output, errors } = await runCommand(client.command(folder, given));
  const findings = readFindings(output);
  const notRun = status === 0 && findings.length > 0 ? undefined : `it ended with ${status}: ${errors.slice(-600)}`;
  return { client: client.name, findings: notRun === undefined ? findings : [], notRun };
}

function verdict(results: readonly ClientResult[], isComplete: boolean): number {
  const outcomes = results.flatMap(({ findings }) => findings.map(({ outcome }) => outcome));
  if (outcomes.includes("failed")) return 1;
  const isWhole = !outcomes.includes("refused") && results.every(({ notRun }) => notRun === undefined);
  return isComplete && !isWhole ? 1 : 0;
}

process.exitCode = await main();
