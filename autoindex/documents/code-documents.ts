import {
  type CodeDocument,
  type DeclarationDocument,
  type FileDocument,
  formatLocator,
  INDEX,
  type ReferenceDocument,
} from "../../code/index.js";
import type { Declaration, Reference } from "../extract/model.js";
import type { Positions } from "../extract/positions.js";
import { spanId } from "../sniff/blob.js";
import { declarationId, referenceId } from "./ids.js";
import type { BulkLines } from "./lines.js";

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

  /** One declaration, section or window. */
  addDeclaration(declaration: Declaration): void {
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
    };
    this.#add(INDEX.declarations, declarationId(this.key, own.start_byte, own.end_byte), own);
  }

  /** One reference. */
  addReference({ kind, name, enclosing, start, end, certainty }: Reference): void {
    const { positions } = this;
    const own: Omit<ReferenceDocument, keyof CodeDocument> = {
      kind,
      name,
      enclosing,
      line: positions.lineAt(start),
      start_byte: positions.byteAt(start),
      certainty,
    };
    this.#add(INDEX.references, referenceId(this.key, own.start_byte, positions.byteAt(end), kind), own);
  }

  #add(index: string, id: string, own: object): void {
    this.lines.index(index, id, `${this.#common},${JSON.stringify(own).slice(1)}`);
  }
}
