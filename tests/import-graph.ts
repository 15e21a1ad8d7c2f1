import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's root. Works from the sources and from dist/. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..").replace(/\/dist$/, "");

/** Top-level folders of the house. */
export const FOLDERS = ["src", "compat", "engine", "autoindex", "mcp", "code", "client", "console", "bench", "tests"];

/** All hand-written TypeScript of the house, as paths from the root; AssemblyScript kernels (`.as.ts`) apart. */
export function sourceFiles(): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".as.ts")) found.push(name);
    }
  };
  for (const folder of readdirSync(ROOT, { withFileTypes: true })) {
    if (folder.isDirectory() && FOLDERS.includes(folder.name)) walk(folder.name);
  }
  return found.sort();
}

/** One import statement: who, what (a path from the root, or a package's name), and whether only types are meant. */
export interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
  external: boolean;
}

/** Begins a statement that names another module, but for declarations (`export const`, `export function`). */
const STATEMENT_START = /^(?:import\b(?!\()|export (?:type )?[{*])/;
const STATEMENT_END = /(?:^import |from )"([^"]+)";$/;

/** Statements as the formatter prints them: each begins a line, and ends with `"module";`, perhaps lines later. */
function statements(text: string): { specifier: string; typeOnly: boolean }[] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  let typeOnly: boolean | undefined;
  for (const line of text.split("\n")) {
    if (STATEMENT_START.test(line)) typeOnly = /^(?:import|export) type\b/.test(line);
    if (typeOnly === undefined) continue;
    const end = STATEMENT_END.exec(line);
    if (end) found.push({ specifier: end[1]!, typeOnly });
    if (end || line.endsWith(";")) typeOnly = undefined;
  }
  return found;
}

/** Imports and re-exports of a file, dynamic ones with a literal argument included. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  const imports: Import[] = [];
  const add = (specifier: string, typeOnly: boolean) => {
    const external = !specifier.startsWith(".");
    const to = external ? specifier : path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts");
    imports.push({ from: file, to, typeOnly, external });
  };
  for (const { specifier, typeOnly } of statements(text)) add(specifier, typeOnly);
  for (const match of text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)) add(match[1]!, false);
  return imports;
}

/** Cycles among files, each as the list of files on it; empty when there is none. */
export function cycles(imports: Import[]): string[][] {
  const edges = new Map<string, string[]>();
  for (const { from, to, external } of imports) {
    if (external) continue;
    const list = edges.get(from);
    if (list) list.push(to);
    else edges.set(from, [to]);
  }
  const state = new Map<string, "open" | "done">();
  const found: string[][] = [];
  const trail: string[] = [];
  const visit = (file: string) => {
    state.set(file, "open");
    trail.push(file);
    for (const next of edges.get(file) ?? []) {
      if (state.get(next) === "open") found.push([...trail.slice(trail.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(file, "done");
  };
  for (const file of edges.keys()) if (!state.has(file)) visit(file);
  return found;
}
