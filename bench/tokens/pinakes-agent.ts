/**
 * An agent with the tools of Pinakes, with fixed rules:
 *
 * - a name: `search def:NAME`, with room for a body where the code is asked for, for signatures where parameters are;
 *   callers: `symbol` for that section and its continuations, then `search` for the bare name; a message: `search` for it as a phrase; words: `search`;
 * - then reads the first hits by their locators, at most three of them;
 * - stops as soon as what it has read holds the answer, as the other agent does.
 */
import type { Question } from "./questions.js";
import { Transcript } from "./transcript.js";

/** Calls a tool; gives its text. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<string>;

interface Budget {
  search: number;
  read: number;
}

const BUDGETS: Readonly<Record<Question["kind"], Budget>> = {
  definition: { search: 700, read: 1500 },
  parameters: { search: 200, read: 500 },
  callers: { search: 500, read: 800 },
  message: { search: 250, read: 1000 },
  topic: { search: 400, read: 600 },
};
const MOST_READS = 3;
const MOST_CONTINUATIONS = 3;
const LOCATOR = /^(\S.*?:\d+-\d+#.*?@[0-9a-f]{12}~[0-9a-f]{12})/gm;

/** Answers a question about one of the repositories of a node, which knows it as `repo`. */
export async function askPinakes(question: Question, repo: string, call: CallTool): Promise<Transcript> {
  const transcript = new Transcript(question);
  const { kind, known } = question;
  const budget = BUDGETS[kind];
  const ask = async (name: string, args: Record<string, unknown>) => {
    const text = await call(name, args);
    transcript.add(`${name} ${JSON.stringify(args)}`, text);
    return text;
  };
  if (kind === "callers") {
    let args: Record<string, unknown> | undefined = {
      name: known,
      repo,
      section: "callers",
      max_tokens: budget.search,
    };
    for (let pages = 0; pages < MOST_CONTINUATIONS && args !== undefined && !transcript.isAnswered; pages++) {
      const next: string | undefined = /next: symbol\((\{.*\})\)$/m.exec(await ask("symbol", args))?.[1];
      args = next === undefined ? undefined : (JSON.parse(next) as Record<string, unknown>);
    }
    if (transcript.isAnswered) return transcript;
  }
  const found = await ask("search", {
    query: `${queryOf(question)} repo:${repo}`,
    limit: 5,
    max_tokens: budget.search,
  });
  const locators = [...found.matchAll(LOCATOR)].map((match) => match[1]!);
  for (const locator of locators.slice(0, MOST_READS)) {
    if (transcript.isAnswered) break;
    await ask("read", { locator, repo, max_tokens: budget.read });
  }
  return transcript;
}

function queryOf({ kind, known }: Question): string {
  if (kind === "message") return `"${known}"`;
  return kind === "topic" || kind === "callers" ? known : `def:${known}`;
}
