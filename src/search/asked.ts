import { WireError } from "../../client/index.js";
import { type CodeQuery, isCommitQuery, isLineQuery, patternError, QueryError, readQuery } from "../../code/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";

/** What a search on the command line asks for. */
export interface Asked {
  /** The query as it was typed, options of grep added. */
  text: string;
  query: CodeQuery;
  /** What it finds. */
  of: "declarations" | "files" | "commits";
  /** Most hits; undefined: all. */
  limit: number | undefined;
  /** Lines of context. */
  before: number;
  after: number;
  show: "lines" | "paths" | "counts" | "json";
  /** `heading`: a file's path once, above its lines. */
  layout: "heading" | "path on each line";
  color: boolean;
}

const DECLARATIONS = 10;
const FILES = 100;
/** How deep a page may lie (`index.max_result_window`). */
const MOST_HITS = 10_000;
const MOST_CONTEXT = 1000;

/** Reads the arguments of `pinakes search`. Throws UsageError; where the query is at fault with a caret below it. */
export function readAsked(call: Invocation, terminal: { isTTY?: boolean } = process.stdout): Asked {
  const query = typedQuery(call);
  const parsed = parsedQuery(query);
  const of = isCommitQuery(parsed) ? "commits" : isLineQuery(parsed) ? "files" : "declarations";
  const show = shownAs(call);
  if (of === "commits" && (show === "paths" || show === "counts"))
    throw new UsageError("-l and -c list files: a search of commits takes neither");
  const given = wholeNumber(call, "limit", { min: 1, max: MOST_HITS });
  const isList = show === "paths" || show === "counts";
  const usual = isList ? undefined : of === "files" ? FILES : DECLARATIONS;
  const around = wholeNumber(call, "context", { min: 0, max: MOST_CONTEXT }) ?? 0;
  return {
    text: query,
    query: parsed,
    of,
    limit: given ?? usual,
    before: wholeNumber(call, "beforeContext", { min: 0, max: MOST_CONTEXT }) ?? around,
    after: wholeNumber(call, "afterContext", { min: 0, max: MOST_CONTEXT }) ?? around,
    show,
    layout: isOn(call, "heading", terminal.isTTY === true) ? "heading" : "path on each line",
    color: isColored(call, terminal.isTTY === true),
  };
}

/** The query with what grep's switches say in its own words. */
function typedQuery(call: Invocation): string {
  const [first = "", ...others] = call.args;
  const isFixed = call.options.fixedStrings === true;
  const words = isFixed ? [`content:"${first.replace(/(["\\])/g, "\\$1")}"`, ...others] : call.args;
  const switches = [
    ...(call.options.ignoreCase === true ? ["case:no"] : []),
    ...(call.options.wordRegexp === true ? ["word:yes"] : []),
  ];
  return [...words, ...switches].join(" ");
}

function parsedQuery(query: string): CodeQuery {
  try {
    return readQuery(query);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw pointedError(error);
  }
}

/**
 * What went wrong with a search: where a node refused a pattern of the query, with a caret below the trouble; where an
 * answer would not fit into its memory, with what makes it smaller.
 */
export function searchError(asked: Pick<Asked, "text" | "show" | "limit">, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const pattern = patternError(asked.text, error.message);
  if (pattern !== undefined) return pointedError(pattern);
  if (!(error instanceof WireError) || !TOO_LARGE.test(error.message)) return error;
  return new WireError(error.status, error.type, `${error.message}\n${smaller(asked)}`, error.body);
}

/** How nodes say that an answer does not fit into memory, Elasticsearch too. */
const TOO_LARGE = /\[(request|parent)\] Data too large/;

function smaller({ show, limit }: Pick<Asked, "show" | "limit">): string {
  const ways = [
    ...(show === "lines" || show === "json" ? ["list paths alone (-l) or count lines (-c)"] : []),
    limit === undefined ? "ask for fewer hits (--limit 100)" : `ask for fewer hits (--limit below ${limit})`,
    "narrow the query (path:, lang:, repo:)",
  ];
  return `  the hits do not fit into the memory of the node: ${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}`;
}

function pointedError(error: QueryError): UsageError {
  return new UsageError(`${error.message}\n${error.pointed().replace(/^/gm, "  ")}`);
}

function shownAs({ options }: Invocation): Asked["show"] {
  const chosen = (["filesWithMatches", "count", "json"] as const).filter((name) => options[name] === true);
  if (chosen.length > 1) throw new UsageError("-l, -c and --json exclude one another");
  const shapes = { filesWithMatches: "paths", count: "counts", json: "json" } as const;
  return chosen.length === 0 ? "lines" : shapes[chosen[0]];
}

function isOn({ options }: Invocation, name: string, usual: boolean): boolean {
  return typeof options[name] === "boolean" ? options[name] : usual;
}

function isColored(call: Invocation, isTerminal: boolean): boolean {
  const when = text(call, "color") ?? "auto";
  if (!["auto", "always", "never"].includes(when))
    throw new UsageError(`--color takes auto, always or never, not "${when}"`);
  if (when !== "auto") return when === "always";
  return isTerminal && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb";
}
