import { loadGrammar } from "../grammar/load.js";
import type { Grammar, Language } from "../languages/index.js";
import { MAX_PARSED_LENGTH, outlineCode } from "./code.js";
import { markdownSections } from "./markdown.js";
import type { Declaration, Outline } from "./model.js";
import type { Positions } from "./positions.js";
import { coveredLines, type Window, windowsOver } from "./windows.js";

/** UTF-16 units of one declaration's code; a longer one keeps its head, what is beyond is in inner ones or windows. */
const MAX_CODE = 128 * 1024;
/** How many times a text may be repeated in its declarations before inner ones are cut to their head. */
const MAX_COPIES = 12;
const MAX_HEAD = 200;
/** Windows over a list of records. */
export const MAX_RECORD_WINDOWS = 64;

/** How a text is to be read. */
export interface TextToRead {
  path: string;
  language: Language;
  positions: Positions;
  isMinified: boolean;
}

/**
 * Everything in a text: what its grammar or its headings give, and windows over the lines that are in none of it.
 * A text without any readable structure is all windows.
 */
export async function outlineText(text: TextToRead): Promise<Outline> {
  const outline = await readStructure(text);
  const declarations = boundCode(outline.declarations, text.positions.text);
  // One that was cut inside a line does not hold that line.
  const holding = declarations.filter(({ end }, index) => {
    return end === outline.declarations[index]!.end || text.positions.text[end] === "\n";
  });
  const lines = coveredLines(text.positions, holding);
  coverComments(lines, text.positions, declarations);
  declarations.push(...windowsOver(text.positions, lines).map((window) => windowOf(text, window)));
  declarations.sort((a, b) => a.start - b.start || b.end - a.end);
  return { ...outline, declarations };
}

/**
 * A list of records as text: windows over its first `MAX_RECORD_WINDOWS` x 60 lines (or 8 KB each), so that code
 * searches find its rows. All of its rows are in the data set's index, and its whole text in the file document.
 */
export function outlineRecords(text: TextToRead): Outline {
  const windows = windowsOver(text.positions, new Uint8Array(text.positions.lines));
  const declarations = windows.slice(0, MAX_RECORD_WINDOWS).map((window) => windowOf(text, window));
  return { declarations, references: [], parsed: windows.length > MAX_RECORD_WINDOWS ? "partial" : "windows" };
}

function windowOf({ path }: TextToRead, { start, end }: Window): Declaration {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { kind: "window", name, qualifiedName: path, signature: "", docstring: "", start, end };
}

/**
 * Cuts what would make the documents many times as large as the file. Where declarations lie thousands deep, the inner
 * ones keep their first line only once all together have used up their share; their text is in the outer ones.
 */
function boundCode(declarations: Declaration[], text: string): Declaration[] {
  let left = MAX_CODE + text.length * MAX_COPIES;
  return declarations.map((declaration) => {
    const { start, end } = declaration;
    left -= Math.min(end - start, MAX_CODE);
    const limit = left < 0 ? MAX_HEAD : MAX_CODE;
    if (end - start <= limit) return declaration;
    // At the end of a line if there is one, else not inside a pair of surrogates.
    const lineEnd = left < 0 ? text.indexOf("\n", start) : text.lastIndexOf("\n", start + limit);
    const isInside = lineEnd > start && lineEnd <= start + limit;
    return {
      ...declaration,
      end: isInside ? lineEnd : start + limit - (isHighSurrogate(text, start + limit - 1) ? 1 : 0),
    };
  });
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit < 0xdc00;
}

async function readStructure({ language, positions, isMinified }: TextToRead): Promise<Outline> {
  if (language.name === "markdown") return prose(markdownSections(positions));
  if (!hasGrammar(language)) return { declarations: [], references: [], parsed: "windows" };
  if (isMinified || positions.text.length > MAX_PARSED_LENGTH) {
    return { declarations: [], references: [], parsed: "partial" };
  }
  return outlineCode(await loadGrammar(language), positions);
}

function prose(declarations: Declaration[]): Outline {
  return { declarations, references: [], parsed: declarations.length > 0 ? "sections" : "windows" };
}

function hasGrammar(language: Language): language is Language & { grammar: Grammar } {
  return language.grammar !== undefined;
}

/** Lines of the comments above declarations are in their docstrings already. */
function coverComments(lines: Uint8Array, positions: Positions, declarations: readonly Declaration[]): void {
  for (const { comment } of declarations) {
    if (!comment) continue;
    const first = comment.firstLine - 1;
    const height = comment.raw.split("\n").length;
    // A single line that was cut does not hold that line.
    const isCut = height === 1 && comment.raw.length < lineLength(positions, comment.firstLine);
    if (!isCut) lines.fill(1, first, first + height);
  }
}

function lineLength(positions: Positions, line: number): number {
  return positions.text.slice(positions.lineStarts[line - 1]!, positions.endOfLine(line)).replace(/\n$/, "").length;
}
