/**
 * Conditionals of the preprocessor that cut through what a grammar reads as one thing: an argument list, the entries of a
 * table, an `if` whose `else` is on the other side. Their directives are overwritten with spaces, and of several branches
 * the first is kept that is not switched off; others stay as they are, because grammars know conditionals around whole
 * declarations and statements.
 */
const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)/;

/** A conditional of which the end has not been read. */
interface Conditional {
  /** Lines of its directives so far. */
  directives: number[];
  cuts: boolean;
  /** Which branch is kept: the first, or the next one after a first that is `#if 0`. */
  kept: number;
  branch: Branch;
}

/** What a branch held so far. */
interface Branch {
  braces: number;
  parentheses: number;
  first: string;
  last: string;
}

/** Which conditionals are resolved: those that cut through something, or all of them. */
export type Conditionals = "cutting" | "all";

/** The text with such conditionals resolved; the same text when it has none. */
export function resolveConditionals(text: string, which: Conditionals): string {
  if (!text.includes("#")) return text;
  return new ConditionalReading(text.split("\n"), which).run();
}

class ConditionalReading {
  readonly #open: Conditional[] = [];
  /** The last character of code before the present line, comments apart. */
  #last = ";";
  #isInComment = false;
  #isContinued = false;
  readonly #blanked = new Set<number>();

  constructor(
    private readonly lines: string[],
    private readonly which: Conditionals,
  ) {}

  run(): string {
    for (const [index, line] of this.lines.entries()) this.#read(index, line);
    if (this.#blanked.size === 0) return this.lines.join("\n");
    return this.lines.map((line, index) => (this.#blanked.has(index) ? line.replace(/[^\r]/g, " ") : line)).join("\n");
  }

  #read(index: number, line: string): void {
    const continues = line.trimEnd().endsWith("\\");
    const isDirective = !this.#isInComment && !this.#isContinued && line.trimStart().startsWith("#");
    if (isDirective || (this.#isContinued && !this.#isInComment)) {
      const found = isDirective ? DIRECTIVE.exec(line) : null;
      if (found) this.#direct(index, found[1]!, found[2]!);
      this.#isContinued = continues;
      return;
    }
    this.#readCode(line);
  }

  #direct(index: number, word: string, condition: string): void {
    if (word.startsWith("if")) {
      const isOff = word === "if" && /^\s*0\s*(?:$|\/[/*])/.test(condition);
      this.#open.push({
        directives: [index],
        cuts: this.which === "all" || !/[;{}:>]/.test(this.#last),
        kept: isOff ? 1 : 0,
        branch: newBranch(),
      });
      return;
    }
    const open = this.#open.at(-1);
    if (!open) return;
    open.directives.push(index);
    open.cuts ||= isCut(open.branch);
    open.branch = newBranch();
    if (word !== "endif") return;
    this.#open.pop();
    if (!open.cuts) return;
    this.#resolve(open);
    // What an inner conditional cuts through, an outer one may cut through as well; its own ends tell.
  }

  #resolve({ directives, kept }: Conditional): void {
    for (const [branch, from] of directives.slice(0, -1).entries()) {
      const to = directives[branch + 1]!;
      this.#blankDirective(from);
      if (branch !== kept) for (let line = from + 1; line < to; line++) this.#blanked.add(line);
    }
    this.#blankDirective(directives.at(-1)!);
  }

  #blankDirective(from: number): void {
    for (let line = from; line < this.lines.length; line++) {
      this.#blanked.add(line);
      if (!this.lines[line]!.trimEnd().endsWith("\\")) return;
    }
  }

  #readCode(line: string): void {
    const code = this.#withoutComments(line);
    const words = code.trim();
    if (words === "") return;
    for (const { branch } of this.#open) {
      branch.first ||= words.slice(0, 5);
      branch.last = words.slice(-5);
    }
    const branch = this.#open.at(-1)?.branch;
    if (branch) {
      for (const char of words.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "")) {
        if (char === "{") branch.braces++;
        else if (char === "}") branch.braces--;
        else if (char === "(") branch.parentheses++;
        else if (char === ")") branch.parentheses--;
      }
    }
    this.#last = words.at(-1)!;
  }

  #withoutComments(line: string): string {
    let code = "";
    let at = 0;
    while (at < line.length) {
      if (this.#isInComment) {
        const end = line.indexOf("*/", at);
        if (end < 0) return code;
        this.#isInComment = false;
        at = end + 2;
        continue;
      }
      const begin = line.indexOf("/*", at);
      const short = line.indexOf("//", at);
      if (short >= 0 && (begin < 0 || short < begin)) return code + line.slice(at, short);
      if (begin < 0) return code + line.slice(at);
      code += line.slice(at, begin);
      this.#isInComment = true;
      at = begin + 2;
    }
    return code;
  }
}

function newBranch(): Branch {
  return { braces: 0, parentheses: 0, first: "", last: "" };
}

/** Whether a branch is no run of whole declarations or statements. */
function isCut({ braces, parentheses, first, last }: Branch): boolean {
  if (first === "") return false;
  if (braces !== 0 || parentheses !== 0) return true;
  return !/[;}:>)]$/.test(last) || /^(?:else|[)\],|&?+.=<-])/.test(first) || /\belse$/.test(last);
}
