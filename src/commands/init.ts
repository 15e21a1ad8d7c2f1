import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { type Invocation, text, texts, UsageError } from "../command.js";
import { AGENT_CLIENTS, type AgentClient, agentClient, type Places, type ServerCommand } from "../init/clients.js";
import { lineDiff } from "../init/line-diff.js";
import { type FileChange, type InitRequest, planInit } from "../init/plan.js";
import { writeChanges } from "../init/write-changes.js";
import { programWords } from "../invocation.js";

/** `pinakes init`: tells coding agents about the tools, after showing what it writes. */
export async function runInit(call: Invocation): Promise<number> {
  const places = { project: process.cwd(), home: homedir(), env: process.env, platform: process.platform };
  const scope = call.options.global === true ? "user" : "project";
  const request: InitRequest = { clients: chosenClients(call, places), scope, places, server: serverCommand(call) };
  const planned = planInit(request);
  const changes = planned.filter(({ before, after }) => before !== after);
  for (const { file } of planned.filter(({ before, after }) => before === after)) say(`${file} is as it should be`);
  for (const change of changes) showChange(change);
  if (changes.length === 0) return 0;
  if (call.options.dryRun === true) {
    say("\nnothing was written (--dry-run)");
    return 0;
  }
  if (!(await isAgreed(call))) {
    say("nothing was written");
    return 1;
  }
  for (const { file, backup } of writeChanges(changes, new Date()))
    say(`wrote ${file}${backup === undefined ? "" : `, what it was is in ${backup}`}`);
  for (const { title, note } of request.clients) if (note?.[scope]) say(`${title}: ${note[scope]}`);
  say(`the tools answer while a node runs: ${programWords().join(" ")} up ${scope === "project" ? "." : "FOLDER"}`);
  return 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosenClients(call: Invocation, places: Places): readonly AgentClient[] {
  const named = texts(call, "client").flatMap((value) => value.split(",").filter((name) => name !== ""));
  const names = AGENT_CLIENTS.map(({ name }) => name).join(", ");
  if (named.includes("all")) return AGENT_CLIENTS;
  if (named.length > 0) {
    return [...new Set(named)].map((name) => {
      const client = agentClient(name);
      if (client === undefined) throw new UsageError(`--client takes ${names} or all, not "${name}"`);
      return client;
    });
  }
  const used = AGENT_CLIENTS.filter((client) => client.marks(places).some((file) => existsSync(file)));
  if (used.length === 0)
    throw new UsageError(`no coding agent was found here: name one with --client (${names} or all)`);
  return used;
}

/** How agents start the server: they run it from another folder, so that paths are made absolute. */
function serverCommand(call: Invocation): ServerCommand {
  const [command, ...words] = programWords();
  const url = text(call, "url");
  const data = text(call, "data") ?? process.env.PINAKES_DATA;
  const node = url !== undefined ? ["--url", url] : data !== undefined ? ["--data", path.resolve(data)] : [];
  return { command, args: [...words, "mcp", ...node] };
}

function showChange({ file, before, after, clients }: FileChange): void {
  say(`\n${file} (${clients.join(", ")})${before === undefined ? ", new:" : ":"}`);
  for (const line of lineDiff(before ?? "", after)) say(`  ${line}`);
}

async function isAgreed(call: Invocation): Promise<boolean> {
  if (call.options.yes === true) return true;
  if (!process.stdin.isTTY)
    throw new UsageError("nobody can be asked here: --yes writes what is shown, --dry-run only shows it");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("\nwrite this? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
