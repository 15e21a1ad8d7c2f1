import type { Certainty, FileVersion, SymbolDeclaration, SymbolReference } from "./model.js";
import type { Receiver } from "./receiver.js";

/** One use of a name. */
export interface Use extends FileVersion {
  kind: SymbolReference["kind"];
  name: string;
  /** Qualified name of the declaration around it, empty at top level. */
  enclosing: string;
  receiver: Receiver;
}

/** A name that the file of a use takes out of another, with what that was found to be. */
export interface ResolvedImport {
  /** The name it has in the file. */
  alias: string;
  /** The declared name; empty for the module itself, `*` for all that it has. */
  name: string;
  /** Whether a declaration is in the module, and how sure that is. */
  isIn(declared: SymbolDeclaration): Certainty | undefined;
  /** Whether it surely leads to somewhere else: to a standard library, or to a package of others. */
  isForeignTo(declared: SymbolDeclaration): boolean;
}

/** What is known of the place of a use. */
export interface UseScope {
  /** Imports that bind the used name or the beginning of what stands before it, and those of all that a module has. */
  imports: readonly ResolvedImport[];
  /** Whether the file says what it imports or exports, so that names of other files are not there by themselves. */
  isModule: boolean;
  /** Types and modules that the file declares. */
  containers: readonly SymbolDeclaration[];
  /** Whether the declaration around the use may bind a name of its own. */
  mayBind(name: string): boolean;
  /** Names of types that the declaration around the use gives to a value. */
  typesOf(value: string): readonly string[];
  /** What is declared by a name that stands before the used one, or that a type among those inherits from. */
  declaredAs(name: string): readonly SymbolDeclaration[];
}
