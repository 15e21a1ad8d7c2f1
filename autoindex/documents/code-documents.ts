import { type CodeDocument, type FileDocument, formatLocator, INDEX } from "../../code/index.js";
import type { Edges } from "../extract/edges.js";
import type { Declaration, LeadingComment, Reference } from "../extract/model.js";
import type { Positions } from "../extract/positions.js";
import { spanId } from "../sniff/blob.js";
import { EscapedText } from "./escaped-text.js";
import { declarationId, referenceId } from "./ids.js";
import type { BulkLines } from "./lines.js";
import { quoted } from "./quoted.js";

/** Prints the documents of one file; what they have in common is printed once, and its text is quoted once. */
export class CodeDocuments {
  readonly #common: string;
  readonly #text: EscapedText;

  constructor(
    private readonly file: CodeDocument,
    private readonly key: string,
    private readonly positions: Positions,
    private readonly lines: BulkLines,
  ) {
    this.#common = JSON.stringify(file).slice(0, -1);
    this.#text = new EscapedText(positions.text);
  }

  /** The file itself; its body is the text. */
  addFile({ parsed, ...own }: Omit<FileDocument, keyof CodeDocument | "body">): void {
    const facts = JSON.stringify(own).slice(1, -1);
    const source = `${this.#common},${facts},"body":${this.#text.whole},"parsed":"${parsed}"}`;
    this.lines.index(INDEX.files, this.key, source);
  }

  /** One declaration, section or window, with what it refers to. */
  addDeclaration(declaration: Declaration, edges: Edges = {}): void {
    const { positions, file } = this;
    const { kind, name, qualifiedName, signature, docstring, comment, start, end } = declaration;
    const span = spanId(positions.text.slice(start, end));
    const startLine = positions.lineAt(start);
    const endLine = positions.lineAt(Math.max(start, end - 1));
    const [startByte, endByte] = [positions.byteAt(start), positions.byteAt(end)];
    const locator = formatLocator({ path: file.path, startLine, endLine, qualifiedName, blob: file.blob, span });
    const source =
      `${this.#common},"kind":"${kind}","name":${quoted(name)},"qualified_name":${quoted(qualifiedName)},` +
      `"signature":${quoted(signature)},"docstring":${quoted(docstring)},"comment":${this.#commentText(comment)},` +
      `"doc_start_line":${comment?.firstLine ?? startLine},"code":${this.#text.slice(start, end)},` +
      `"start_byte":${startByte},"end_byte":${endByte},"start_line":${startLine},"end_line":${endLine},` +
      `"span":"${span}","locator":${quoted(locator)}${printEdges(edges)}}`;
    this.lines.index(INDEX.declarations, declarationId(this.key, startByte, endByte), source);
  }

  /** A comment's lines are the text's own. */
  #commentText(comment: LeadingComment | undefined): string {
    if (!comment) return '""';
    const start = this.positions.lineStarts[comment.firstLine - 1]!;
    return this.#text.slice(start, start + comment.raw.length);
  }

  /** References in the order of their places; those of one name by one declaration are one document. */
  addReferences(references: readonly Reference[]): void {
    for (const places of edgesOf(references)) this.#addEdge(places);
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
}

/** References by edge (kind, name, enclosing and certainty), in the order of their first places. */
function edgesOf(references: readonly Reference[]): Reference[][] {
  const edges: Reference[][] = [];
  // Neighbours are enclosed by the same; a name is nearly always referred to in one way.
  const byEnclosing = new Map<string, Map<string, Reference[][]>>();
  let enclosing: string | undefined;
  let byName = new Map<string, Reference[][]>();
  for (const reference of references) {
    if (reference.enclosing !== enclosing) {
      enclosing = reference.enclosing;
      byName = byEnclosing.get(enclosing) ?? new Map();
      byEnclosing.set(enclosing, byName);
    }
    const ofName = byName.get(reference.name);
    const known = ofName?.find(([one]) => one!.kind === reference.kind && one!.certainty === reference.certainty);
    if (known) {
      known.push(reference);
      continue;
    }
    const made = [reference];
    edges.push(made);
    if (ofName) ofName.push(made);
    else byName.set(reference.name, [made]);
  }
  return edges;
}

function printEdges(edges: Edges): string {
  let printed = "";
  for (const list of Object.keys(edges) as (keyof Edges)[])
    printed += `,"${list}":[${edges[list]!.map(quoted).join()}]`;
  return printed;
}
