import { type CodeDocument, type FileDocument, formatLocator, INDEX } from "../../code/index.js";
import type { Edges } from "../extract/edges.js";
import type { Declaration, LeadingComment, Reference } from "../extract/model.js";
import type { Positions } from "../extract/positions.js";
import { spanId } from "../sniff/blob.js";
import { EscapedText } from "./escaped-text.js";
import { declarationId, referenceId } from "./ids.js";
import type { BulkLines } from "./lines.js";
import { quoted } from "./quoted.js";
import { printReferences } from "./reference-documents.js";

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

  /** What each declaration refers to; `references` are in the order of their places. */
  addReferences(references: readonly Reference[]): void {
    const { positions, key } = this;
    for (const { first, fields } of printReferences(references, positions)) {
      const id = referenceId(key, positions.byteAt(first.start), positions.byteAt(first.end), first.kind);
      this.lines.index(INDEX.references, id, `${this.#common},${fields}}`);
    }
  }
}

function printEdges(edges: Edges): string {
  let printed = "";
  for (const list of Object.keys(edges) as (keyof Edges)[])
    printed += `,"${list}":[${edges[list]!.map(quoted).join()}]`;
  return printed;
}
