import type { Certainty, FileVersion, SymbolDeclaration } from "../code/index.js";

/** A declaration as programs read it: names as in the index. */
export interface SymbolJson {
  repo: string;
  path: string;
  language: string;
  class: string;
  kind: string;
  name: string;
  qualified_name: string;
  signature: string;
  start_line: number;
  end_line: number;
  locator: string;
}

/** A declaration for programs. */
export function symbolJson(declared: SymbolDeclaration): SymbolJson {
  const { repo, path, language, kind, name, signature, locator } = declared;
  return {
    ...{ repo, path, language, class: declared.class, kind, name },
    qualified_name: declared.qualifiedName,
    signature,
    start_line: declared.startLine,
    end_line: declared.endLine,
    locator,
  };
}

/** A file for programs. */
export function fileJson({ repo, path, language, class: fileClass }: FileVersion): Record<string, string> {
  return { repo, path, language, class: fileClass };
}

/** `exact`, `heuristic`, `heuristic, 1 of 3`. */
export function certaintyNote(certainty: Certainty, among: number): string {
  return certainty === "heuristic" && among > 1 ? `heuristic, 1 of ${among}` : certainty;
}
