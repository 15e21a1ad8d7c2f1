import { isAbsolute, normalize } from "node:path";
import type { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import { belowName } from "./below-name.js";
import { callText } from "./call-text.js";
import { type Folder, loadFolders } from "./catalog.js";
import { datasetSection } from "./dataset-section.js";
import { checkRepo } from "./known-repo.js";
import { type MapScope, within } from "./map-scope.js";
import {
  declarationSection,
  directorySection,
  languageSection,
  repoSection,
  type Section,
  type SectionName,
} from "./map-sections.js";
import { nearPaths, nearPathsNote } from "./near-paths.js";
import { searchIndex, totalOf } from "./node.js";
import { Page } from "./page.js";
import { addItems } from "./section.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `map`, checked by its schema. */
export interface MapArguments {
  repo?: string;
  path?: string;
  section?: SectionName;
  from: number;
  max_tokens: number;
  /** What the request's id adds to the frame: no argument of the client's. */
  id_tokens?: number;
}

/** How the call that goes on is written: as a whole, and as what to change in the one that was made. */
export interface NextMap {
  whole(args: Readonly<Record<string, unknown>>): string;
  brief(changes: Readonly<Record<string, unknown>>): string;
}

const NEXT_CALL: NextMap = {
  whole: (args) => callText("map", args),
  brief: (changes) => `the same map with ${JSON.stringify(changes).slice(1, -1)}`,
};

/** Answers the tool `map` within its budget: each section gets an equal share of what is left. */
export async function runMap(options: WorkspaceOptions, args: MapArguments, next = NEXT_CALL): Promise<string> {
  const all = await loadSections(options, args);
  const sections = all.filter(({ name }) => args.section === undefined || name === args.section);
  const page = new Page(args.max_tokens, args.id_tokens);
  if (all.length === 0) page.addCut("the index is empty: `pinakes up FOLDER` makes a folder searchable");
  // Of all sections, only that of data sets is left out where it has no item.
  else if (sections.length === 0) page.addCut("no data sets");
  sections.forEach((section, at) => {
    const later = page.room - Math.floor(page.room / (sections.length - at));
    page.reserve(later);
    addSection(page, section, { args, next });
    page.reserve(-later);
  });
  return page.text();
}

/** The sections of a map as data, whole. */
export async function mapSections(options: WorkspaceOptions, args: MapArguments): Promise<Section[]> {
  return loadSections(options, args);
}

/** A path on this machine means the folder that it is, or lies in. */
async function scopeOf(
  options: WorkspaceOptions,
  { repo, path = "" }: Pick<MapArguments, "repo" | "path">,
): Promise<MapScope> {
  const inFolder = isAbsolute(path) ? (await Workspace.open(options)).folderAt(normalize(path)) : undefined;
  if (inFolder === undefined) return { repo, path: path.replace(/^\.?\/+|\/+$/g, "") };
  if (repo !== undefined && repo !== inFolder.repo)
    throw new MapError(`${path} is of ${inFolder.repo}, not of ${repo}`);
  return { repo: inFolder.repo, path: inFolder.path.replace(/\/+$/, "") };
}

async function loadSections(options: WorkspaceOptions, args: MapArguments): Promise<Section[]> {
  const { client } = options;
  const folders = await loadFolders(client);
  if (folders === undefined) return [];
  checkRepo({ repos: [...new Set(folders.map(({ repo }) => repo))] }, args.repo);
  const scope = await scopeThere(client, await scopeOf(options, args), folders);
  const own = folders.filter(({ repo }) => scope.repo === undefined || repo === scope.repo);
  const from = args.section === undefined ? 0 : args.from;
  const rest = [
    languageSection(client, scope),
    directorySection(client, scope),
    declarationSection(options, scope, from),
  ];
  const data = await datasetSection(client, scope);
  return [repoSection(own), ...(await Promise.all(rest)), ...(data.items.length > 0 ? [data] : [])];
}

/** A scope that has files: as it is written, or below a repository that the path begins with. */
async function scopeThere(client: Client, scope: MapScope, folders: readonly Folder[]): Promise<MapScope> {
  if (scope.path === "" || (await hasFiles(client, scope))) return scope;
  const below = scope.repo === undefined ? belowName(scope.path, folders) : undefined;
  if (below !== undefined && (await hasFiles(client, below))) return below;
  throw await nothingThere(client, scope);
}

/** A map of a place that holds nothing; says what was meant, perhaps. */
export class MapError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "MapError";
  }
}

async function hasFiles(client: Client, scope: MapScope): Promise<boolean> {
  return totalOf(await searchIndex(client, INDEX.files, { query: within(scope), size: 0, track_total_hits: true })) > 0;
}

async function nothingThere(client: Client, { repo, path }: MapScope): Promise<MapError> {
  const near = await nearPaths(client, { path, repo, is: "folder" });
  const place = repo === undefined ? path : `${path} of ${repo}`;
  return new MapError(`nothing at ${place} is in the index; \`pinakes why ${path}\` says why${nearPathsNote(near)}`);
}

function addSection(page: Page, section: Section, { args, next: write }: { args: MapArguments; next: NextMap }): void {
  const from = args.section === undefined ? 0 : args.from;
  addItems(page, section, from, {
    whole: (start) => write.whole({ ...asked(args), section: section.name, from: start }),
    brief: (start) => write.brief({ ...(args.section === undefined ? { section: section.name } : {}), from: start }),
  });
}

function asked({ repo, path, max_tokens }: MapArguments): Record<string, unknown> {
  return { ...(repo === undefined ? {} : { repo }), ...(path === undefined ? {} : { path }), max_tokens };
}
