/** Hits as text: grep's output, paths alone, counts, or JSON, one object a line. */
import { isFileHit, printable } from "../../code/index.js";
import type { DatasetHint } from "../../mcp/index.js";
import type { Asked } from "./asked.js";
import type { ShownHit } from "./shown-hit.js";
import type { ShownLine } from "./shown-lines.js";

/** Takes one hit after another and gives back what to print of each. */
export interface HitPrinter {
  hit(shown: ShownHit): string;
  end(summary: Summary): string;
}

/** What is said at the end. */
export interface Summary {
  hits: number;
  total: number;
  totalIs: "exact" | "at least";
  warnings: readonly string[];
  /** Data sets whose records have what was searched for, where code has little or none of it. */
  datasets?: readonly DatasetHint[];
}

/** The printer for what was asked. */
export function hitPrinter(asked: Asked): HitPrinter {
  if (asked.show === "json") return { hit: (shown) => `${JSON.stringify(toJson(shown))}\n`, end: summaryJson };
  if (asked.show === "lines") return linePrinter(asked);
  const paint = painter(asked.color);
  const counts = new Map<string, number>();
  // Several declarations of one file are one path and one count.
  const add = ({ hit, path, total }: ShownHit) => {
    const known = counts.get(path);
    counts.set(path, (known ?? 0) + (isFileHit(hit) ? total : 1));
    return asked.show === "paths" && known === undefined ? `${paint("path", path)}\n` : "";
  };
  const all = () => [...counts].map(([path, count]) => `${paint("path", path)}:${count}\n`).join("");
  return { hit: add, end: asked.show === "counts" ? all : () => "" };
}

function linePrinter(asked: Asked): HitPrinter {
  const paint = painter(asked.color);
  const printed = new Set<string>();
  const hasContext = asked.before + asked.after > 0;
  let lastPath: string | undefined;
  let lastLine = 0;
  const line = (shown: ShownHit, { line: number, ...one }: ShownLine, note: string): string => {
    const sign = one.isContext ? "-" : ":";
    const isApart = hasContext && lastPath !== undefined && !(lastPath === shown.path && number === lastLine + 1);
    const isNew = lastPath !== shown.path;
    const heading = `${lastPath === undefined ? "" : "\n"}${paint("path", shown.path)}\n`;
    const above = asked.layout === "heading" && isNew ? heading : isApart ? `${paint("sign", "--")}\n` : "";
    lastPath = shown.path;
    lastLine = number;
    const path = asked.layout === "heading" ? "" : `${paint("path", shown.path)}${paint("sign", sign)}`;
    const rest = one.cutBytes > 0 ? ` ... (+${one.cutBytes} bytes)` : "";
    return `${above}${path}${paint("line", String(number))}${paint("sign", sign)}${painted(one, paint)}${rest}${note}\n`;
  };
  return {
    hit: (shown) => {
      const key = (number: number) => `${shown.path}\0${number}`;
      const fresh = shown.lines.filter(({ line: number, text }) => !printed.has(`${key(number)}\0${text}`));
      for (const { line: number, text } of fresh) printed.add(`${key(number)}\0${text}`);
      const note = shown.note === "" ? "" : `  (${printable(shown.note)})`;
      // A file of which patterns were only taken away has no lines: its path stands for it.
      if (shown.lines.length === 0) return `${paint("path", shown.path)}${note}\n`;
      return fresh.map((one, at) => line(shown, one, at < fresh.length - 1 ? "" : note)).join("");
    },
    end: () => "",
  };
}

const COLORS = { path: "\u001b[35m", line: "\u001b[32m", sign: "\u001b[36m", match: "\u001b[1m\u001b[31m" } as const;
type Paint = (as: keyof typeof COLORS, text: string) => string;

function painter(isColored: boolean): Paint {
  return isColored ? (as, text) => `${COLORS[as]}${text}\u001b[0m` : (_as, text) => text;
}

/** A line with its matches painted; what lies behind the cut of a long line cannot be. */
function painted({ text, ranges }: Pick<ShownLine, "text" | "ranges">, paint: Paint): string {
  const bytes = Buffer.from(text, "utf8");
  const piece = (start: number, end: number) => printable(bytes.subarray(start, end).toString("utf8"), "\t");
  let at = 0;
  let shown = "";
  for (const [start, end] of ranges) {
    if (start < at || end > bytes.length || start === end) continue;
    shown += piece(at, start) + paint("match", piece(start, end));
    at = end;
  }
  return shown + piece(at, bytes.length);
}

/** One object of `--json`; docs/queries.md describes it. */
function toJson({ hit, path, note, lines, total, locator }: ShownHit): Record<string, unknown> {
  const common = { repo: hit.repo, path: hit.path, shown_path: path, language: hit.language, class: hit.class };
  const state = { state: note === "" ? "exact" : note, ...(hit.score === undefined ? {} : { score: hit.score }) };
  const shownLines = lines.map(({ line, text, ranges, cutBytes, isContext }) => ({
    ...{ line, text, ranges },
    ...(cutBytes > 0 ? { cut_bytes: cutBytes } : {}),
    ...(isContext ? { context: true } : {}),
  }));
  if (isFileHit(hit)) return { type: "file", ...common, blob: hit.blob, ...state, total, lines: shownLines };
  const { kind, name, qualifiedName, signature } = hit;
  const declared = { kind, name, qualified_name: qualifiedName, signature, locator };
  return { type: "declaration", ...common, ...declared, ...state, lines: shownLines };
}

function summaryJson({ hits, total, totalIs, warnings, datasets = [] }: Summary): string {
  const found = datasets.map(({ recordsAre, ...hint }) => ({ ...hint, records_are: recordsAre }));
  const summary = { type: "summary", hits, total, total_is: totalIs, warnings };
  return `${JSON.stringify({ ...summary, ...(found.length > 0 && { datasets: found }) })}\n`;
}
