import type { DeclarationKind, FileDocument, ReferenceDocument } from "../../code/index.js";

/** A declaration in UTF-16 indices, before it becomes a document. */
export interface Declaration {
  kind: DeclarationKind;
  name: string;
  qualifiedName: string;
  signature: string;
  docstring: string;
  start: number;
  end: number;
}

/** A reference in UTF-16 indices. */
export interface Reference {
  kind: ReferenceDocument["kind"];
  name: string;
  enclosing: string;
  start: number;
  end: number;
  certainty: ReferenceDocument["certainty"];
}

/** What was read from one text. */
export interface Outline {
  declarations: Declaration[];
  references: Reference[];
  parsed: FileDocument["parsed"];
}
