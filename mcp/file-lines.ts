import type { FileHit, PatternLine } from "../code/index.js";
import type { LineSearch } from "./ask-again.js";
import { type CurrentFile, currentFile } from "./current-file.js";
import type { Workspace } from "./workspace.js";

/** A line of a file with what is known of it. */
export interface ShownLine {
  line: number;
  text: string;
  /** Where the first match begins, in UTF-16 units of `text`; undefined for a line of context. */
  column: number | undefined;
  /** Bytes behind `text` that are not known here. */
  after: number;
}

/** A file that patterns on lines found, as it is now, with its lines in order. */
export interface LinesOfFile {
  current: CurrentFile;
  lines: ShownLine[];
}

/** Looks at a file and its lines; of a long line that the index has cut, the whole is on the disk. */
export async function linesOfFile(workspace: Workspace, search: LineSearch, hit: FileHit): Promise<LinesOfFile> {
  const current = await currentFile(workspace, search, hit);
  const file = await workspace.file(hit.repo, hit.path, hit.blob);
  const onDisk = file.state === "present" && file.blob === current.hit.blob ? file.lines : undefined;
  const lines = current.hit.lines.lines.map((line) => shownLine(line, onDisk?.[line.line - 1]));
  return { current, lines: lines.sort((a, b) => a.line - b.line) };
}

function shownLine(found: PatternLine, onDisk: string | undefined): ShownLine {
  const isWhole = found.cutBytes === 0;
  const text = !isWhole && onDisk?.startsWith(found.text) ? onDisk : found.text;
  const after = isWhole || text !== found.text ? 0 : found.cutBytes;
  return { line: found.line, text, column: columnOf(found, text), after };
}

/** Of a line that is known in part, as far as it is. */
function columnOf({ ranges }: PatternLine, text: string): number | undefined {
  const [first] = ranges;
  if (first === undefined) return undefined;
  return Buffer.from(text, "utf8").subarray(0, first[0]).toString("utf8").length;
}
