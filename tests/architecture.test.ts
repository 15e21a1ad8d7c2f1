import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cycles, FOLDERS, type Import, importsOf, ROOT, sourceFiles } from "./import-graph.js";

/** Who may import whom across top-level folders. `tests` and `bench` look at everything from outside. */
const ALLOWED: Record<string, string[]> = {
  engine: [],
  code: [],
  client: [],
  console: ["code"],
  compat: ["engine"],
  autoindex: ["client", "code"],
  mcp: ["client", "code"],
  src: ["engine", "compat", "autoindex", "mcp", "code", "client", "console"],
  bench: FOLDERS,
  tests: FOLDERS,
};

/**
 * Layers inside engine/, lowest first; folders on one line may not import each other. Files directly in engine/ that
 * hold contracts only (types, errors, clock) are open to all; engine.ts and index.ts are the roof.
 */
const ENGINE_LAYERS: string[][] = [
  ["kernels", "memory", "activity"],
  ["store"],
  ["wal", "regex"],
  ["mapping"],
  ["analysis"],
  ["text", "postings", "columns", "vectors", "source", "trigrams"],
  ["memtable", "segment"],
  ["query", "aggs", "sort", "suggest"],
  ["shard"],
  ["snapshot"],
  ["repair"],
  ["workers"],
];
const ENGINE_ROOF = ["engine/engine.ts", "engine/index.ts", "engine/node-resources.ts"];
/** Contracts between layers: types and their constants, importing nothing but types. */
const ENGINE_CONTRACTS = ["engine/segment/types.ts", "engine/memtable/prepared.ts"];

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file);
const top = (file: string) => file.split("/")[0]!;
const show = (edge: Import) => `${edge.from} -> ${edge.to}`;

describe("the import graph", () => {
  it("reads a house that is there", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports.filter((edge) => !edge.external && !existsSync(path.join(ROOT, edge.to))).map(show)).toEqual([]);
  });

  it("runs one way between top-level folders", () => {
    const wrong = imports.filter(
      (edge) => !edge.external && top(edge.to) !== top(edge.from) && !ALLOWED[top(edge.from)]!.includes(top(edge.to)),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("enters a folder by its index.ts alone", () => {
    const outsiders = new Set(["tests", "bench"]);
    const wrong = imports.filter(
      (edge) =>
        !edge.external &&
        top(edge.to) !== top(edge.from) &&
        !outsiders.has(top(edge.from)) &&
        !isTest(edge.from) &&
        edge.to !== `${top(edge.to)}/index.ts`,
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("has no cycles between files, type imports counted", () => {
    expect(cycles(imports).map((cycle) => cycle.join(" -> "))).toEqual([]);
  });

  it("keeps the engine's layers: a lower line never imports a higher one", () => {
    const layer = (file: string) => ENGINE_LAYERS.findIndex((line) => line.includes(file.split("/")[1]!));
    const inEngineFolder = (file: string) => top(file) === "engine" && file.split("/").length > 2;
    const wrong = imports.filter((edge) => {
      if (edge.external || !inEngineFolder(edge.from) || isTest(edge.from) || edge.typeOnly) return false;
      if (ENGINE_ROOF.includes(edge.to)) return true;
      if (ENGINE_CONTRACTS.includes(edge.to)) return false;
      return inEngineFolder(edge.to) && layer(edge.to) > layer(edge.from);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("keeps every index.ts a face: exports only, no export-all of values", () => {
    const faces = FOLDERS.map((folder) => `${folder}/index.ts`).filter((file) => files.includes(file));
    const wrong = faces.filter((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
      return /\b(function|class|const|let|if|for)\b/.test(code) || /export \* from/.test(code);
    });
    expect(wrong).toEqual([]);
  });

  it("keeps node's child processes, sockets and files out of the pure folder", () => {
    const wrong = imports.filter((edge) => top(edge.from) === "code" && !isTest(edge.from) && edge.external);
    expect(wrong.map(show)).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const page = readFileSync(path.join(ROOT, "ARCHITECTURE.md"), "utf8");

  it("links only to files that exist", () => {
    const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !/^https?:/.test(link) && !existsSync(path.join(ROOT, link)))).toEqual([]);
  });

  it("stays under 300 lines", () => {
    expect(page.split("\n").length).toBeLessThan(300);
  });
});
