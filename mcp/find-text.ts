import { identifiersOf, routePath } from "../code/index.js";
import { spanHash } from "./working-file.js";

/** A run of lines in a file, 1-based, inclusive. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

/**
 * Where a text stands in a file, whole: `return a` does not stand in `return a + 1`. The place nearest to `near` when
 * there are several.
 */
export function findText(lines: readonly string[], text: string, near: number): LineRange | undefined {
  if (text.trim() === "") return undefined;
  const whole = lines.join("\n");
  let best: LineRange | undefined;
  let line = 1;
  let counted = 0;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    line += newlines(whole, counted, at);
    counted = at;
    if (!isWhole(whole, at, at + text.length)) continue;
    const range = {
      startLine: line,
      endLine: line + newlines(text, 0, text.endsWith("\n") ? text.length - 1 : text.length),
    };
    if (best === undefined || Math.abs(line - near) < Math.abs(best.startLine - near)) best = range;
  }
  return best;
}

/** Whether what stands around a text does not make something else of it. */
function isWhole(file: string, start: number, end: number): boolean {
  if (/\w/.test(file[start]) && /\w/.test(file[start - 1] ?? "")) return false;
  const last = file[end - 1];
  if (last === "}" || last === "\n") return true;
  const lineEnd = file.indexOf("\n", end);
  const rest = file.slice(end, lineEnd < 0 ? undefined : lineEnd).trim();
  return rest === "" || /^([;,)\]}#]|\/[/*]|--)/.test(rest);
}

/** Lines around the old place that are looked at for a span: each costs some hashes. */
const SPAN_REACH = 20_000;

/** Whether some lines have a span's hash, with and without what may stand around it. */
export function hasSpan(lines: readonly string[], span: string, { startLine, endLine }: LineRange): boolean {
  return variants(lines.slice(startLine - 1, endLine).join("\n")).some((text) => spanHash(text).startsWith(span));
}

/**
 * Where lines with a span's hash stand, without knowing the text: as many lines as it had, with and without the
 * indentation before and what a statement ends with.
 */
export function findSpan(lines: readonly string[], span: string, was: LineRange): LineRange | undefined {
  const count = was.endLine - was.startLine + 1;
  const first = Math.max(1, was.startLine - SPAN_REACH);
  const last = Math.min(lines.length - count + 1, was.startLine + SPAN_REACH);
  const starts = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  starts.sort((a, b) => Math.abs(a - was.startLine) - Math.abs(b - was.startLine) || a - b);
  for (const startLine of starts) {
    const range = { startLine, endLine: startLine + count - 1 };
    if (hasSpan(lines, span, range)) return range;
  }
  return undefined;
}

/**
 * Where a name seems to be declared when no index knows: the line that begins as the declaration's line did up to the
 * name, else the first line that has the name. As many lines as it had before.
 */
export function findName(
  lines: readonly string[],
  name: string,
  was: LineRange & { signature: string },
): LineRange | undefined {
  const path = routePath(name);
  const wanted = path ?? identifiersOf(name).at(-1);
  if (wanted === undefined) return undefined;
  const holds = (line: string) => (path === undefined ? identifiersOf(line).includes(wanted) : line.includes(wanted));
  const holding = lines.flatMap((line, at) => (holds(line) ? [at] : []));
  const lead = leadOf(was.signature, wanted);
  const best = holding.find((at) => lead !== "" && leadOf(lines[at], wanted) === lead) ?? holding[0];
  if (best === undefined) return undefined;
  return { startLine: best + 1, endLine: Math.min(lines.length, best + 1 + was.endLine - was.startLine) };
}

function leadOf(line: string, name: string): string {
  const at = line.indexOf(name);
  return at < 0 ? "" : line.slice(0, at).trim().replace(/\s+/g, " ");
}

function variants(text: string): string[] {
  const start = text.trimStart();
  return [text, `${text}\n`, start, text.trimEnd(), start.trimEnd(), start.replace(/[;,\s]+$/, "")];
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
