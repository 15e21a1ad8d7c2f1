/** `grok`: a text taken apart by patterns that have names. */
import { illegalArgument } from "../../errors.js";
import { setField, textAt } from "../document/ingest-document.js";
import { type GrokMatch, type GrokPattern, grokPattern } from "../grok/compile.js";
import { GROK_PATTERNS } from "../grok/patterns.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function grok(options: Options): Run {
  const field = options.plainPath("field");
  const written = options.strings("patterns");
  if (written.length === 0) throw options.error("patterns", "List of patterns must not be empty");
  const own = options.optionalObject("pattern_definitions") ?? {};
  const traced = options.boolean("trace_match", false);
  const ignoreMissing = options.boolean("ignore_missing", false);
  const compatibility = options.oneOf("ecs_compatibility", ["disabled", "v1"], "disabled");
  if (compatibility === "v1") throw options.error("ecs_compatibility", "[v1] is not supported by Pinakes");
  const bank = { ...GROK_PATTERNS, ...texts(own, options) };
  const patterns = written.map((pattern) => compiled(pattern, bank, options));
  return (document) => {
    if (ignoreMissing && (document.lookUp(field) ?? null) === null) return;
    const text = textAt(document, field);
    const found = leftmost(patterns, text);
    if (found === undefined) throw illegalArgument(`Provided Grok expressions do not match field value: [${text}]`);
    for (const [name, value] of found.match.values()) setField(document, name, value);
    if (traced) setField(document, "_ingest._grok_match_index", String(found.at));
  };
}

/**
 * The match that begins first, of those the one of the first pattern: what one expression with all patterns as its
 * alternatives finds, as which Elasticsearch searches them.
 */
function leftmost(patterns: readonly GrokPattern[], text: string): { match: GrokMatch; at: number } | undefined {
  let best: { match: GrokMatch; at: number } | undefined;
  for (const [at, pattern] of patterns.entries()) {
    const match = pattern.match(text);
    if (match !== null && (best === undefined || match.begin < best.match.begin)) best = { match, at };
    if (best?.match.begin === 0) break;
  }
  return best;
}

function texts(given: object, options: Options): Record<string, string> {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") throw options.error("pattern_definitions", `[${name}] isn't a string`);
  }
  return given as Record<string, string>;
}

function compiled(pattern: string, bank: Readonly<Record<string, string>>, options: Options): GrokPattern {
  try {
    return grokPattern(pattern, bank);
  } catch (error) {
    throw options.error("patterns", `Invalid regex pattern found in: [${pattern}]. ${(error as Error).message}`);
  }
}
