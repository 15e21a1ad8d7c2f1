import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { runMap } from "./map-tool.js";
import type { McpOptions } from "./options.js";
import { DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS, Page } from "./page.js";
import { runRead } from "./read-tool.js";
import { mapSchema, readSchema, searchSchema, symbolSchema } from "./schemas.js";
import { runSearch } from "./search-tool.js";
import { runSymbol } from "./symbol-tool.js";
import type { WorkspaceOptions } from "./workspace.js";

/** A tool: what an agent is told of it, and what it does with arguments that fit its schema. */
interface ToolRow {
  name: string;
  title: string;
  description: string;
  schema: z.ZodObject;
  run(options: WorkspaceOptions, args: never): Promise<string>;
}

/** All tools, in the order they are listed: add a row here. */
const TOOLS: readonly ToolRow[] = [
  {
    name: "search",
    title: "Search code",
    description: "Find code by words, names and keys. Definitions come first; each hit has a locator for read.",
    schema: searchSchema,
    run: runSearch,
  },
  {
    name: "read",
    title: "Read code",
    description: "Show declarations by their locators, or lines of a file, as they are now.",
    schema: readSchema,
    run: runRead,
  },
  {
    name: "symbol",
    title: "Look at a symbol",
    description:
      "A definition with signatures of its callers, callees, implementations, and the tests that mention it.",
    schema: symbolSchema,
    run: runSymbol,
  },
  {
    name: "map",
    title: "Map of the code",
    description: "What is here: folders, languages, directories, the declarations most referred to.",
    schema: mapSchema,
    run: runMap,
  },
];

/** The tools as `tools/list` gives them. */
export function listTools(): Tool[] {
  return TOOLS.map(({ name, title, description, schema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(schema),
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }));
}

/** Without the name of its dialect, which is the protocol's own (2020-12): every session pays for what is listed. */
function inputSchema(schema: z.ZodObject): Tool["inputSchema"] {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, { io: "input" });
  return listed as Tool["inputSchema"];
}

/** What an answer that is an error costs beside its text: `,"isError":true`. */
const ERROR_TOKENS = 5;

/** A call of a tool: what the client gave, and what the id of its request adds to the answer's frame. */
export interface ToolCall {
  args?: Record<string, unknown>;
  idTokens?: number;
}

/** How much of the smallest budget an id may take. */
const MOST_ID_TOKENS = 20;

/**
 * Runs a tool. Never throws: what goes wrong, wrong arguments included, becomes an answer that says so, within the budget
 * that was asked for or, where none was or a wrong one, within the default one.
 */
export async function callTool(
  workspace: McpOptions["workspace"],
  name: string,
  { args: given = {}, idTokens = 0 }: ToolCall,
): Promise<CallToolResult> {
  const tool = TOOLS.find((row) => row.name === name);
  const budget = budgetOf(given) - idTokens;
  if (tool === undefined)
    return failure(budget, `there is no tool ${name}, but ${TOOLS.map((row) => row.name).join(", ")}`);
  const args = tool.schema.safeParse(given);
  if (!args.success) return failure(budget, refusal(tool, args.error));
  if (budget < MIN_TOKENS - MOST_ID_TOKENS)
    return failure(budget, `a request with so long an id needs max_tokens ${MIN_TOKENS + idTokens}`);
  try {
    const options = typeof workspace === "function" ? workspace() : workspace;
    return {
      content: [
        { type: "text", text: wellFormed(await tool.run(options, { ...args.data, id_tokens: idTokens } as never)) },
      ],
    };
  } catch (error) {
    return failure(budget, error instanceof Error ? error.message : String(error));
  }
}

function budgetOf({ max_tokens: asked }: Record<string, unknown>): number {
  const isOne = typeof asked === "number" && Number.isInteger(asked) && asked >= MIN_TOKENS && asked <= MAX_TOKENS;
  return isOne ? asked : DEFAULT_TOKENS;
}

/** `max_tokens: Too small: ...; no argument "quary" (search takes query, limit, ...)`. */
function refusal({ name, schema }: ToolRow, { issues }: z.ZodError): string {
  const known = Object.keys(schema.shape);
  return issues
    .map((issue) => {
      if (issue.code === "unrecognized_keys" && issue.path.length === 0)
        return `no argument ${issue.keys.map((key) => JSON.stringify(key)).join(", ")} (${name} takes ${known.join(", ")})`;
      return `${issue.path.join(".")}: ${issue.code === "invalid_union" ? unionMessage(issue) : issue.message}`;
    })
    .join("; ");
}

/** What each form of an argument was found to lack: a list that is too long is told as such, a number that both refuse by its type. */
function unionMessage({ errors }: Extract<z.core.$ZodIssue, { code: "invalid_union" }>): string {
  const isOfForm = (issues: readonly z.core.$ZodIssue[]) =>
    !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  const [nearest] = errors.filter(isOfForm);
  if (nearest !== undefined) return nearest.map(({ path, message }) => [...path, message].join(": ")).join("; ");
  const forms = errors
    .flat()
    .flatMap((issue) => (issue.code === "invalid_type" ? [FORMS[issue.expected] ?? issue.expected] : []));
  return `this takes ${[...new Set(forms)].join(" or ")}`;
}

const FORMS: Readonly<Record<string, string>> = { string: "a text", array: "a list of texts" };

function failure(maxTokens: number, message: string): CallToolResult {
  const page = new Page(maxTokens - ERROR_TOKENS);
  page.addCut(message);
  return { content: [{ type: "text", text: wellFormed(page.text()) }], isError: true };
}

/** Half of a pair of surrogates, which arguments may hold, is no character: as many bytes of U+FFFD instead. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
