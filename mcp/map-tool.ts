import { printable } from "../code/index.js";
import { loadFolders } from "./catalog.js";
import {
  declarationSection,
  directorySection,
  languageSection,
  repoSection,
  type Scope,
  type Section,
  type SectionName,
} from "./map-sections.js";
import { byteLength, cutText, Page } from "./page.js";
import type { WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `map`, checked by its schema. */
export interface MapArguments {
  repo?: string;
  path?: string;
  section?: SectionName;
  from: number;
  max_tokens: number;
}

const LONGEST_ITEM = 240;

/** Answers the tool `map` within its budget: each section gets an equal share of what is left. */
export async function runMap(options: WorkspaceOptions, args: MapArguments): Promise<string> {
  const scope = { repo: args.repo, path: (args.path ?? "").replace(/^\.?\/+|\/+$/g, "") };
  const sections = (await loadSections(options, scope)).filter(
    ({ name }) => args.section === undefined || name === args.section,
  );
  const page = new Page(args.max_tokens);
  if (sections.length === 0) page.addCut("the index is empty: `pinakes up FOLDER` makes a folder searchable");
  sections.forEach((section, at) => {
    const later = page.room - Math.floor(page.room / (sections.length - at));
    page.reserve(later);
    addSection(page, section, args);
    page.reserve(-later);
  });
  return page.text();
}

async function loadSections({ client }: WorkspaceOptions, scope: Scope): Promise<Section[]> {
  const folders = await loadFolders(client);
  if (folders === undefined) return [];
  const own = folders.filter(({ repo }) => scope.repo === undefined || repo === scope.repo);
  const rest = [languageSection(client, scope), directorySection(client, scope), declarationSection(client, scope)];
  return [repoSection(own), ...(await Promise.all(rest))];
}

function addSection(page: Page, section: Section, args: MapArguments): void {
  const from = args.section === undefined ? 0 : args.from;
  const items = section.items.slice(from).map((item) => `  ${cutText(printable(item), LONGEST_ITEM)}\n`);
  const next = (shown: number) =>
    `  ${items.length - shown} more; next: map(${JSON.stringify({ ...asked(args), section: section.name, from: from + shown })})\n`;
  const short = (shown: number) => `  ${items.length - shown} more\n`;
  const foot = byteLength(next(items.length)) < page.room / 2 ? next : short;
  page.addCut(cutText(section.title, Math.max(0, Math.floor(page.room / 2))));
  const whole = items.reduce((sum, item) => sum + byteLength(item), 0);
  if (whole <= page.room) {
    page.add(items.join(""));
    return;
  }
  const reserved = byteLength(foot(0)) + String(from + items.length).length;
  page.reserve(reserved);
  let shown = 0;
  while (shown < items.length && page.add(items[shown])) shown++;
  page.reserve(-reserved);
  page.add(foot(shown));
}

function asked({ repo, path, max_tokens }: MapArguments): Record<string, unknown> {
  return { ...(repo === undefined ? {} : { repo }), ...(path === undefined ? {} : { path }), max_tokens };
}
