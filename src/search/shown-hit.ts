import {
  type CodeHit,
  isFileHit,
  matchedTexts,
  rangesOf,
  type SearchHit,
  wantedLines,
  wantedTexts,
} from "../../code/index.js";
import {
  type ChangedHits,
  type CurrentFile,
  currentFile,
  type HitLine,
  type LineSearch,
  type Located,
  type LocatedHit,
  locateHit,
  locatorOf,
  madeLines,
  matchingHitLines,
  nameLine,
  type Place,
  stateNote,
  type Workspace,
} from "../../mcp/index.js";
import { shownPath } from "../shown-path.js";
import type { Asked } from "./asked.js";
import { type ShownLine, withContext } from "./shown-lines.js";

/** A hit as it is now, ready to be printed. */
export interface ShownHit {
  hit: SearchHit;
  /** As printed: from the current folder, or absolute. */
  path: string;
  /** Said beside it, such as `moved +3 lines`; empty for what is as it was. */
  note: string;
  lines: ShownLine[];
  /** Lines that match, those not shown too. */
  total: number;
  /** Of a declaration, at its current place. */
  locator?: string;
}

/** A hit that is not there any more, and why. */
export interface GoneHit {
  path: string;
  line: number | undefined;
  reason: string;
}

const LINES_PER_DECLARATION = 3;
/** Of a line of a declaration, in UTF-8 bytes. */
const LONGEST_LINE = 300;
/** Texts that patterns matched, looked for in a declaration's lines of now. */
const MOST_MATCHED = 50;

/** Looks at a hit as it is now. */
export async function showHit(
  workspace: Workspace,
  { asked, search, changed }: { asked: Asked; search: LineSearch; changed: ChangedHits },
  hit: SearchHit,
): Promise<ShownHit | GoneHit> {
  if (!isFileHit(hit)) {
    const now = await changed.settle(search, { hit, located: await locateHit(workspace, hit) });
    return showDeclaration(workspace, asked, now);
  }
  const path = await pathOf(workspace, hit);
  const current = await currentFile(workspace, search, hit);
  if (current.state === "gone") return { path, line: undefined, reason: current.reason };
  const lines = current.hit.lines.lines.map((line) => ({ ...line, isContext: line.ranges.length === 0 }));
  const file = current.state === "changed" ? await workspace.file(hit.repo, hit.path) : undefined;
  const all = file?.state === "present" ? file.lines : undefined;
  return {
    hit: current.hit,
    path,
    note: noteOf(current),
    lines: all === undefined ? lines : withContext(lines, { lines: all, firstLine: 1 }, asked),
    total: current.hit.lines.total,
  };
}

function noteOf(current: Exclude<CurrentFile, { state: "gone" }>): string {
  if (current.state === "changed") return "changed since it was indexed";
  if (current.branches !== undefined) return `on ${current.branches.join(", ")}`;
  return current.verified ? "" : "unverified";
}

async function showDeclaration(
  workspace: Workspace,
  asked: Asked,
  { hit, located }: LocatedHit,
): Promise<ShownHit | GoneHit> {
  if (located.state === "gone") {
    return { path: await pathOf(workspace, hit), line: hit.startLine, reason: stateNote(located) };
  }
  const { place } = located;
  const matched = hit.lines === undefined ? [] : matchedTexts(hit.lines, MOST_MATCHED);
  const wanted = [...wantedTexts(asked.query), ...matched];
  const found = linesOf(hit, located, { wanted, asked: wantedLines(asked.query, hit) }).map(
    (line): ShownLine => ({ ...line, ranges: rangesOf(line.text, wanted), cutBytes: 0, isContext: false }),
  );
  const file =
    located.verified && hit.inTree !== false ? await workspace.file(place.repo, place.path, place.blob) : undefined;
  const around = file?.state === "present" ? await linesAround(workspace, place, file.lines) : undefined;
  const text =
    around === undefined ? { lines: place.lines, firstLine: place.startLine } : { lines: around, firstLine: 1 };
  return {
    hit,
    path: await pathOf(workspace, place),
    note: stateNote(located),
    lines: withContext(found, text, asked),
    total: found.length,
    locator: locatorOf(place),
  };
}

/** Lines of the file that a place is in, as they are counted there: a notebook's are those of the text made of it. */
async function linesAround(
  workspace: Workspace,
  place: Place,
  lines: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const isCut = (place.before ?? 0) + (place.after ?? 0) > 0;
  const isOwn = place.lines.every((line, at) => line === lines?.[place.startLine - 1 + at]);
  return isCut || isOwn ? lines : ((await madeLines(workspace, place)) ?? lines);
}

type Placed = Readonly<{ repo: string; path: string; blob: string }>;

async function pathOf(workspace: Workspace, { repo, path, blob }: Placed): Promise<string> {
  return shownPath({ repo, path, onDisk: await workspace.placeOnDisk(repo, path, blob) }, process.cwd());
}

/** A declaration's lines as they are now; where no word stands on one, the line with its name. */
function linesOf(
  hit: CodeHit,
  { place }: Exclude<Located, { state: "gone" }>,
  texts: { wanted: string[]; asked: number[] },
): HitLine[] {
  const request = { place, ...texts, name: hit.name, count: LINES_PER_DECLARATION, maxBytes: LONGEST_LINE };
  const matching = matchingHitLines(request);
  return matching.length > 0 ? matching : [nameLine(request)];
}
