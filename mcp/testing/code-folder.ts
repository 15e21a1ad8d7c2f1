import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatLocator, INDEX } from "../../code/index.js";
import { gitBlobId, spanHash } from "../working-file.js";
import type { FakeNode } from "./fake-node.js";

/** A real folder with files, and a plain indexer that writes what it holds into a fake node. */
export class CodeFolder {
  readonly root = mkdtempSync(join(tmpdir(), "pinakes-mcp-"));

  constructor(
    readonly node: FakeNode,
    readonly repo: string,
  ) {}

  /** Writes a file, without indexing it. */
  write(path: string, text: string): void {
    this.writeBytes(path, Buffer.from(text));
  }

  /** Writes a file that need not be UTF-8. */
  writeBytes(path: string, bytes: Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), bytes);
  }

  /** Takes a file away, without telling the index. */
  delete(path: string): void {
    rmSync(join(this.root, path));
  }

  /** Writes and indexes a file: functions `function name(` up to a line `}`, routes `app.get("path"`, and one window for all of it. */
  add(path: string, text: string): void {
    this.write(path, text);
    this.index(path, text);
  }

  /** Says that the folder is indexed. */
  finish(skipped: Record<string, number> = {}): void {
    const { repo, root, node } = this;
    const folder = {
      entry: "folder",
      root,
      repo,
      files: 1,
      declarations: 1,
      records: 0,
      skipped,
      finished_at: "2020-01-01",
    };
    node.put(INDEX.catalog, `folder ${repo}`, folder);
  }

  /** Replaces what the index has of a path. */
  index(path: string, text: string): void {
    const { node, repo, root } = this;
    this.forget(path);
    const blob = gitBlobId(Buffer.from(text));
    const lines = text.replace(/\n$/, "").split("\n");
    const common = {
      repo,
      path,
      language: "typescript",
      class: path.includes("test") ? "test" : "source",
      blob,
      branches: [],
    };
    node.put(INDEX.catalog, `${repo}:${path}`, { entry: "file", root, repo, path, status: "indexed", detail: "" });
    node.put(INDEX.files, `${repo}:${path}`, { ...common, name: path.slice(path.lastIndexOf("/") + 1), body: text });
    const add = (declared: {
      kind: string;
      name: string;
      qualified_name: string;
      startLine: number;
      endLine: number;
    }) => {
      const { startLine, endLine, ...names } = declared;
      const code = lines.slice(startLine - 1, endLine).join("\n");
      const span = spanHash(code);
      const locator = formatLocator({ path, startLine, endLine, qualifiedName: names.qualified_name, blob, span });
      const signature = names.kind === "window" ? "" : lines[startLine - 1].replace(/ \{$/, "");
      const place = { start_line: startLine, end_line: endLine, start_byte: startLine, end_byte: endLine };
      node.put(INDEX.declarations, `${repo}:${locator}`, {
        ...common,
        ...names,
        ...place,
        signature,
        docstring: "",
        code,
        span,
        locator,
      });
    };
    add({
      kind: "window",
      name: path.split("/").pop() ?? "",
      qualified_name: path,
      startLine: 1,
      endLine: lines.length,
    });
    lines.forEach((line, at) => {
      const name = /^function (\w+)/.exec(line)?.[1];
      if (name !== undefined)
        add({ kind: "function", name, qualified_name: name, startLine: at + 1, endLine: lines.indexOf("}", at) + 1 });
      const path = /^app\.get\("([^"]+)"/.exec(line)?.[1];
      if (path !== undefined)
        add({
          ...{ kind: "route", name: `GET ${path}`, qualified_name: `GET ${path}` },
          ...{ startLine: at + 1, endLine: at + 1 },
        });
    });
  }

  /** Indexes a function that is a piece of one line; gives its locator. */
  addPiece(path: string, line: string, code: string): string {
    const { node, repo } = this;
    const blob = gitBlobId(Buffer.from(`${line}\n`));
    const name = /function (\w+)/.exec(code)?.[1] ?? "";
    const span = spanHash(code);
    const locator = formatLocator({ path, startLine: 1, endLine: 1, qualifiedName: name, blob, span });
    const start = Buffer.byteLength(line.slice(0, line.indexOf(code)));
    node.put(INDEX.declarations, `${repo}:${locator}`, {
      ...{ repo, path, language: "javascript", class: "source", blob, branches: [], kind: "function" },
      ...{ name, qualified_name: name, signature: `function ${name}()`, docstring: "", code, span, locator },
      ...{ start_line: 1, end_line: 1, start_byte: start, end_byte: start + Buffer.byteLength(code) },
    });
    return locator;
  }

  /** Takes a path out of the index. */
  forget(path: string): void {
    for (const index of [INDEX.files, INDEX.declarations, INDEX.catalog])
      this.node.remove(index, { repo: this.repo, path });
  }

  /** Removes the folder from the disk. */
  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
