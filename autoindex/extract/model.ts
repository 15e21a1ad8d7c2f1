import type { DeclarationKind, FileDocument, ReferenceKind } from "../../code/index.js";

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
  kind: ReferenceKind;
  name: string;
  enclosing: string;
  start: number;
  end: number;
  certainty: "exact" | "heuristic";
  /** Of an import: whether a module is named, or what is taken out of one. */
  names?: "module" | "member";
}

/** What was read from one text. */
export interface Outline {
  declarations: Declaration[];
  references: Reference[];
  parsed: FileDocument["parsed"];
  /** Share of the text that the grammar could make no sense of; absent where it was not asked or made sense of all. */
  errorShare?: number;
  /**
   * Why the grammar was not asked, or its answer given up, so that the text is windows, or may be: it was too much work
   * (`time`: for this machine, now), is too long, or is no text for people. Absent when nothing was given up.
   */
  gaveUp?: "steps" | "time" | "length" | "minified" | "depth" | "crash";
}
