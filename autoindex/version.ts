import { createHash } from "node:crypto";
import { EMBEDS, LANGUAGES, type Language, languageNamed } from "./languages/index.js";

/**
 * Raised by hand when the same file would give other documents for a reason that is not in a language's row:
 * 1: first.
 * 2: comments above declarations with their place; lists of records as text too; encodings before UTF-8.
 * 3: references of one name by one declaration are one document.
 * 4: classes of files by rows of patterns, .gitattributes and more markers; build output.
 * 5: several data sets a file, their fields by all values; databases and workbooks.
 * 6: languages read line by line, texts of other languages inside a file, one reference a place.
 * 7: documents, archives, mail, notebooks and binaries by their format; more encodings.
 * 8: routes.
 * 9: what a declaration calls, uses and inherits, what a file imports; the text of files by lines.
 * 10: columns of one name in a table; words of Chinese, Japanese and Korean, which the node makes; generated is what the
 *     head's comments state; more folders of others' code.
 * 11: what a declaration refers to is one document.
 * 12: files that a grammar crashes on are read without one.
 * 13: what a type is said to inherit beside its own text counts for it in lines without a window, too.
 */
const EXTRACTOR = 13;

/** What may hold texts in any language. */
const OF_ALL_LANGUAGES: ReadonlySet<string> = new Set(["archive", "notebook"]);

const known = new Map<string, string>();

/**
 * The version that made a file's documents. It changes with the extractor, with the language's grammar and with its
 * query, so that an upgrade reads again what it would read differently and nothing else.
 */
export function versionFor(language: string): string {
  const cached = known.get(language);
  if (cached !== undefined) return cached;
  const named = languageNamed(language);
  const version = `${EXTRACTOR}-${digest(OF_ALL_LANGUAGES.has(language) ? LANGUAGES : named ? [named] : [])}`;
  known.set(language, version);
  return version;
}

/** The version of documents that time has cut short: equal to none, so that the next run reads again. */
export function unsettled(version: string): string {
  return `${version}-unsettled`;
}

function digest(languages: readonly Language[]): string {
  const parts = languages.flatMap((language) => [language, ...embeddedIn(language)]).flatMap(rulesOf);
  if (parts.length === 0) return "text";
  return createHash("sha1").update(JSON.stringify(parts, printPattern)).digest("hex").slice(0, 8);
}

function rulesOf({ grammar, outline }: Language): object[] {
  return [grammar, outline].filter((rules) => rules !== undefined);
}

function embeddedIn({ name }: Language): Language[] {
  const names = new Set(Object.values(EMBEDS[name]?.languages ?? {}));
  return [...names].map(languageNamed).filter((language) => language !== undefined);
}

/** A pattern prints as nothing by itself. */
function printPattern(_: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value;
}
