/**
 * Makes C and C++ readable to a grammar that does not know the preprocessor: macros around and inside declarations are
 * overwritten with spaces, or with a declaration of what they declare, of the same length, so that every offset stays.
 * What is known by name is in languages/c-macro-table.ts; the rest is told by its shape, which is a guess: code.ts keeps
 * the reading with the fewest errors.
 */
import { ATTRIBUTE_WORDS, ATTRIBUTES_WITH_ARGUMENTS, DECLARING_MACROS, KEYWORDS } from "../languages/c-macro-table.js";

const ATTRIBUTES = new RegExp(`\\b(?:${ATTRIBUTE_WORDS.join("|")})\\b(?!\\s*\\()`, "g");
const WITH_ARGUMENTS = new RegExp(
  `\\b(?:${ATTRIBUTES_WITH_ARGUMENTS.join("|")})[ \\t]*\\((?:[^()\\n]|\\([^()\\n]*\\)){0,200}\\)`,
  "g",
);
const KEYWORD = new RegExp(`\\b(?:${Object.keys(KEYWORDS).join("|")})\\b`, "g");

/** `static DEFINE_MUTEX(name);`: a use at the beginning of a line that ends with a semicolon or a value. */
const DECLARING =
  /^([ \t]*(?:(?:static|extern|const)[ \t]+)*)([A-Z][A-Z0-9_]{3,})([ \t]*\()([^;{}\n]{1,300}(?:\n[^;{}\n]{1,300})?)\)(?=[^;{}()\n]{0,60}[;=])/gm;

const DECLARING_NAMES = DECLARING_MACROS.map(({ pattern, argument }) => ({
  argument,
  name: new RegExp(`^(?:${pattern})$`),
}));

/** `MACRO type name(`: a capitalised word before what is a declaration without it. */
const BEFORE_DECLARATION =
  /^([ \t]*(?:(?:static|extern|inline|const) )*)([A-Z][A-Z0-9_]{2,})\b(?=[ \t]*\r?\n?[ \t]*[A-Za-z_]\w*[ \t*&]+[*&]*\w+(?:::~?\w+)?[ \t]*[(;=[])/gm;

/** `type MACRO name(` and `type __word name`: between a type, which is no keyword, and a name. */
const BEFORE_NAME =
  /^([ \t]*(?:(?:static|extern|inline|const|unsigned|struct|enum|union)[ \t]+)*(?!(?:struct|union|enum|static|extern|const|volatile|inline|typedef|return|goto|case|else|sizeof|unsigned|signed|register)\b)\w+[ \t*]+)([A-Z][A-Z0-9_]{2,}|__(?!u\d|s\d|le\d|be\d|sum|wsum|poll|kernel|attribute|typeof|extension)[a-z]\w*)(?=[ \t]+\**[A-Za-z_]\w*[ \t]*[(;=[,])/gm;

/** Behind the arguments of a function: `f() MACRO {`, `f() const MACRO;`. */
const BEHIND_ARGUMENTS =
  /(\)(?:\s{1,40}const\b)?\s{1,40})(_?_?[A-Z][A-Z0-9_]{3,}(?:\([^()\n;]{0,100}\))?|__[a-z]\w*)(?=\s{0,40}(?:[{;=]|:[^:]))/g;

/** `class MACRO Name`, `namespace name MACRO`, `if MACRO (`. */
const IN_CLASS_HEAD =
  /\b((?:class|struct|union)[ \t]+)([A-Z_][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?)(?=[ \t]+[A-Za-z_]\w*(?:[ \t]+final)?\s*[:{;<])/g;
const IN_NAMESPACE_HEAD = /\b(namespace[ \t]+[\w:]+[ \t]+)([A-Z_][A-Z0-9_]{3,}(?:\([^()\n]{0,100}\))?)(?=\s*\{)/g;
const IN_IF = /\b(if[ \t]+)(_+[A-Z][A-Z0-9_]{3,})(?=[ \t]*\()/g;

/** Reserved words of a library, in capitals behind an underscore, that stand before a declaration or its type. */
const RESERVED =
  /\b_[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:CONSTEXPR|INLINE|NODISCARD|NOEXCEPT\w*|NOTHROW|THROW_OR_ABORT|VISIBILITY|DEPRECATED\w*|ALWAYS_INLINE|ATTRIBUTE_\w+|PURE|CONST|NORETURN|EXPLICIT|SIMD_\w+|CXX11|NAMESPACE\w*|ABI_TAG\w*|ALGO|CONTAINER|OVERRIDE|FINAL|THROW)\b(?:[ \t]*\([^()\n]{0,150}\))?/g;

/** What C++ allows and the grammar does not: `T<U> const&&`, `T::template f<U>`. */
const BEYOND_GRAMMAR = /(>[ \t]{1,10}|::|\.|->)(const(?=&)|template(?=[ \t]+\w))/g;

const GNU_ATTRIBUTE = /\b__attribute(?:__)?\s{0,5}\(\((?:[^()\n]|\([^()\n]*\)){0,200}\)\)/g;

/** Assembly between the lines, which has a syntax of its own; parentheses three deep. */
const ASSEMBLY =
  /\b(?:__asm__|__asm|asm)\b[^;{}"()]{0,60}\((?:[^()"]|"(?:[^"\\]|\\.)*"|\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\)){0,4000}\)(?=\s{0,10};)/g;

/** A line of nothing but a macro. */
const ALONE = /^[ \t]*[A-Z_][A-Z0-9_]{3,}(?:\([^;{}()\n]{0,200}\))?[ \t]*\r?$/gm;
const LONGEST_LINE = 400;

/**
 * `SYSCALL_DEFINE3(name, ...) {` at the beginning of a line defines a function of that name. C++ reads such a thing as
 * a function by itself, so `TEST(Suite, Name)` is left to it.
 */
const DEFINES_FUNCTION =
  /^(?!TEST(?:_[FP])?\()((?:static )?[A-Z][A-Z0-9_]{3,}\([ \t]*)(\w+)([^;{}]{0,2000})\)(?=\s*\{)/gm;

/** The text with macros overwritten; the same text when none is found. */
export function blankMacros(text: string): string {
  const declared = text
    .replace(DECLARING, declaration)
    .replace(DEFINES_FUNCTION, (_, head: string, name: string, rest: string) => {
      // Without further arguments there is no comma to become the parenthesis: the one before the name makes room.
      if (rest === "") return `void${blank(head.slice(5))}${name}()`;
      return `void${blank(head.slice(4))}${name}(${blank(rest).slice(1)})`;
    })
    .replace(ASSEMBLY, blank)
    .replace(GNU_ATTRIBUTE, blank)
    .replace(KEYWORD, (word) => KEYWORDS[word]!.padEnd(word.length))
    .replace(ATTRIBUTES, blank)
    .replace(WITH_ARGUMENTS, blank)
    .replace(RESERVED, blank);
  return blankBehind(declared, [
    ...(text.includes("template") ? [BEYOND_GRAMMAR, IN_NAMESPACE_HEAD] : [IN_NAMESPACE_HEAD]),
    IN_IF,
    IN_CLASS_HEAD,
    BEFORE_DECLARATION,
    BEFORE_NAME,
    BEHIND_ARGUMENTS,
  ]).replace(ALONE, blankAlone);
}

/** Overwrites what each pattern's second group holds. */
function blankBehind(text: string, patterns: RegExp[]): string {
  return patterns.reduce(
    (now, pattern) => now.replace(pattern, (_, before: string, macro: string) => before + blank(macro)),
    text,
  );
}

/** Which argument of a macro is the name that it declares; nothing for most. */
const argumentOf = new Map<string, number | undefined>();

function namingArgument(macro: string): number | undefined {
  if (!argumentOf.has(macro)) {
    if (argumentOf.size > 10_000) argumentOf.clear();
    argumentOf.set(macro, DECLARING_NAMES.find(({ name }) => name.test(macro))?.argument);
  }
  return argumentOf.get(macro);
}

/** `DEFINE_MUTEX(name)` as `int name`, the name where it was. */
function declaration(whole: string, before: string, macro: string, parenthesis: string, list: string): string {
  const argument = namingArgument(macro);
  if (argument === undefined) return whole;
  const names = list.split(",");
  const name = names[argument]?.trim() ?? "";
  if (!/^[A-Za-z_]\w*$/.test(name)) return whole;
  const at = names.slice(0, argument).join(",").length + (argument > 0 ? 1 : 0);
  const start = at + names[argument]!.indexOf(name);
  const type = "int".padEnd(macro.length + parenthesis.length);
  return `${before}${type}${blank(list.slice(0, start))}${name}${blank(list.slice(start + name.length))} `;
}

/**
 * Such a line counts only where a declaration may begin: after the end of one, the head of a class, a directive or a
 * comment. After a comma it is an enumerator; before a brace it is what the brace belongs to.
 */
function blankAlone(line: string, offset: number, text: string): string {
  if (line.length > LONGEST_LINE) return line;
  const before = offset === 0 ? "" : text.slice(text.lastIndexOf("\n", offset - 2) + 1, offset - 1).trimEnd();
  const mayBegin = before === "" || /[;}>{:/]$/.test(before) || before.trimStart().startsWith("#");
  if (!mayBegin) return line;
  const after = text.slice(offset + line.length, offset + line.length + 200).trimStart();
  // The only entry of an enumeration, or what a brace belongs to.
  const isKept = after.startsWith("{") || (before.endsWith("{") && after.startsWith("}"));
  return isKept ? line : blank(line);
}

/** Spaces in place of everything but line ends. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
