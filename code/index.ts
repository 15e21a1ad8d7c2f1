/**
 * What a code search means: documents and mappings of the code indices, the query language and the `_search` bodies it
 * becomes, hits, the lines to show of them, locators, token counts. Pure: imports nothing of ours, does no I/O.
 * Start reading at documents.ts for what lies in the index, at query.ts for how it is asked.
 */
export { byteName, pathBytes, replacedPath } from "./byte-path.js";
export { type CommitHit, type CommitHits, commitLine, commitLinesWith, parseCommits } from "./commit-hit.js";
export { CommitQueryError, type CommitSearchOptions, isCommitQuery, toCommitSearch } from "./commit-query.js";
export { counted } from "./counted.js";
export {
  type CatalogDocument,
  type ChangeStatus,
  type CodeDocument,
  type CommitDocument,
  type DatasetField,
  type DatasetQuery,
  type DeclarationDocument,
  type DeclarationKind,
  type FieldCorrelation,
  type FileClass,
  type FileDocument,
  INDEX,
  type ReferenceDocument,
  type ReferenceKind,
  type StoredVersion,
} from "./documents.js";
export { editDistance, nearest } from "./edit-distance.js";
export { type ExcerptRequest, excerpt, wholeCharacters } from "./excerpt.js";
export { type FileHit, isFileHit } from "./file-hit.js";
export {
  type AskedSymbol,
  bodyOf,
  type Certainty,
  canUse,
  chooseModule,
  comparePlaces,
  containerOf,
  containersIn,
  declarationsIn,
  declarationsNamed,
  excludes,
  excludesGoPackage,
  type FileEdge,
  type FileVersion,
  familyOf,
  filesAt,
  filesBelow,
  filesImporting,
  filesMentioning,
  filesNamed,
  filesWithPath,
  folderOf,
  type GoModule,
  goModuleName,
  goPackageIs,
  goReceiver,
  heritageOf,
  type ImportBinding,
  identifierAt,
  importBindings,
  importsWithin,
  isMember,
  isRustType,
  type KnownPackages,
  knownPackages,
  lastOf,
  type Meaning,
  MOST_SYMBOLS,
  type ModuleCandidates,
  type ModuleFile,
  type ModuleHome,
  manifestOf,
  mayBindLocally,
  meaningsOf,
  methodsNamed,
  moduleAlias,
  moduleCandidates,
  moduleHome,
  NO_PACKAGES,
  outlineRequest,
  pathFromFile,
  type Receiver,
  type ReferencesWanted,
  type ResolvedImport,
  rankDefinitions,
  rankFiles,
  readAsked,
  readDeclaration,
  readFile,
  readTextDefinitions,
  receiverOf,
  referenceReader,
  referencesTo,
  type SymbolDeclaration,
  type SymbolFile,
  type SymbolPlace,
  type SymbolReference,
  type SymbolRequest,
  type TextDefinition,
  TYPE_KINDS,
  toTextDefinitionSearch,
  typesBefore,
  typesOfValue,
  type Use,
  type UseScope,
} from "./graph/index.js";
export { type CodeHit, type CodeHits, HitError, parseHit, parseHits } from "./hit.js";
export { type HitLines, matchedTexts, type PatternLine } from "./hit-lines.js";
export { hasWord, identifiersOf, isOneCjkLetter, partsOf } from "./identifier.js";
export { DECLARATION_KINDS, FILE_CLASSES, LEADING_KINDS, SECONDARY_CLASSES, TEXT_KINDS } from "./kinds.js";
export { unknownValues } from "./known-values.js";
export { KNOWN_LANGUAGES, languageNames } from "./language-names.js";
export { LINES_FIELD, type LinePattern, wantedPatterns } from "./line-patterns.js";
export { formatLocator, isLocator, LOCATOR_DIGITS, type Locator, LocatorError, parseLocator } from "./locator.js";
export { codeAnalysis, PROPERTIES } from "./mappings.js";
export { lineOfName, type MatchingLine, type MatchingLinesRequest, matchingLines, rangesOf } from "./matching-lines.js";
export { rankNearNames, toNearNamesSearch } from "./near-names.js";
export { forOtherCluster, type LineMatcher, linesIn, OtherClusterError } from "./other-cluster.js";
export { GlobError } from "./path-glob.js";
export { patternError } from "./pattern-error.js";
export { placeClause, placeTerms } from "./place-clause.js";
export { fromPrintable, printable } from "./printable.js";
export { parseQuery, printQuery, readsLines, wantedLines, wantedTexts } from "./query.js";
export type { Clause } from "./query-clauses.js";
export { QueryError } from "./query-error.js";
export { QUERY_KEYS, type QueryKey } from "./query-keys.js";
export { type CodeQuery, leavesOf, type QueryLeaf, type QueryTerm, type SignedLeaf, valuesOf } from "./query-terms.js";
export { isRacy, RACY_DETAIL, withoutRacy, withRacy } from "./racy-detail.js";
export { readQuery } from "./ranking/read-query.js";
export { nameOfEdge, parseEdge, type ReferenceEdge } from "./reference-edge.js";
export { isRouteName, ROUTE_METHODS, routeNames, routePath } from "./routes.js";
export { filesClause, MOST_SCOPED, type Scope, ScopeError, type ScopeFinding, scopesOf } from "./scope.js";
export {
  parseCommitHits,
  parseSearchHits,
  type SearchHit,
  type SearchHits,
  type SearchRequest,
  toSearchRequest,
} from "./search-request.js";
export { termError } from "./term-error.js";
export { isLineQuery, type LineSearchOptions } from "./to-line-search.js";
export { HIT_FIELDS, type LineOptions, type SearchBody, type SearchOptions, toSearch } from "./to-search.js";
export { BYTES_PER_TOKEN, countTokens } from "./tokens.js";
export { TYPING_FIELDS, type TypingOptions, toTypingSearch } from "./typing.js";
export { type NameUses, usesByName } from "./uses.js";
export type { ValuesAnswer, ValuesSearch } from "./values-search.js";
