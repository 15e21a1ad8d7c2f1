/** Reading what the tools and the command line show, and judging it by what the files held while it was asked. */
import { printable } from "../../../code/index.js";
import type { Version, WorkingTree } from "./working-tree.js";

/** A piece of code as an answer shows it. */
export interface Shown {
  path: string;
  /** First digits of the file's blob id; absent where the answer has none. */
  blob: string | undefined;
  /** What stands in brackets beside it. */
  note: string;
  lines: { line: number; text: string }[];
}

const LOCATOR = /^([^\n]+?):\d+-\d+#.*?@([0-9a-f]{12})~[0-9a-f]{12}(.*)$/;
const LINE = /^(\d+): (.*)$/;
const GREP = /^(.+?):(\d+):(.*)$/;

/** Pieces of an answer of the tools `search` and `read`. */
export function parseTool(text: string): Shown[] {
  const shown: Shown[] = [];
  for (const line of text.split("\n")) {
    const locator = LOCATOR.exec(line);
    if (locator) shown.push({ path: locator[1], blob: locator[2], note: locator[3], lines: [] });
    const code = LINE.exec(line);
    if (code) shown.at(-1)?.lines.push({ line: Number(code[1]), text: code[2] });
  }
  return shown;
}

/** Lines of `pinakes search`, run in the folder itself. */
export function parseGrep(text: string): Shown[] {
  return text.split("\n").flatMap((output) => {
    const [, path, line, rest] = GREP.exec(output) ?? [];
    if (path === undefined) return [];
    const [, code, note] = /^(.*?)(?: {2}(\([^()]*\)))?$/.exec(rest)!;
    return [{ path, blob: undefined, note: note ?? "", lines: [{ line: Number(line), text: code }] }];
  });
}

/** When an answer was asked for and when it came. */
export interface Asked {
  from: number;
  until: number;
}

/** Why a shown piece was never so while it was asked for; nothing when it was. */
export function staleness(tree: WorkingTree, shown: Shown, { from, until }: Asked): string | undefined {
  if (shown.note.includes("gone") || (shown.lines.length === 0 && shown.blob === undefined)) return undefined;
  if (shown.note.includes("unverified")) return `${shown.path}: unverified, though its folder is here`;
  const versions = tree.versions(shown.path, from, until);
  if (versions.some((version) => holds(version, shown))) return undefined;
  const held = versions.map(({ text, blob }) => `${blob.slice(0, 12)} ${JSON.stringify(text)?.slice(0, 300)}`);
  return `${JSON.stringify(shown)} but the file held ${held.join(" or ")}`;
}

function holds({ text, blob }: Version, shown: Shown): boolean {
  if (text === undefined) return false;
  if (shown.blob !== undefined && !blob.startsWith(shown.blob)) return false;
  const lines = text.split("\n");
  const printed = (line: number) => printable((lines[line - 1] ?? "").replace(/\r$/, ""), "\t");
  return shown.lines.every(({ line, text }) => printed(line).trimEnd() === text.trimEnd());
}
