/** Code as `autoindex` writes it, without the work of reading it: windows of real files with made names. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { INDEX, PROPERTIES } from "../../code/index.js";

const SOURCE = /\.(ts|js|mjs|cjs|py|go|rs|java|c|h|cpp)$/;
/** Bytes of text that a document takes, about: with its other fields it has 1.7 KB. */
const WINDOW_BYTES = 1300;

/** Settings and mapping of the index. */
export const CODE_INDEX = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: { dynamic: "strict", properties: PROPERTIES[INDEX.declarations] },
};

/** `_bulk` bodies of so many documents each; windows come again when the folder has too few. */
export function codeBatches(folder: string, documents: number, batch: number): Buffer[] {
  const windows = windowsOf(folder);
  if (windows.length === 0) throw new Error(`${folder} has no source files`);
  const bodies: Buffer[] = [];
  for (let from = 0; from < documents; from += batch) {
    const lines: string[] = [];
    for (let i = from; i < Math.min(documents, from + batch); i++) {
      lines.push('{"index":{}}', JSON.stringify(documentOf(windows[i % windows.length], i)));
    }
    bodies.push(Buffer.from(`${lines.join("\n")}\n`));
  }
  return bodies;
}

interface SourceWindow {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function windowsOf(folder: string): SourceWindow[] {
  const windows: SourceWindow[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const lines = readFileSync(file, "utf8").split("\n");
    for (let from = 0; from < lines.length; ) {
      let bytes = 0;
      let to = from;
      while (to < lines.length && bytes < WINDOW_BYTES) bytes += lines[to++].length + 1;
      // Minified files are no code that somebody wrote.
      if (bytes < 3 * WINDOW_BYTES) {
        windows.push({ path: path.relative(folder, file), line: from + 1, text: lines.slice(from, to).join("\n") });
      }
      from = to;
    }
  }
  return windows;
}

function documentOf({ path: file, line, text }: SourceWindow, number: number): object {
  const name = /[A-Za-z_]\w{3,}/.exec(text)?.[0] ?? "window";
  const blob = number.toString(16).padStart(40, "0");
  return {
    repo: "bench",
    path: file,
    language: "typescript",
    class: "source",
    blob,
    branches: ["main"],
    kind: "function",
    name,
    qualified_name: `${path.basename(file)}.${name}`,
    signature: text.slice(0, 60),
    docstring: "",
    comment: "",
    doc_start_line: line,
    code: text,
    start_byte: number,
    end_byte: number + text.length,
    start_line: line,
    end_line: line + text.split("\n").length,
    span: blob,
    locator: `${file}:${line}#${name}@${blob.slice(0, 12)}`,
  };
}
