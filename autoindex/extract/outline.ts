import { SECTION_READERS } from "../formats/sections/index.js";
import { loadGrammar } from "../grammar/load.js";
import { EMBEDS, type Grammar, type Language, languageNamed } from "../languages/index.js";
import { MAX_PARSED_LENGTH, outlineCode } from "./code.js";
import { embeddedTexts } from "./embedded.js";
import { outlineLines } from "./line-outline.js";
import { markdownSections } from "./markdown.js";
import type { Declaration, Outline } from "./model.js";
import type { Positions } from "./positions.js";
import { coveredLines, type Window, windowsOver } from "./windows.js";
import { withSections } from "./with-sections.js";
import { isDeepYaml } from "./yaml-depth.js";

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
  /** `none`: a grammar ended a process over it. All when absent. */
  grammars?: "all" | "none";
}

/**
 * Everything in a text: what its grammar or its headings give, and windows over the lines that are in none of it.
 * A text without any readable structure is all windows.
 */
export async function outlineText(text: TextToRead): Promise<Outline> {
  return withWindows(text, await readStructure(text));
}

/** An outline that was read elsewhere, cut to its bounds, and windows over the lines that are in none of it. */
export function withWindows(text: TextToRead, outline: Outline): Outline {
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
  return withFewWindows(withWindows(text, NOTHING));
}

/**
 * A text that holds records among what it declares: a dump creates tables before it fills them, a page has sections and
 * scripts around its tables. References outside declarations are left out: each row names its table again.
 */
export async function outlineAroundRecords(text: TextToRead): Promise<Outline> {
  if (!DECLARES_AROUND_RECORDS.has(text.language.name)) return outlineRecords(text);
  // A dump is read whole however long it is: lines cost little, and what is created after the first rows counts too.
  const structure = text.language.outline
    ? outlineLines(text.language.outline, text.positions)
    : await readStructure(text);
  const references = structure.references.filter(({ enclosing }) => enclosing !== "");
  return withFewWindows(withWindows(text, { ...structure, references }));
}

const DECLARES_AROUND_RECORDS: ReadonlySet<string> = new Set(["html", "sql"]);

/** Whether a text's records are most of it: less than half of its characters are in declarations. */
export function isMostlyRecords({ language, positions }: TextToRead, { declarations }: Outline): boolean {
  if (!language.outline) return true;
  let declared = 0;
  let lastEnd = 0;
  for (const { kind, start, end } of declarations) {
    if (kind === "window" || end <= lastEnd) continue;
    declared += end - Math.max(start, lastEnd);
    lastEnd = end;
  }
  return declared * 2 < positions.text.length;
}

function withFewWindows(outline: Outline): Outline {
  let windows = 0;
  const declarations = outline.declarations.filter(({ kind }) => kind !== "window" || ++windows <= MAX_RECORD_WINDOWS);
  return { ...outline, declarations, parsed: windows > MAX_RECORD_WINDOWS ? "partial" : outline.parsed };
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

async function readStructure(text: TextToRead): Promise<Outline> {
  const { language, positions } = text;
  if (language.name === "markdown") return prose(markdownSections(positions));
  const readSections = SECTION_READERS[language.name];
  const outline = await readLanguage(text);
  if (!readSections) return outline;
  let gaveUp = outline.gaveUp;
  const sections = await readSections(positions, (by) => {
    gaveUp ??= by;
  });
  return { ...withSections(sections, outline), ...(gaveUp && { gaveUp }) };
}

async function readLanguage({ language, positions, isMinified, grammars }: TextToRead): Promise<Outline> {
  const isReadable = language.outline !== undefined || language.grammar !== undefined || language.name in EMBEDS;
  if (!isReadable) return NOTHING;
  if (positions.text.length > MAX_PARSED_LENGTH) return { ...NOTHING, parsed: "partial", gaveUp: "length" };
  const isByGrammar = language.grammar !== undefined || Object.hasOwn(EMBEDS, language.name);
  if (grammars === "none" && isByGrammar) return { ...NOTHING, parsed: "partial", gaveUp: "crash" };
  if (isMinified) return { ...NOTHING, parsed: "partial", gaveUp: "minified" };
  const plain = withoutControls(positions.text);
  if (language.name === "yaml" && isDeepYaml(plain)) return { ...NOTHING, parsed: "partial", gaveUp: "depth" };
  const outline = await readOwn(language, positions, plain);
  for (const embedded of embeddedTexts(language.name, plain)) {
    const inner = languageNamed(embedded.language);
    if (!inner || !hasGrammar(inner)) continue;
    addTo(outline, outlineCode(await loadGrammar(inner), positions, undefined, embedded.text));
  }
  return outline;
}

const NOTHING: Outline = { declarations: [], references: [], parsed: "windows" };

/** Characters that no grammar knows, and a NUL that ends what it reads, are blanks to it. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, " ");
}

async function readOwn(language: Language, positions: Positions, plain: string): Promise<Outline> {
  if (hasGrammar(language)) return outlineCode(await loadGrammar(language), positions, undefined, plain);
  if (language.outline) return outlineLines(language.outline, positions);
  return { declarations: [], references: [], parsed: "windows" };
}

/** Adds what a text holds in another language. */
function addTo(outline: Outline, inner: Outline): void {
  outline.declarations.push(...inner.declarations);
  outline.references.push(...inner.references);
  outline.references.sort((a, b) => a.start - b.start);
  outline.gaveUp ??= inner.gaveUp;
  if (inner.parsed === "partial" || outline.parsed === "windows") outline.parsed = inner.parsed;
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
