import { createHash } from "node:crypto";
import { type Language, languageNamed } from "./languages/index.js";

/**
 * Raised by hand when the same file would give other documents for a reason that is not in a language's row:
 * 1: first.
 * 2: comments above declarations with their place; lists of records as text too; encodings before UTF-8.
 */
const EXTRACTOR = 2;

const known = new Map<string, string>();

/**
 * The version that made a file's documents. It changes with the extractor, with the language's grammar and with its
 * query, so that an upgrade reads again what it would read differently and nothing else.
 */
export function versionFor(language: string): string {
  const cached = known.get(language);
  if (cached !== undefined) return cached;
  const version = `${EXTRACTOR}-${digest(languageNamed(language))}`;
  known.set(language, version);
  return version;
}

function digest(language: Language | undefined): string {
  if (!language?.grammar) return "text";
  return createHash("sha1").update(JSON.stringify(language.grammar)).digest("hex").slice(0, 8);
}
