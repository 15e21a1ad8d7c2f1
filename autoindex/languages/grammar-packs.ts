import type { LanguageRules } from "./rules.js";

/** The packages that grammars come from. */
export const GRAMMAR_PACKS = {
  base: { package: "tree-sitter-wasms", folder: "out" },
  cursorless: { package: "@cursorless/tree-sitter-wasms", folder: "out" },
  vscode: { package: "@vscode/tree-sitter-wasm", folder: "wasm" },
} as const;

/** A grammar: pack, and the part of the file's name after `tree-sitter-`. */
export interface Grammar {
  pack: keyof typeof GRAMMAR_PACKS;
  file: string;
  rules: LanguageRules;
}

/** A row of the table of grammars. */
export function grammar(pack: Grammar["pack"], file: string, rules: LanguageRules): Grammar {
  return { pack, file, rules };
}
