/**
 * Question: how many tokens does an agent read to answer sixty questions about three repositories, with the tools of
 * Pinakes and with ripgrep and reading? Both agents follow fixed rules (written at the head of their files), both stop as
 * soon as they have read the answer, and a question is answered when its file and all its evidence have been read. A token
 * is ceil(UTF-8 bytes / 3), calls and frames included.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { autoindex } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { openTools } from "../../mcp/index.js";
import { UsageError } from "../../src/command.js";
import { startNode } from "../node-process.js";
import { printTable } from "../statistics.js";
import { askPinakes } from "./pinakes-agent.js";
import { QUESTIONS, type Question, type QuestionKind, REPOSITORIES, type Repository } from "./questions.js";
import { askRipgrep } from "./ripgrep-agent.js";
import { plain, type Transcript } from "./transcript.js";

export interface TokensBenchOptions {
  /** Folder with the checkouts, each under its repository's name; without it, what to check out is said. */
  sources: string | undefined;
  /** A node that has them already; absent: one is started and they are indexed. */
  url?: string;
}

interface Answered {
  question: Question;
  pinakes: Transcript;
  ripgrep: Transcript;
}

export async function benchTokens({ sources, url }: TokensBenchOptions): Promise<void> {
  if (sources === undefined) {
    const wanted = REPOSITORIES.map((repository) => `  ${repository.name}: ${repository.url} at ${repository.commit}`);
    throw new UsageError(`--sources DIR must hold, each in a folder of its name:\n${wanted.join("\n")}`);
  }
  for (const repository of REPOSITORIES) checkCheckout(repository, path.join(sources, repository.name));
  for (const question of QUESTIONS) checkEvidence(question, sources);
  const node = url === undefined ? await startNode() : undefined;
  const client = new Client({ url: url ?? node!.url, connections: 2, timeoutMs: 600_000 });
  try {
    if (node) for (const { name } of REPOSITORIES) await autoindex({ client, folder: path.join(sources, name) });
    const repos = await repoNames(client, sources);
    const tools = await openTools({ workspace: { client } });
    const answered: Answered[] = [];
    for (const question of QUESTIONS) {
      const ripgrep = askRipgrep(question, path.join(sources, question.repo));
      answered.push({ question, ripgrep, pinakes: await askPinakes(question, repos.get(question.repo)!, tools.call) });
    }
    report(answered, tools.listTokens);
  } finally {
    client.close();
    await node?.stop();
  }
}

/** What the index calls each repository: by the place of its folder. */
async function repoNames(client: Client, sources: string): Promise<Map<Repository["name"], string>> {
  const names = new Map<Repository["name"], string>();
  for (const { name } of REPOSITORIES) {
    const root = realpathSync(path.join(sources, name));
    const query = { bool: { filter: [{ term: { entry: "folder" } }, { term: { root } }] } };
    const answer = await client.json<{ hits: { hits: { _source: { repo: string } }[] } }>(
      "POST",
      `/${INDEX.catalog}/_search`,
      { query },
    );
    const [folder] = answer.hits.hits;
    if (folder === undefined) throw new UsageError(`the node has no folder ${root}: pinakes autoindex ${root}`);
    names.set(name, folder._source.repo);
  }
  return names;
}

function checkCheckout({ name, url, commit }: Repository, folder: string): void {
  let head: string | undefined;
  try {
    head = execFileSync("git", ["-C", folder, "rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    head = undefined;
  }
  if (head !== commit)
    throw new UsageError(`${folder} must be ${url} at ${commit}, not ${head ?? "nothing of git"} (${name})`);
}

/** Evidence that the file does not hold is a mistake in the question. */
function checkEvidence(question: Question, sources: string): void {
  const texts = [question.path, ...question.evidence.filter((text) => text.includes("/") && !text.includes(" "))].map(
    (file) => readFileSync(path.join(sources, question.repo, file), "utf8"),
  );
  const all = plain([...texts, question.path, ...question.evidence.filter((text) => text.includes("/"))].join("\n"));
  const missing = question.evidence.find((text) => !all.includes(plain(text)));
  if (missing !== undefined)
    throw new Error(`${question.repo} ${question.known}: ${question.path} does not hold "${missing}"`);
}

const AGENTS = ["pinakes", "ripgrep"] as const;

function report(answered: readonly Answered[], listTokens: number): void {
  const kinds: QuestionKind[] = ["definition", "parameters", "callers", "message", "topic"];
  const groups: [string, Answered[]][] = [
    ...kinds.map((kind): [string, Answered[]] => [kind, answered.filter(({ question }) => question.kind === kind)]),
    ...REPOSITORIES.map(({ name }): [string, Answered[]] => [
      name,
      answered.filter(({ question }) => question.repo === name),
    ]),
    ["all", [...answered]],
  ];
  printTable(
    "tokens that two agents with fixed rules read",
    groups.map(([group, of]) => ({ questions: group, asked: of.length, ...columns(of) })),
  );
  for (const { question, ...of } of answered) {
    const failed = AGENTS.filter((agent) => !of[agent].isAnswered);
    if (failed.length > 0)
      console.log(`not answered by ${failed.join(" and ")}: ${question.repo} ${question.kind} ${question.known}`);
  }
  console.log(`beside that, once a session: ${listTokens} tokens for the list of Pinakes' tools`);
}

function columns(of: readonly Answered[]): Record<string, string | number> {
  const sum = (agent: (typeof AGENTS)[number], number: (transcript: Transcript) => number) =>
    of.reduce((total, answer) => total + number(answer[agent]), 0);
  const [own, other] = AGENTS.map((agent) => sum(agent, ({ tokens }) => tokens));
  return {
    ...Object.fromEntries(
      AGENTS.map((agent) => [`${agent} right`, sum(agent, ({ isAnswered }) => Number(isAnswered))]),
    ),
    ...Object.fromEntries(AGENTS.map((agent) => [`${agent} tokens`, sum(agent, ({ tokens }) => tokens)])),
    ...Object.fromEntries(AGENTS.map((agent) => [`${agent} calls`, sum(agent, ({ exchanges }) => exchanges.length)])),
    "times fewer": other! / Math.max(1, own!),
  };
}
