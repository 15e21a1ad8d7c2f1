/** Words after which a name is used, not bound. */
const USES = new Set(
  `return new await yield throw raise in of is not and or else case typeof delete void if while when match unless until
  then do print echo instanceof extends implements assert del defer go impl dyn from import`.split(/\s+/),
);

/** UTF-16 units in which a list of parameters may be. */
const LONGEST_LIST = 2_000;

/**
 * Whether a declaration may bind a name of its own, as a parameter or a variable, so that the name does not mean what is
 * declared outside. Says yes when in doubt: it is asked before anything is called exact. `types`: where the language
 * writes them.
 */
export function mayBindLocally(
  code: string,
  name: string,
  types: "before names" | "behind names" = "before names",
): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const places = new RegExp(`(?<![\\p{L}\\p{N}_$])(?<!(?<!\\.\\.)\\.)${escaped}(?![\\p{L}\\p{N}_$])`, "gu");
  for (const found of code.matchAll(places)) {
    const before = code.slice(Math.max(0, found.index - 80), found.index);
    // The parameters that stand first, right behind the declaration's own name.
    const isParameter = /^\s*(?:<[^>]*>\s*)?\([^)]*$/.test(code.slice(0, Math.min(found.index, LONGEST_LIST)));
    if (isParameter && /^\s*[,):=?}\]]/.test(code.slice(found.index + name.length, found.index + name.length + 40)))
      return true;
    const after = code.slice(found.index + name.length, found.index + name.length + 40);
    // `func(name Type`, `(a A, name Type`, `var name Type`.
    if (types === "behind names" && /(?:[(,]|\bvar)\s*$/.test(before) && /^\s+[\p{L}_*[(.<]/u.test(after)) return true;
    if (isBinding(before, after)) return true;
  }
  return false;
}

/** Whether a name is a type's by how Rust writes them: parameters of functions and variables are never called so. */
export function isRustType(language: string, name: string): boolean {
  return language === "rust" && /^\p{Lu}.*\p{Ll}/u.test(name);
}

function isBinding(before: string, after: string): boolean {
  // `name =`, `name :=`, `name: Type`, `name =>`, but no comparison and no key of a call's argument list.
  if (/^\s*(?::?=(?![=])|=>)/.test(after)) return true;
  if (/^\s*:(?!:)\s*[\w&*[({"']/.test(after) && !/\{\s*$/.test(before)) return true;
  if (/^\s+in\b|^\s+of\b/.test(after)) return true;
  // C's `void (*name)(void)`.
  if (/\(\s*\*\s*$/.test(before) && /^\s*\)\s*\(/.test(after)) return true;
  // `let name`, `for (const name`, `Type name`, `Type* name`: a word directly before that is no operator.
  const word = /([\p{L}_$][\p{L}\p{N}_$]*)(?:<[^<>]*>|\[\])?[\s*&]+$/u.exec(before)?.[1];
  if (word !== undefined && !USES.has(word) && /^\s*[=;,):]/.test(after)) return true;
  // `let { a, name } =`, `let (a, name)`, `function (a, name)`, `|a, name|`, `lambda a, name:`, `except E as name`.
  if (/\b(?:let|const|var|val|mut)\s*[[{(][^\]})]*$/.test(before)) return true;
  if (/\b(?:function|func|fn|def|lambda)\b[^{};]*$/.test(before) && /^\s*[,):=|]/.test(after)) return true;
  if (/\|[^|\n]*$/.test(before) && /^[^|\n]*\|/.test(after) && !/\|\|\s*$/.test(before)) return true;
  return /\bas\s+$/.test(before) || /^[^()\n]*\)\s*=>/.test(after);
}
