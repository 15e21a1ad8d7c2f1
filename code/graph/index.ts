/**
 * The graph of symbols: what is asked of the code indices, and what the answers mean. Pure; mcp/symbol-graph.ts asks.
 * Start reading at model.ts, then resolve.ts for when an edge is exact.
 */

export { type AskedSymbol, identifierAt, readAsked } from "./asked.js";
export { canUse, familyOf } from "./families.js";
export { excludes, excludesGoPackage, type ModuleHome, moduleHome } from "./foreign-modules.js";
export { type GoModule, goModuleName, goPackageIs } from "./go-packages.js";
export { type ImportBinding, importBindings, importsWithin, pathFromFile } from "./imports/index.js";
export { isRustType, mayBindLocally } from "./local-names.js";
export {
  type Certainty,
  containerOf,
  type FileVersion,
  folderOf,
  isMember,
  type Meaning,
  type SymbolDeclaration,
  type SymbolReference,
  TYPE_KINDS,
} from "./model.js";
export { chooseModule, type ModuleCandidates, type ModuleFile, moduleCandidates } from "./modules.js";
export { heritageOf, lastOf, typesBefore } from "./other-types.js";
export { type KnownPackages, knownPackages, manifestOf, NO_PACKAGES } from "./packages.js";
export { rankDefinitions } from "./rank-definitions.js";
export { type FileEdge, rankFiles } from "./rank-files.js";
export { readDeclaration, readFile, referenceReader, type SymbolFile } from "./read-symbols.js";
export { goReceiver, moduleAlias, type Receiver, receiverOf } from "./receiver.js";
export {
  bodyOf,
  containersIn,
  declarationsIn,
  declarationsNamed,
  filesAt,
  filesBelow,
  filesImporting,
  filesMentioning,
  filesNamed,
  filesWithPath,
  MOST_SYMBOLS,
  methodsNamed,
  outlineRequest,
  type ReferencesWanted,
  referencesTo,
  type SymbolPlace,
  type SymbolRequest,
} from "./requests.js";
export { comparePlaces, meaningsOf } from "./resolve.js";
export {
  readTextDefinitions,
  type TextDefinition,
  toTextDefinitionSearch,
} from "./text-definitions.js";
export type { ResolvedImport, Use, UseScope } from "./use.js";
export { typesOfValue } from "./value-types.js";
