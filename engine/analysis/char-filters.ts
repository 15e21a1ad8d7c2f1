import { EngineError } from "../errors.js";
import { entityText } from "./html-entities.js";
import { type Parameters, readPattern, readStrings } from "./parameters.js";
import type { CharFilter, FilteredText } from "./token.js";

/**
 * Builds a changed text piece by piece and remembers where offsets shift, as Lucene's BaseCharFilter does: an offset
 * of the new text belongs to the old one by the last shift at or before it.
 */
class Rewriter {
  #out = "";
  #shift = 0;
  readonly #offsets: number[] = [];
  readonly #shifts: number[] = [];

  keep(text: string): void {
    this.#out += text;
  }

  /** Puts `replacement` where `length` characters were. */
  replace(length: number, replacement: string): void {
    const start = this.#out.length;
    this.#out += replacement;
    if (replacement.length < length) {
      this.#shift += length - replacement.length;
      this.#remember(start + replacement.length);
    }
    for (let extra = length; extra < replacement.length; extra++) {
      this.#shift--;
      this.#remember(start + extra);
    }
  }

  #remember(offset: number): void {
    if (this.#offsets[this.#offsets.length - 1] === offset) {
      this.#offsets.pop();
      this.#shifts.pop();
    }
    this.#offsets.push(offset);
    this.#shifts.push(this.#shift);
  }

  finish(): FilteredText {
    return { text: this.#out, correct: (offset) => offset + this.#shiftAt(offset) };
  }

  #shiftAt(offset: number): number {
    let [low, high] = [0, this.#offsets.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#offsets[middle] <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#shifts[low - 1];
  }
}

function replaceAll(text: string, pattern: RegExp, replacement: (match: RegExpMatchArray) => string): FilteredText {
  const rewriter = new Rewriter();
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    rewriter.keep(text.slice(last, match.index));
    rewriter.replace(match[0].length, replacement(match));
    last = match.index! + match[0].length;
  }
  rewriter.keep(text.slice(last));
  return rewriter.finish();
}

function patternReplace(parameters: Parameters): CharFilter {
  const pattern = readPattern(parameters, "", "g");
  const replacement = String(parameters.replacement ?? "");
  return (text) => replaceAll(text, pattern, (match) => expandReplacement(replacement, match));
}

/** A Java replacement: `$1` and `${name}` stand for groups, `\` escapes. */
export function expandReplacement(replacement: string, match: RegExpMatchArray): string {
  return replacement.replace(/\\(.)|\$(\d)|\$\{(\w+)\}/g, (_, escaped, number, name) => {
    if (escaped !== undefined) return escaped as string;
    return (number !== undefined ? match[Number(number)] : match.groups?.[name as string]) ?? "";
  });
}

function mapping(parameters: Parameters): CharFilter {
  const pairs = new Map<string, string>();
  for (const rule of readStrings({ mappings: asList(parameters.mappings) }, "mappings", [])) {
    const arrow = /^(.+?)\s*=>\s*(.*)$/s.exec(rule);
    if (arrow === null) throw new EngineError("invalid_value", `Invalid Mapping Rule : [${rule}]`, { value: rule });
    pairs.set(resolveEscapes(arrow[1]), resolveEscapes(arrow[2].trimEnd()));
  }
  if (pairs.size === 0) {
    throw new EngineError("invalid_value", "mapping requires either `mappings` or `mappings_path` to be configured");
  }
  const longestFirst = [...pairs.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map((key) => key.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "g");
  return (text) => replaceAll(text, pattern, (match) => pairs.get(match[0])!);
}

function asList(value: unknown): unknown {
  return typeof value === "string" ? [value] : value;
}

function resolveEscapes(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", s: " " };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex, char) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (named[char as string] ?? (char as string)),
  );
}

const BLOCK_TAGS = new Set(
  "address article aside blockquote br center dd details dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hr isindex li main menu nav noframes noscript ol p pre section table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const HTML =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<\/?([a-zA-Z][a-zA-Z0-9:-]*)(?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?\/?>|<[!?][^>]*>|&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]*);?/g;

/** Takes out tags and comments (block tags leave a line break) and decodes entities. */
function htmlStrip(parameters: Parameters): CharFilter {
  const kept = new Set(readStrings(parameters, "escaped_tags", []).map((tag) => tag.toLowerCase()));
  return (text) =>
    replaceAll(text, HTML, (match) => {
      if (match[3] !== undefined) return entityText(match[3], match[0].endsWith(";")) ?? match[0];
      const tag = (match[2] ?? match[1])?.toLowerCase();
      if (tag === undefined) return "";
      if (kept.has(tag)) return match[0];
      return BLOCK_TAGS.has(tag) || match[1] !== undefined ? "\n" : "";
    });
}

/** A text without the tags of HTML, its entities decoded. */
export function stripHtml(text: string): string {
  return htmlStrip({})(text).text;
}

/** Character filters by type. */
export const CHAR_FILTERS: Readonly<Record<string, (parameters: Parameters) => CharFilter>> = {
  html_strip: htmlStrip,
  mapping,
  pattern_replace: patternReplace,
};

/** Parameters that each character filter knows. */
export const CHAR_FILTER_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  html_strip: ["escaped_tags"],
  mapping: ["mappings"],
  pattern_replace: ["pattern", "replacement", "flags"],
};
