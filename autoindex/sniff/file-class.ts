import type { FileClass } from "../../code/index.js";
import type { AttributeVerdict } from "../classes/attributes.js";
import { saysGenerated } from "../classes/markers.js";
import { classOfPath } from "../classes/match-path.js";

const CONFIG_LANGUAGES = new Set([
  "json",
  "yaml",
  "toml",
  "ini",
  "dockerfile",
  "make",
  "cmake",
  "properties",
  "hcl",
  "editorconfig",
]);
const DOCS_LANGUAGES = new Set(["markdown", "restructuredtext", "asciidoc", "text", "latex", "org"]);
const DATA_LANGUAGES = new Set(["csv", "tsv", "jsonl"]);

/** What is known of a file when its class is decided. */
export interface ClassEvidence {
  path: string;
  language: string;
  text: string;
  isRecords: boolean;
  isMinified: boolean;
  /** What the folder's `.gitattributes` say. */
  attributes?: AttributeVerdict;
}

/** Classes that are asked for by the path, in the order they are looked for; what the text says comes between. */
const FOREIGN: readonly FileClass[] = ["vendored"];
const MADE: readonly FileClass[] = ["generated", "build"];
const OWN: readonly FileClass[] = ["data", "test", "docs", "config"];

/**
 * The class of a file; the first that fits, from the one that lowers a hit most to the plain one. What the authors say
 * (`.gitattributes`) goes before what names and text say. The rules are data: see classes/.
 */
export function classify(evidence: ClassEvidence): FileClass {
  const { path, language, text, attributes } = evidence;
  if (attributes?.is) return attributes.is;
  const isOf = (classes: readonly FileClass[]) => {
    return classOfPath(path, new Set(classes.filter((one) => !attributes?.isNot.has(one))));
  };
  const foreign = isOf(FOREIGN);
  if (foreign) return foreign;
  const isMade =
    !attributes?.isNot.has("generated") &&
    (evidence.isMinified || saysGenerated(text, DOCS_LANGUAGES.has(language) ? "prose" : "code"));
  const made = isOf(MADE) ?? (isMade ? "generated" : undefined);
  if (made) return made;
  if (evidence.isRecords || DATA_LANGUAGES.has(language)) return "data";
  const own = isOf(OWN);
  if (own) return own;
  if (DOCS_LANGUAGES.has(language) && !attributes?.isNot.has("docs")) return "docs";
  return CONFIG_LANGUAGES.has(language) ? "config" : "source";
}

/** Lines too long to have been written by hand: their mean is over 300 characters in a file of some size. */
export function isMinified(text: string, lines: number): boolean {
  return text.length > 30_000 && text.length / Math.max(lines, 1) > 300;
}
