import type { DeclarationDocument, FileDocument, ReferenceDocument } from "../documents.js";
import { nameOfEdge, parseEdge } from "../reference-edge.js";
import type { FileVersion, SymbolDeclaration, SymbolReference } from "./model.js";
import type { ReferencesWanted } from "./requests.js";

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

/** What reads the wanted ones out of a declaration's references, in the order of their first places. */
export function referenceReader({
  names,
  kinds,
}: Pick<ReferencesWanted, "names" | "kinds">): (source: ReferenceDocument) => SymbolReference[] {
  const wanted = names && new Set(names);
  return (source) => {
    const found: SymbolReference[] = [];
    for (const text of source.edges ?? []) {
      if (wanted && !wanted.has(nameOfEdge(text))) continue;
      const { kind, name, lines, startBytes } = parseEdge(text);
      if (kinds && !kinds.includes(kind)) continue;
      found.push({ ...versionOf(source), kind, name, enclosing: source.enclosing, lines, startBytes });
    }
    return found;
  };
}

/** Reads a file's `_source`. */
export function readFile(source: FileDocument): SymbolFile {
  return { ...versionOf(source), imports: source.imports ?? [] };
}

function versionOf({ repo, path, language, class: fileClass, blob }: FileVersion): FileVersion {
  return { repo, path, language, class: fileClass, blob };
}
