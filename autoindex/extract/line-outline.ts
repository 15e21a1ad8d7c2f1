import { type LineList, type LineRow, type LineRules, MAX_LINE } from "../languages/line-rules.js";
import { cleanComment, commentAbove } from "./comments.js";
import { Enclosing } from "./enclosing.js";
import { Passages } from "./line-passages.js";
import { indentOf, indentWidth, patternsFor, sectionLevel, withoutStrings } from "./line-text.js";
import type { Declaration, Outline, Reference } from "./model.js";
import { qualify } from "./names.js";
import type { Positions } from "./positions.js";

/** Declarations and references of one text: beyond these a file is a list, and its rest is read as windows. */
const MAX_DECLARATIONS = 20_000;
const MAX_REFERENCES = 50_000;
const MAX_SIGNATURE = 400;
const MAX_NAME = 200;

/** Containers whose functions are methods, and those whose data are of no interest from outside. */
const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "struct", "interface", "trait", "enum"]);
const CODE_KINDS: ReadonlySet<string> = new Set(["function", "method", "constructor", "macro", "test"]);
const DATA_KINDS: ReadonlySet<string> = new Set(["constant", "variable", "field", "property"]);

/** A declaration whose end is not known yet. */
interface Open {
  declaration: Declaration;
  row: LineRow;
  /** Indentation of its first line, or depth of its section. */
  level: number;
  /** Braces that were open before it, and whether its own has come. */
  depth: number;
  entered: boolean;
  line: number;
  /** A section's text ended where its first sub-section began. */
  isSealed?: boolean;
}

/** What a text without a grammar declares and refers to, read line by line; `windows` when its patterns find nothing. */
export function outlineLines(rules: LineRules, positions: Positions): Outline {
  const reading = new LineReading(rules, positions);
  for (let line = 1; line <= positions.lines; line++) reading.read(line);
  reading.finish();
  const declarations = reading.declarations.sort((a, b) => a.start - b.start || b.end - a.end);
  const enclosing = new Enclosing(declarations);
  for (const reference of reading.references) {
    reference.enclosing = enclosing.at(reference.start)?.qualifiedName ?? "";
  }
  const isRead = declarations.length + reading.references.length > 0;
  return { declarations, references: reading.references, parsed: isRead ? "outline" : "windows" };
}

/** One pass over the lines of a text. */
class LineReading {
  readonly declarations: Declaration[] = [];
  readonly references: Reference[] = [];
  readonly #open: Open[] = [];
  #depth = 0;
  #isInComment = false;
  #quote = "";
  readonly #passages: Passages;
  #list: LineList | undefined;
  /** Underlines in the order they appear: the first one's titles are the outermost. */
  readonly #underlines: string[] = [];
  /** Ends of the last line with words, and of the last one that is no comment: that one belongs to what comes next. */
  #lastFilledEnd = 0;
  #lastCodeEnd = 0;

  constructor(
    private readonly rules: LineRules,
    private readonly positions: Positions,
  ) {
    this.#passages = new Passages(rules, positions);
  }

  read(line: number): void {
    const start = this.positions.lineStarts[line - 1]!;
    const end = this.positions.endOfLine(line);
    const text = this.positions.text.slice(start, Math.min(end, start + MAX_LINE)).trimEnd();
    if (text === "") return;
    const lineEnd = start + this.positions.text.slice(start, end).trimEnd().length;
    const isComment = !this.#passages.isOpen && this.#passComment(text);
    const passage = isComment ? undefined : this.#passages.pass(text, line);
    if (!isComment && passage === undefined) {
      this.#closeIndented(text, lineEnd);
      this.#declare(text, line, lineEnd);
      this.#declareListed(text, line);
      this.#refer(text, start);
      this.#closeBraces(text, line, lineEnd);
      this.#closeStatements(text, lineEnd);
      const { close } = this.rules;
      if (close && patternsFor(text)(close).test(text)) this.#closeInnermost("end", lineEnd);
    }
    if (!isComment && passage !== "documentation") this.#lastCodeEnd = lineEnd;
    this.#lastFilledEnd = lineEnd;
  }

  finish(): void {
    this.#popTo(0);
  }

  /** Whether a line is in or begins a comment; one that follows code on its line is left to the patterns. */
  #passComment(text: string): boolean {
    const marks = this.rules.blockComments;
    if (this.#isInComment) {
      if (marks && text.includes(marks[1])) this.#isInComment = false;
      return true;
    }
    const words = text.trimStart();
    if (marks && words.startsWith(marks[0])) {
      this.#isInComment = !words.includes(marks[1], marks[0].length);
      return true;
    }
    return this.rules.lineComments.some((mark) => words.startsWith(mark));
  }

  #declare(text: string, line: number, lineEnd: number): void {
    if (this.declarations.length >= MAX_DECLARATIONS) return;
    const title = this.rules.underlined ? this.#underlinedTitle(text, line) : undefined;
    if (title) {
      this.#begin(title.row, { name: text.trim(), level: title.level }, line, lineEnd);
      return;
    }
    const patternOf = patternsFor(text);
    const inType = this.#isInType();
    for (const row of this.rules.rows) {
      if (row.where === "in a type" && !inType) continue;
      const found = patternOf(row.pattern).exec(text);
      const name = found?.groups?.name;
      if (!found || !name) continue;
      const level = row.extent === "section" ? sectionLevel(found.groups?.level ?? "", text) : indentOf(text);
      this.#begin(row, { name, owner: found.groups?.owner, level }, line, lineEnd);
      return;
    }
  }

  #isInType(): boolean {
    const outer = this.#open.at(-1)?.declaration;
    return outer !== undefined && (TYPE_KINDS.has(outer.kind) || outer.kind === "type");
  }

  /** Names that stand in a list, in one line or in several. */
  #declareListed(text: string, line: number): void {
    if (!this.rules.lists) return;
    const patternOf = patternsFor(text);
    this.#list ??= this.rules.lists.find(({ begins }) => patternOf(begins).test(text));
    const list = this.#list;
    if (!list) return;
    const outer = this.#open.at(-1)?.declaration;
    const lineStart = this.positions.lineStarts[line - 1]!;
    const signature = text.trim().replace(/\s+/g, " ").slice(0, MAX_SIGNATURE);
    for (const found of text.matchAll(patternOf(list.pattern))) {
      const name = found.groups?.name;
      if (!name || this.declarations.length >= MAX_DECLARATIONS) continue;
      const start = lineStart + found.index + found[0].indexOf(name);
      const qualifiedName = qualify(outer?.qualifiedName ?? "", name);
      const { kind } = list;
      this.declarations.push({ kind, name, qualifiedName, signature, docstring: "", start, end: start + name.length });
    }
    if (patternOf(list.until).test(text)) this.#list = undefined;
  }

  #begin(row: LineRow, found: { name: string; owner?: string; level: number }, line: number, lineEnd: number): void {
    const start = this.positions.lineStarts[line - 1]! + (row.extent === "section" ? 0 : indentWidth(this.#text(line)));
    if (row.extent === "section") this.#closeSections(found.level);
    if (row.extent === "next") this.#closeInnermost("next");
    this.#closeUnentered(found.level);
    const outer = this.#open.at(-1)?.declaration;
    if (outer && CODE_KINDS.has(outer.kind) && DATA_KINDS.has(row.kind)) return;
    const inType = outer !== undefined && TYPE_KINDS.has(outer.kind);
    const name = found.name.trim().slice(0, MAX_NAME);
    const before = this.declarations.at(-1);
    // The clauses of one function, the lines of one reopened target.
    if (row.extent === "next" && before?.name === name && before.kind === row.kind) {
      this.#open.push({ declaration: before, row, level: found.level, depth: this.#depth, entered: false, line });
      return;
    }
    const declaration: Declaration = {
      kind: row.kind === "function" && (inType || found.owner) ? "method" : row.kind,
      name,
      qualifiedName: qualify(outer?.qualifiedName ?? "", found.owner?.replaceAll("::", ".") ?? "", name),
      signature: this.#text(line)
        .trim()
        .replace(/\s+/g, " ")
        .replace(/\s*[{:]$/, "")
        .slice(0, MAX_SIGNATURE),
      ...this.#documentation(line),
      start,
      end: lineEnd,
    };
    this.declarations.push(declaration);
    if (row.extent !== "line") {
      this.#open.push({ declaration, row, level: found.level, depth: this.#depth, entered: false, line });
    }
  }

  #documentation(line: number): Pick<Declaration, "docstring" | "comment"> {
    const comment = commentAbove(this.positions, line, this.rules);
    const docstring = comment ? cleanComment(comment.raw, this.rules) : "";
    return { docstring, ...(comment && docstring !== "" && { comment }) };
  }

  #refer(text: string, start: number): void {
    const patternOf = patternsFor(text);
    for (const { kind, pattern } of this.rules.references) {
      for (const found of text.matchAll(patternOf(pattern))) {
        const name = found.groups?.name;
        if (!name || this.references.length >= MAX_REFERENCES) continue;
        const at = start + found.index + found[0].lastIndexOf(name);
        if (this.#isKnown(at)) continue;
        this.references.push({ kind, name, enclosing: "", start: at, end: at + name.length, certainty: "heuristic" });
      }
    }
  }

  /** Whether another pattern found a reference, or a declaration its name, at this place. */
  #isKnown(at: number): boolean {
    for (let index = this.references.length - 1; index >= 0; index--) {
      const { start } = this.references[index]!;
      if (start === at) return true;
      if (start < at - MAX_LINE) break;
    }
    const last = this.declarations.at(-1);
    return last !== undefined && last.start <= at && at - last.start < MAX_LINE && this.#namesAt(last, at);
  }

  #namesAt({ name, start, signature }: Declaration, at: number): boolean {
    return (
      this.positions.text.startsWith(name, at) &&
      at - start <= signature.length &&
      at - start <= signature.indexOf(name)
    );
  }

  #closeIndented(text: string, lineEnd: number): void {
    const indent = indentOf(text);
    while (this.#open.at(-1)?.row.extent === "indent" && indent <= this.#open.at(-1)!.level) {
      const closes = indent === this.#open.at(-1)!.level && /^\s*(?:end\b|[})\]])/.test(text);
      this.#popTo(this.#open.length - 1, closes ? lineEnd : undefined);
      if (closes) return;
    }
  }

  #closeBraces(text: string, line: number, lineEnd: number): void {
    if (!/[{};,)]/.test(text)) return;
    for (const char of withoutStrings(text)) {
      if (char === "{") this.#depth++;
      else if (char === "}") this.#depth = Math.max(0, this.#depth - 1);
      else continue;
      this.#closeAtDepth(line - 1, lineEnd);
    }
    this.#closeAtDepth(line, lineEnd);
    const last = this.#open.at(-1);
    // A declaration without a body ends with its line.
    if (last?.row.extent === "brace" && !last.entered && /[;,)]$/.test(text))
      this.#popTo(this.#open.length - 1, lineEnd);
  }

  /** Arguments in braces may stand before a body's: in its first line a declaration closes only at the end (`begun`). */
  #closeAtDepth(begun: number, lineEnd: number): void {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const open = this.#open[index]!;
      if (open.row.extent !== "brace") continue;
      if (this.#depth > open.depth) open.entered = true;
      else if (open.entered && open.line <= begun) this.#popTo(index, lineEnd);
      return;
    }
  }

  /** One whose brace never came ends before the next declaration that is indented as little. */
  #closeUnentered(level: number): void {
    for (let last = this.#open.at(-1); last?.row.extent === "brace"; last = this.#open.at(-1)) {
      if (last.entered || level > last.level) return;
      this.#popTo(this.#open.length - 1);
    }
  }

  /** A semicolon ends a statement, unless it stands in a body between dollar quotes. */
  #closeStatements(text: string, lineEnd: number): void {
    for (const [tag] of text.matchAll(/\$[\p{L}\p{M}\p{N}_]*\$/gu)) {
      if (this.#quote === "") this.#quote = tag;
      else if (this.#quote === tag) this.#quote = "";
    }
    if (this.#quote === "" && /[;.]\s*(?:--.*)?$/.test(text)) this.#closeInnermost("statement", lineEnd);
  }

  #closeSections(level: number): void {
    const index = this.#open.findIndex(({ row, level: known }) => row.extent === "section" && known >= level);
    if (index >= 0) this.#popTo(index);
    for (const open of this.#open) {
      if (open.row.extent !== "section" || open.isSealed) continue;
      open.declaration.end = Math.max(open.declaration.end, this.#endOf(open));
      open.isSealed = true;
    }
  }

  #closeInnermost(extent: LineRow["extent"], end?: number): void {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      if (this.#open[index]!.row.extent !== extent) continue;
      this.#popTo(index, end);
      return;
    }
  }

  /** Ends the declarations from `index` on. A section does not hold its sub-sections: it ended where the first began. */
  #popTo(index: number, end?: number): void {
    for (const open of this.#open.splice(index)) {
      const { declaration, isSealed } = open;
      if (!isSealed) declaration.end = Math.max(declaration.end, end ?? this.#endOf(open));
    }
  }

  /** Where one ends that ends before the present line: prose with its last words, code with its last line of code. */
  #endOf({ declaration }: Open): number {
    return declaration.kind === "section" ? this.#lastFilledEnd : this.#lastCodeEnd;
  }

  /** A title stands alone above a line of one repeated mark that is at least as long. */
  #underlinedTitle(text: string, line: number): { row: LineRow; level: number } | undefined {
    if (line >= this.positions.lines || /^\s/.test(text)) return undefined;
    const under = this.#text(line + 1).trimEnd();
    if (under.length < Math.max(3, text.length) || !/^([=\-~^"'#*+`:.])\1*$/.test(under)) return undefined;
    if (/^([=\-~^"'#*+`:.])\1*$/.test(text)) return undefined;
    let level = this.#underlines.indexOf(under[0]!);
    if (level < 0) level = this.#underlines.push(under[0]!) - 1;
    return { row: TITLE, level };
  }

  #text(line: number): string {
    const start = this.positions.lineStarts[line - 1]!;
    return this.positions.text.slice(start, Math.min(this.positions.endOfLine(line), start + MAX_LINE)).trimEnd();
  }
}

const TITLE: LineRow = { kind: "section", pattern: /^/, extent: "section", where: "anywhere" };
