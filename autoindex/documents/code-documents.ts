import {
  type CodeDocument,
  type DeclarationDocument,
  type FileDocument,
  formatLocator,
  INDEX,
} from "../../code/index.js";
import type { Edges } from "../extract/edges.js";
import type { Declaration, Reference } from "../extract/model.js";
import type { Positions } from "../extract/positions.js";
import { spanId } from "../sniff/blob.js";
import { declarationId, referenceId } from "./ids.js";
import type { BulkLines } from "./lines.js";
import { quoted } from "./quoted.js";

/** Prints the documents of one file; what they have in common is printed once. */
export class CodeDocuments {
  readonly #common: string;

  constructor(
    private readonly file: CodeDocument,
    private readonly key: string,
    private readonly positions: Positions,
    private readonly lines: BulkLines,
  ) {
    this.#common = JSON.stringify(file).slice(0, -1);
  }

  /** The file itself. */
  addFile(own: Omit<FileDocument, keyof CodeDocument>): void {
    this.#add(INDEX.files, this.key, own);
  }

  /** One declaration, section or window, with what it refers to. */
  addDeclaration(declaration: Declaration, edges: Edges = {}): void {
    const { positions, file } = this;
    const { kind, name, qualifiedName, signature, docstring, comment, start, end } = declaration;
    const code = positions.text.slice(start, end);
    const span = spanId(code);
    const startLine = positions.lineAt(start);
    const endLine = positions.lineAt(Math.max(start, end - 1));
    const own: Omit<DeclarationDocument, keyof CodeDocument> = {
      kind,
      name,
      qualified_name: qualifiedName,
      signature,
      docstring,
      comment: comment?.raw ?? "",
      doc_start_line: comment?.firstLine ?? startLine,
      code,
      start_byte: positions.byteAt(start),
      end_byte: positions.byteAt(end),
      start_line: startLine,
      end_line: endLine,
      span,
      locator: formatLocator({ path: file.path, startLine, endLine, qualifiedName, blob: file.blob, span }),
      ...edges,
    };
    this.#add(INDEX.declarations, declarationId(this.key, own.start_byte, own.end_byte), own);
  }

  /** References in the order of their places; those of one name by one declaration are one document. */
  addReferences(references: readonly Reference[]): void {
    const edges = new Map<string, Reference[]>();
    for (const reference of references) {
      const { kind, name, enclosing, certainty } = reference;
      const edge = `${kind}\0${name}\0${enclosing}\0${certainty}`;
      const known = edges.get(edge);
      if (known) known.push(reference);
      else edges.set(edge, [reference]);
    }
    for (const places of edges.values()) this.#addEdge(places);
  }

  /** There are more of these than of all others: they are printed by hand. */
  #addEdge(places: readonly Reference[]): void {
    const { positions } = this;
    const { kind, name, enclosing, end, certainty } = places[0]!;
    let lines = "";
    let starts = "";
    for (const { start } of places) {
      const comma = lines === "" ? "" : ",";
      lines += comma + positions.lineAt(start);
      starts += comma + positions.byteAt(start);
    }
    const first = positions.byteAt(places[0]!.start);
    const source =
      `${this.#common},"kind":"${kind}","name":${quoted(name)},"enclosing":${quoted(enclosing)},` +
      `"line":[${lines}],"start_byte":[${starts}],"certainty":"${certainty}"}`;
    this.lines.index(INDEX.references, referenceId(this.key, first, positions.byteAt(end), kind), source);
  }

  #add(index: string, id: string, own: object): void {
    this.lines.index(index, id, `${this.#common},${JSON.stringify(own).slice(1)}`);
  }
}
