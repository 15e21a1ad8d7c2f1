/**
 * A search asked again of one file that has changed and was indexed again since it was found: what the query finds in it
 * now takes the place of what it found before.
 */
import {
  type CodeHit,
  type CodeQuery,
  isFileHit,
  parseLocator,
  type SearchHit,
  type SearchRequest,
} from "../code/index.js";
import { locate } from "./locate.js";
import type { Located } from "./located.js";
import { runRequest } from "./run-request.js";
import type { Workspace } from "./workspace.js";

/** A search whose hits are looked at. */
export interface LineSearch {
  query: CodeQuery;
  request: SearchRequest;
}

/** A declaration with the place where it is now. */
export interface LocatedHit {
  hit: CodeHit;
  located: Located;
}

/** Declarations looked at in one file that has changed. */
const MOST_OF_FILE = 200;

/** The same search for one path alone. */
export async function askAgain(
  workspace: Workspace,
  { request, query }: LineSearch,
  { repo, path, size }: { repo: string; path: string; size: number },
): Promise<SearchHit[]> {
  const here = [{ term: { repo } }, { term: { path } }];
  const { search_after: _, ...body } = request.body;
  const only = { ...body, query: { bool: { must: [body.query], filter: here } }, from: 0, size };
  return (await runRequest(workspace.client, { ...request, body: only }, query)).hits;
}

/** Finds a hit where it is now. */
export function locateHit(workspace: Workspace, hit: CodeHit): Promise<Located> {
  const locator = { ...parseLocator(hit.locator), blob: hit.blob, span: hit.span };
  return locate(workspace, { locator, repo: hit.repo, known: hit });
}

/** Puts what a search finds now in the place of hits of a page whose text is another or gone. */
export class ChangedHits {
  readonly #taken = new Set<string>();

  readonly #page: readonly CodeHit[];

  constructor(
    private readonly workspace: Workspace,
    page: readonly SearchHit[],
  ) {
    this.#page = page.filter(isDeclaration);
  }

  /**
   * The hit as the search finds it now; `gone` where it does not find it any more, whatever its name. To be called for one
   * hit after another: no declaration takes the place of two.
   */
  async settle(search: LineSearch, { hit, located }: LocatedHit): Promise<LocatedHit> {
    if (!located.verified || !(located.state === "changed" || located.state === "gone")) return { hit, located };
    if (!(await this.#isIndexedAgain(hit))) return { hit, located };
    const { repo, path } = hit;
    const found = (await askAgain(this.workspace, search, { repo, path, size: MOST_OF_FILE })).filter(isDeclaration);
    const place = located.state === "changed" ? located.place : undefined;
    const same = found.find((one) => one.span === place?.span && one.startLine === place.startLine);
    if (same !== undefined) return this.#take(same, located);
    const other = this.#successor(hit, found);
    if (other !== undefined) return this.#take(other, await locateHit(this.workspace, other));
    if (located.state === "gone") return { hit, located };
    return { hit, located: { state: "gone", reason: "the file has changed and is no longer found", verified: true } };
  }

  #take(hit: CodeHit, located: Located): LocatedHit {
    this.#taken.add(hit.id);
    return { hit, located };
  }

  /** What has the name still, nearest first; else the best that is new, of no name and no text that the page has. */
  #successor(hit: CodeHit, found: readonly CodeHit[]): CodeHit | undefined {
    const known = this.#page.filter(({ repo, path }) => repo === hit.repo && path === hit.path);
    const fresh = found.filter(({ id, span }) => !this.#taken.has(id) && !known.some((one) => one.span === span));
    const away = ({ startLine }: CodeHit) => Math.abs(startLine - hit.startLine);
    const named = fresh.filter((one) => one.qualifiedName === hit.qualifiedName).sort((a, b) => away(a) - away(b));
    return named[0] ?? fresh.find((one) => !known.some(({ qualifiedName }) => qualifiedName === one.qualifiedName));
  }

  async #isIndexedAgain({ repo, path }: CodeHit): Promise<boolean> {
    for (const file of await this.workspace.files(repo, path))
      if (file.state !== "out of sight" && (await this.workspace.reindex(file.root, path))) return true;
    return false;
  }
}

function isDeclaration(hit: SearchHit): hit is CodeHit {
  return !isFileHit(hit);
}
