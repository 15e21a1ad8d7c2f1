import { z } from "zod";
import { QUERY_KEYS } from "../code/index.js";
import { MOST_HITS, MOST_QUERIES } from "./continuation.js";
import { SECTIONS } from "./map-sections.js";
import { DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS } from "./page.js";
import { MOST_LOCATORS } from "./read-tool.js";
import { MOST_DEPTH } from "./symbol-calls.js";
import { SYMBOL_SECTIONS } from "./symbol-sections.js";

const maxTokens = z
  .number()
  .int()
  .min(MIN_TOKENS)
  .max(MAX_TOKENS)
  .default(DEFAULT_TOKENS)
  .describe("Ceiling of the answer in tokens (UTF-8 bytes / 3), never exceeded");

/** Keys that say what they mean; every session pays for each word here, and an unknown value is answered with the known ones. */
const PLAIN: readonly string[] = ["author", "class", "kind", "lang", "repo"];
const keys = QUERY_KEYS.map(({ key, example, means }) => {
  return PLAIN.includes(key) ? `${key}:${example}` : `${key}:${example} (${means})`;
}).join(", ");

/** Arguments of `search`; unknown ones are refused. */
export const searchSchema = z.strictObject({
  query: z
    .union([z.string(), z.array(z.string()).min(1).max(MOST_QUERIES)])
    .optional()
    .describe(
      `Words that must all be there, "phrases", /regex/ on lines, or, ( ), -not, and keys: ${keys}. A list asks several at once`,
    ),
  limit: z.number().int().min(1).max(MOST_HITS).default(10).describe("Most hits in one answer"),
  continuation: z.string().optional().describe("From the end of an earlier answer, to see the hits after it"),
  max_tokens: maxTokens,
});

/** Arguments of `read`. */
export const readSchema = z.strictObject({
  locator: z
    .union([z.string(), z.array(z.string()).min(1).max(MOST_LOCATORS)])
    .optional()
    .describe("path:start-end#name@blob~span as search prints it, or a list; found again after edits"),
  from: z.number().int().min(0).optional().describe("Locators of the list to pass over"),
  path: z.string().optional().describe("Path in the repository, instead of a locator"),
  start_line: z.number().int().min(1).optional().describe("First line, 1-based"),
  end_line: z.number().int().min(1).optional().describe("Last line, inclusive"),
  start_byte: z.number().int().min(0).optional().describe("Bytes of the first line to pass over"),
  end_byte: z.number().int().min(1).optional().describe("Byte of the last line to end before"),
  repo: z.string().optional().describe("Needed only where several repositories have the path"),
  blob: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/)
    .optional()
    .describe("Version the lines were counted in, as an earlier answer gave it"),
  max_tokens: maxTokens,
});

/** Arguments of `symbol`. */
export const symbolSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .describe(
      "A name (parseQuery, Server.start), path:line, path:line:column, or a locator: what stands there is meant",
    ),
  repo: z.string().optional().describe("Declarations of one repository alone"),
  section: z.enum(SYMBOL_SECTIONS).optional().describe("One part instead of all; references are given only so"),
  from: z.number().int().min(0).default(0).describe("Items of the section to pass over"),
  depth: z
    .number()
    .int()
    .min(1)
    .max(MOST_DEPTH)
    .default(1)
    .describe("Steps over which callers and callees are followed"),
  max_tokens: maxTokens,
});

/** Arguments of `map`. */
export const mapSchema = z.strictObject({
  repo: z.string().optional().describe("One repository instead of all"),
  path: z.string().optional().describe("One folder instead of all"),
  section: z.enum(SECTIONS).optional().describe("One section instead of all"),
  from: z.number().int().min(0).default(0).describe("Items of the section to pass over"),
  max_tokens: maxTokens,
});
