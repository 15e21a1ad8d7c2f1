/**
 * What a code search means: documents and mappings of the code indices, the query language and the `_search` bodies it
 * becomes, hits, the lines to show of them, locators, token counts. Pure: imports nothing of ours, does no I/O.
 * Start reading at documents.ts for what lies in the index, at query.ts for how it is asked.
 */
export {
  type CatalogDocument,
  type CodeDocument,
  type DeclarationDocument,
  type DeclarationKind,
  type FileClass,
  type FileDocument,
  INDEX,
  type ReferenceDocument,
} from "./documents.js";
export { editDistance, nearest } from "./edit-distance.js";
export { type ExcerptRequest, excerpt, wholeCharacters } from "./excerpt.js";
export { type CodeHit, type CodeHits, HitError, parseHit, parseHits } from "./hit.js";
export { hasWord, identifiersOf, partsOf } from "./identifier.js";
export { DECLARATION_KINDS, FILE_CLASSES, LEADING_KINDS, SECONDARY_CLASSES, TEXT_KINDS } from "./kinds.js";
export { KNOWN_LANGUAGES, languageNames } from "./language-names.js";
export { formatLocator, isLocator, LOCATOR_DIGITS, type Locator, LocatorError, parseLocator } from "./locator.js";
export { codeAnalysis, PROPERTIES } from "./mappings.js";
export { lineOfName, type MatchingLine, type MatchingLinesRequest, matchingLines } from "./matching-lines.js";
export { rankNearNames, toNearNamesSearch } from "./near-names.js";
export { printable } from "./printable.js";
export { type CodeQuery, parseQuery, printQuery, QueryError, type QueryTerm, wantedTexts } from "./query.js";
export type { Clause } from "./query-clauses.js";
export { QUERY_KEYS, type QueryKey } from "./query-keys.js";
export { HIT_FIELDS, type SearchBody, type SearchOptions, toSearch } from "./to-search.js";
export { BYTES_PER_TOKEN, countTokens } from "./tokens.js";
