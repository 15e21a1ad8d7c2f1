import type { DeclarationKind, FileDocument, ReferenceDocument } from "../../code/index.js";

/** A comment directly above a declaration. */
export interface LeadingComment {
  /** Its lines as they are written, without the last line feed. */
  raw: string;
  firstLine: number;
}

/** A declaration in UTF-16 indices, before it becomes a document. */
export interface Declaration {
  kind: DeclarationKind;
  name: string;
  qualifiedName: string;
  signature: string;
  docstring: string;
  /** The comment above that `docstring` was read from, as whole raw lines; absent when it was not. */
  comment?: LeadingComment;
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
