/**
 * Makes C and C++ readable to a grammar that does not know the preprocessor: macros at the level of declarations are
 * overwritten with spaces of the same length, so that every offset stays. Used only when a text parsed with errors,
 * and kept only if it then parses with fewer (see code.ts); the patterns may therefore guess.
 */

/** Attributes by convention of large code bases, in lower case; anything else of that shape could be a name. */
const ATTRIBUTES =
  /\b(?:__init|__exit|__initdata|__exitdata|__user|__iomem|__percpu|__rcu|__force|__always_inline|__maybe_unused|__must_check|__cold|__hot|__read_mostly|__weak|__packed|__sched|noinline|asmlinkage|_Atomic|WINAPI|CALLBACK)\b(?!\s*\()/g;

/** `MACRO type name(`: a capitalised word before what is a declaration without it. */
const BEFORE_DECLARATION =
  /^([ \t]*(?:(?:static|extern|inline|const) )*)([A-Z][A-Z0-9_]{2,})\b(?=[ \t]*\r?\n?[ \t]*[A-Za-z_]\w*[ \t*&]+[*&]*\w+(?:::~?\w+)?[ \t]*[(;=[])/gm;

/** `class MACRO Name`. */
const IN_CLASS_HEAD =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?)(?=[ \t]+[A-Za-z_]\w*(?:[ \t]+final)?\s*[:{;])/g;

/** A line of nothing but a macro. */
const ALONE = /^[ \t]*[A-Z_][A-Z0-9_]*_[A-Z0-9_]+(?:\([^;{}()]{0,200}\))?[ \t]*\r?$/;
const LONGEST_LINE = 400;

/**
 * `SYSCALL_DEFINE3(name, ...) {` at the beginning of a line defines a function of that name. C++ reads such a thing as
 * a function by itself, so `TEST(Suite, Name)` is left to it.
 */
const DEFINES_FUNCTION = /^(?!TEST(?:_[FP])?\()([A-Z][A-Z0-9_]{3,}\([ \t]*)(\w+)([^;{}]{0,2000})\)(?=\s*\{)/gm;

/** The text with macros overwritten; the same text when none is found. */
export function blankMacros(text: string): string {
  return text
    .replace(DEFINES_FUNCTION, (_, head: string, name: string, rest: string) => {
      // Without further arguments there is no comma to become the parenthesis: the one before the name makes room.
      if (rest === "") return `void${blank(head.slice(5))}${name}()`;
      return `void${blank(head.slice(4))}${name}(${blank(rest).slice(1)})`;
    })
    .replace(ATTRIBUTES, blank)
    .replace(IN_CLASS_HEAD, (_, before: string, macro: string) => before + blank(macro))
    .replace(BEFORE_DECLARATION, (_, before: string, macro: string) => before + blank(macro))
    .split("\n")
    .map(blankAlone)
    .join("\n");
}

/**
 * Such a line counts only where a declaration may begin: after the end of one, the head of a class, a directive or a
 * comment. After a comma it is an enumerator; before a brace it is what the brace belongs to.
 */
function blankAlone(line: string, index: number, lines: string[]): string {
  if (line.length > LONGEST_LINE || !ALONE.test(line)) return line;
  const before = lines[index - 1]?.trimEnd() ?? "";
  const after = lines[index + 1]?.trimStart() ?? "";
  const mayBegin = before === "" || /[;}>{:/]$/.test(before) || before.trimStart().startsWith("#");
  return mayBegin && !after.startsWith("{") ? blank(line) : line;
}

/** Spaces in place of everything but line ends. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
