/**
 * What is known of each language: how a file's language is told (detect.ts, probes.ts), the table of all (table.ts), and how
 * one is read: by a grammar with a query (grammars.ts, one file of rules a language), line by line (outlines/), by the
 * grammars of what it holds (embeds.ts). Adding a language is a row in table.ts and in one of these.
 */
export { detectLanguage, isNamedAsText } from "./detect.js";
export { EMBEDS } from "./embeds.js";
export { GRAMMAR_PACKS, type Grammar } from "./grammar-packs.js";
export { LANGUAGES, type Language, languageNamed } from "./table.js";
