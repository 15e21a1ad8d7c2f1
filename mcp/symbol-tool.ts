import { type Meaning, printable, type SymbolDeclaration } from "../code/index.js";
import { checkRepo } from "./known-repo.js";
import { lackingNotes } from "./missing-documents.js";
import { cutText, Page, wireBytes } from "./page.js";
import { addPassage } from "./passage.js";
import { numbered } from "./render-hit.js";
import { addItems, type WayOn } from "./section.js";
import { type Definitions, findDefinitions, nearNames } from "./symbol-definitions.js";
import { openSymbolGraph, SymbolError, type SymbolGraph, symbolKey } from "./symbol-graph.js";
import { makeSection, type SymbolSection, type SymbolSectionName, signature } from "./symbol-sections.js";
import type { WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `symbol`, checked by its schema. */
export interface SymbolArguments {
  name: string;
  repo?: string;
  section?: SymbolSectionName;
  from: number;
  depth: number;
  max_tokens: number;
  /** What the request's id adds to the frame: no argument of the client's. */
  id_tokens?: number;
}

/** Longest line shown of a body among others, in bytes. */
const LINE_BYTES = 400;
/** What is shown when no section is asked for. */
const IN_ONE: readonly Exclude<SymbolSectionName, "definition">[] = [
  "others",
  "callers",
  "callees",
  "implementations",
  "tests",
];

/**
 * Answers the tool `symbol` within its budget: the definition, then signatures of what calls it, what it calls, what
 * implements it, and the tests that mention it. Throws SymbolError, LocatorError, WireError, ConnectionError.
 */
export async function runSymbol(options: WorkspaceOptions, args: SymbolArguments): Promise<string> {
  const graph = await openSymbolGraph(options);
  checkRepo(graph.workspace, args.repo);
  const page = new Page(args.max_tokens, args.id_tokens);
  const definitions = await findDefinitions(graph, args.name, { repo: args.repo });
  const [first] = definitions.meanings;
  if (first === undefined) await addNothing(page, graph, definitions);
  else await addSymbol(page, { graph, args, first, definitions });
  for (const warning of graph.workspace.warnings) page.addCut(`note: ${warning}`);
  return page.text();
}

async function addNothing(page: Page, graph: SymbolGraph, { names, inText = [] }: Definitions): Promise<void> {
  if (inText.length > 0) {
    page.addCut(
      `nothing is read as a declaration of ${names.join(", ")}; in files that were read in part, by their text:`,
    );
    for (const { repo, path, line, text } of inText) {
      const place = graph.workspace.repos.length > 1 ? `${repo} ${path}` : path;
      page.addCut(`  ${place}:${line}: ${cutText(text, LINE_BYTES)} (heuristic)`);
    }
    return;
  }
  const near = await nearNames(graph, names);
  const hint = near.length === 0 ? "" : `; near names: ${near.join(", ")}`;
  page.addCut(`nothing in the index declares ${names.join(", ")}${hint}`);
  for (const note of await lackingNotes(graph.workspace)) page.addCut(note);
}

interface Answer {
  graph: SymbolGraph;
  args: SymbolArguments;
  first: Meaning;
  definitions: Definitions;
}

async function addSymbol(page: Page, answer: Answer): Promise<void> {
  const { graph, args, first, definitions } = answer;
  const key = symbolKey(first.declaration);
  const symbols = definitions.meanings.map(({ declaration }) => declaration).filter((one) => symbolKey(one) === key);
  const others = definitions.meanings.filter(({ declaration }) => declaration !== first.declaration);
  const about = { graph, symbols, others, depth: args.depth };
  if (args.section === "definition") return addWhole(page, answer);
  if (args.section !== undefined) {
    addItems(page, await makeSection(args.section, about), args.from, wayTo(args, args.section));
    return;
  }
  const made = await Promise.all(IN_ONE.map((name) => makeSection(name, about)));
  const sections = made.filter(({ name, items }) => items.length > 0 || name === "callers");
  await addDefinition(page, answer, sections);
  sections.forEach((section, at) => {
    const later = page.room - Math.floor(page.room / (sections.length - at));
    page.reserve(later);
    addItems(page, section, 0, wayTo(args, section.name));
    page.reserve(-later);
  });
}

/** The body where it and the titles of all lists have room, else the signature and the call that shows the body. */
async function addDefinition(
  page: Page,
  { graph, args, first }: Answer,
  sections: readonly SymbolSection[],
): Promise<void> {
  const { declaration } = first;
  const { room } = page;
  page.addCut(cutText(await headOf(graph, first), Math.floor(room / 2)));
  const body = await bodyOf(graph, declaration);
  const needed = Math.min(
    room / 2,
    sections.reduce((sum, { items }) => sum + 60 + items.reduce((own, item) => own + wireBytes(item), 0), 0),
  );
  if (body !== undefined && wireBytes(body) <= page.room - needed) {
    page.add(body);
    return;
  }
  page.addCut(cutText(`  ${signature(declaration)}`, Math.floor(page.room / 2)));
  const lines = declaration.endLine - declaration.startLine + 1;
  const more = `  body of ${lines} lines: ${callOf(args, "definition", 0)}\n`;
  if (wireBytes(more) <= page.room / 2) page.add(more);
}

async function headOf({ index, workspace }: SymbolGraph, { declaration, certainty, why }: Meaning): Promise<string> {
  const { locator, kind, repo } = declaration;
  const fileClass = declaration.class === "source" ? "" : `, ${declaration.class}`;
  const notes = [
    ...(certainty === "exact" ? [] : [`${certainty}: ${why}`]),
    ...(workspace.repos.length > 1 ? [`repo ${repo}`] : []),
    ...((await index.isVerified(declaration)) ? [] : ["unverified"]),
  ];
  return `${locator} ${kind}${fileClass}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

async function bodyOf({ index }: SymbolGraph, declaration: SymbolDeclaration): Promise<string | undefined> {
  const { startLine, endLine } = declaration;
  const lines = (await index.lines(declaration))?.slice(startLine - 1, endLine);
  if (lines === undefined || lines.some((line) => wireBytes(line) > LINE_BYTES)) return undefined;
  return lines.map((line, at) => numbered(startLine + at, printable(line.replace(/\r$/, ""), "\t"))).join("");
}

/** The definition alone: as much of the body as fits, and how to read on. */
async function addWhole(page: Page, { graph, first }: Answer): Promise<void> {
  const { declaration } = first;
  const { path, repo, blob, startLine, endLine } = declaration;
  const lines = (await graph.index.lines(declaration))?.slice(startLine - 1, endLine);
  if (lines === undefined) throw new SymbolError(`the text of ${path} is neither here nor in the index`);
  const again = { path, ...(graph.workspace.repos.length > 1 ? { repo } : {}), blob: blob.slice(0, 12) };
  addPassage(page, { title: await headOf(graph, first), lines, startLine, endLine, again, before: 0, after: 0 });
}

function wayTo(args: SymbolArguments, section: SymbolSectionName): WayOn {
  return {
    whole: (from) => callOf(args, section, from),
    brief: (from) => {
      const changes = [
        ...(args.section === section ? [] : [`"section":"${section}"`]),
        ...(from > 0 ? [`"from":${from}`] : []),
      ];
      return `the same symbol with ${changes.join()}`;
    },
  };
}

/** The call that shows a section from one of its items on. */
function callOf(
  { name, repo, depth, max_tokens }: SymbolArguments,
  section: SymbolSectionName | undefined,
  from: number,
): string {
  const asked = { name, ...(repo === undefined ? {} : { repo }), section };
  return `symbol(${JSON.stringify({ ...asked, ...(from > 0 ? { from } : {}), ...(depth > 1 ? { depth } : {}), max_tokens })})`;
}
