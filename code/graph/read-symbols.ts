import type { DeclarationDocument, FileDocument, ReferenceDocument } from "../documents.js";
import type { FileVersion, SymbolDeclaration, SymbolReference } from "./model.js";

/** A file with what it imports. */
export interface SymbolFile extends FileVersion {
  imports: readonly string[];
}

/** Reads a declaration's `_source`. */
export function readDeclaration(source: DeclarationDocument): SymbolDeclaration {
  const { kind, name, signature, span, locator, supers = [] } = source;
  return {
    ...versionOf(source),
    ...{ kind, name, signature, span, locator, supers },
    qualifiedName: source.qualified_name,
    startLine: source.start_line,
    endLine: source.end_line,
    startByte: source.start_byte,
  };
}

/** Reads a reference's `_source`; one of an earlier version has a single place. */
export function readReference(source: ReferenceDocument): SymbolReference {
  const { kind, name, enclosing, line, start_byte } = source;
  return { ...versionOf(source), kind, name, enclosing, lines: [line].flat(), startBytes: [start_byte].flat() };
}

/** Reads a file's `_source`. */
export function readFile(source: FileDocument): SymbolFile {
  return { ...versionOf(source), imports: source.imports ?? [] };
}

function versionOf({ repo, path, language, class: fileClass, blob }: FileVersion): FileVersion {
  return { repo, path, language, class: fileClass, blob };
}
