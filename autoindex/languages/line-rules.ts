import type { DeclarationKind, ReferenceKind } from "../../code/index.js";

/**
 * How far a declaration reaches that was found by its first line:
 * `line` that line; `brace` to the brace that closes the first one; `indent` to the next line that is indented as little;
 * `end` to the line that the language's `close` matches; `statement` to a semicolon at the end of a line; `next` to the next
 * declaration of that extent; `section` to the next one of the same or an outer level.
 */
export type Extent = "line" | "brace" | "indent" | "end" | "statement" | "next" | "section";

/** One kind of declaration: its pattern is tried on single lines and names what it finds in `name`, perhaps `owner` and `level`. */
export interface LineRow {
  kind: DeclarationKind;
  pattern: RegExp;
  extent: Extent;
  where: Where;
}

/** Whether a row is tried on every line, or only directly inside a type. */
export type Where = "anywhere" | "in a type";

/**
 * Lines that are no code: from the one that `begins` matches to the one that `until` does. Of a text between tags or marks
 * the first line is code: `begins` is tried everywhere in it and names the `tag`, or is the mark itself.
 */
export interface Passage {
  begins: RegExp;
  until: RegExp | "its tag" | "its mark" | "the end";
  is: "documentation" | "text";
}

/** Several names in a line, or in the lines from the one that `begins` matches to the one that `until` does. */
export interface LineList {
  kind: DeclarationKind;
  begins: RegExp;
  until: RegExp;
  /** Every match of it names one in `name`. */
  pattern: RegExp;
}

/** One kind of reference: every match of its pattern in a line names one in `name`. */
export interface LineReference {
  kind: ReferenceKind;
  pattern: RegExp;
}

/**
 * What is read of a language without a grammar. Patterns meet at most `MAX_LINE` characters of a line, begin where the
 * line begins, and have no repetition inside a repetition, so that a text costs no more than its length.
 */
export interface LineRules {
  /** The first that matches wins. */
  rows: readonly LineRow[];
  references: readonly LineReference[];
  /** A line that ends the innermost declaration of extent `end`. */
  close?: RegExp;
  passages?: readonly Passage[];
  lists?: readonly LineList[];
  lineComments: readonly string[];
  blockComments: readonly [open: string, close: string] | false;
  /** Titles are underlined, as in reStructuredText. */
  underlined?: true;
}

/** Characters of a line that patterns see. */
export const MAX_LINE = 400;

/** A row of the table. */
export function row(
  kind: DeclarationKind,
  pattern: RegExp,
  extent: Extent = "line",
  where: Where = "anywhere",
): LineRow {
  return { kind, pattern, extent, where };
}

/** A reference of the table. */
export function refers(kind: ReferenceKind, pattern: RegExp): LineReference {
  return { kind, pattern };
}
