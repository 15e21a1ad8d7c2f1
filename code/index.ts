/**
 * What a code search means: documents and mappings of the code indices, locators, token counts.
 * Pure: imports nothing of ours, does no I/O. Start reading at documents.ts.
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
export { formatLocator, isLocator, LOCATOR_DIGITS, type Locator, LocatorError, parseLocator } from "./locator.js";
export { codeAnalysis, PROPERTIES } from "./mappings.js";
export { BYTES_PER_TOKEN, countTokens } from "./tokens.js";
