/**
 * Lines that look like the declaration of a name, in files that were read in part only: a fault in the text, or a bound,
 * kept the parser from it. What is found so is a guess by the words on the line, and is to be called one.
 */
import { type FileHit, parseFileHit } from "../file-hit.js";
import { LINES_FIELD, linesClause } from "../line-patterns.js";
import type { Clause } from "../query-clauses.js";
import type { FileVersion } from "./model.js";

/** One such line. */
export interface TextDefinition extends FileVersion {
  /** 1-based. */
  line: number;
  text: string;
}

/** Words that stand before the name that they declare, in any language that is common. */
const WORDS =
  "def|function|func|fun|fn|sub|proc|class|struct|interface|trait|protocol|enum|union|record|object|module|namespace|package|type|typedef|macro|define|const|let|var|val|static";
/** What may stand before `name(` on a line that declares nothing. */
const NO_TYPE =
  /(?:^|[^\w])(?:return|else|new|throw|await|yield|case|goto|delete|in|not|and|or|if|while|do|assert|print|echo)\s*$/;

const MOST_FILES = 5;
const LINES_OF_FILE = 20;
const MOST_LINES = 5;
const LONGEST_LINE = 300;

/** The `_search` for such lines; undefined for what is no plain name. Needs a node that knows `matching_lines`. */
export function toTextDefinitionSearch(name: string, repo?: string): Clause | undefined {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]{2,200}$/u.test(name)) return undefined;
  const quoted = name.replaceAll("$", "\\$");
  const pattern = `(?:^|[^\\w$])(?:${WORDS})\\s+(?:\\w+(?:\\.|::))*${quoted}(?:[^\\w$]|$)|^\\s*[\\w$][\\w$*&<>:,\\[\\] \\t]*[\\s*&]${quoted}\\s*\\(`;
  const filter = [
    { terms: { parsed: ["partial", "windows"] } },
    ...(repo === undefined ? [] : [{ term: { repo } }]),
    linesClause(LINES_FIELD.files, { pattern }),
  ];
  return {
    query: { bool: { filter, must_not: [{ term: { in_tree: false } }] } },
    size: MOST_FILES,
    sort: [{ path: { order: "asc" } }, { repo: { order: "asc" } }],
    _source: ["repo", "path", "language", "class", "blob"],
    ext: { matching_lines: { size: LINES_OF_FILE, max_line_bytes: LONGEST_LINE } },
  };
}

/** Reads the answer: calls and statements that have the shape of a declaration are left out. */
export function readTextDefinitions(name: string, hits: readonly unknown[]): TextDefinition[] {
  return hits
    .map(parseFileHit)
    .flatMap((hit) => linesOf(hit, name))
    .slice(0, MOST_LINES);
}

function linesOf({ repo, path, language, class: of, blob, lines }: FileHit, name: string): TextDefinition[] {
  return lines.lines
    .filter(({ text }) => declares(text, name))
    .map(({ line, text }) => ({ repo, path, language, class: of, blob, line, text: text.trim() }));
}

/** Whether a line that fits the pattern declares the name, and does not use it. */
function declares(text: string, name: string): boolean {
  const at = text.search(new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`));
  if (at < 0) return false;
  const before = text.slice(0, at);
  if (new RegExp(`(?:^|[^\\w$])(?:${WORDS})\\s+(?:\\w+(?:\\.|::))*$`).test(before)) return true;
  // `int name(` declares or defines; `name(` and `x = name(` and `return name(` call it.
  return /[\w*&>\]]\s*$/.test(before) && !/->\s*$/.test(before) && !/[=(.,!?|;]/.test(before) && !NO_TYPE.test(before);
}
