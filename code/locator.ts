/**
 * Locators name a piece of code so that an edit elsewhere does not break them:
 *
 *     path:start-end#qualified.name@blob12~span12
 *
 * Path and name may hold any character. The first `:start-end#` ends the path, the hashes at the end are twelve hex
 * digits each, and what is between is the name. So only what would end a path too early (the `#` of `:1-2#` in it), and
 * `%`, control characters and line separators anywhere, are percent-encoded; spaces, colons, `#`, `@` and `~` stay.
 */
export interface Locator {
  path: string;
  /** First and last line, 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** Container path and name joined by `.`; empty where there is none. */
  qualifiedName: string;
  /** First 12 hex digits of the file's git blob id. */
  blob: string;
  /** First 12 hex digits of the SHA-1 of the text. */
  span: string;
}

/** Hex digits of each hash in a locator. */
export const LOCATOR_DIGITS = 12;

const SHAPE = /^([^\n\r]+?):(\d+)-(\d+)#([^\n\r]*)@([0-9a-f]{12})~([0-9a-f]{12})$/;
const HASH = /^[0-9a-f]{12,}$/;
const SYNTAX = "path:start-end#name@blob~span, with 12 hex digits for blob and span";

/** A text that should be a locator and is not. */
export class LocatorError extends Error {
  constructor(text: string) {
    super(`"${text.length > 200 ? `${text.slice(0, 200)}...` : text}" is not a locator: it reads ${SYNTAX}`);
    this.name = "LocatorError";
  }
}

/** Writes a locator; longer hashes are cut to 12 digits. Throws RangeError for hashes or lines that cannot be in one. */
export function formatLocator(locator: Locator): string {
  const { path, startLine, endLine, qualifiedName, blob, span } = locator;
  if (!HASH.test(blob) || !HASH.test(span))
    throw new RangeError(`a locator needs hex hashes, not "${blob}", "${span}"`);
  if (!Number.isInteger(startLine) || !Number.isInteger(endLine) || startLine < 0 || endLine < 0) {
    throw new RangeError(`a locator needs whole line numbers, not ${startLine}-${endLine}`);
  }
  if (path === "") throw new RangeError("a locator needs a path");
  const hashes = `${blob.slice(0, LOCATOR_DIGITS)}~${span.slice(0, LOCATOR_DIGITS)}`;
  return `${encodePath(path)}:${startLine}-${endLine}#${encode(qualifiedName)}@${hashes}`;
}

/** Reads a locator. Throws LocatorError, which repeats the syntax. */
export function parseLocator(text: string): Locator {
  const parts = SHAPE.exec(text.trim());
  if (parts === null) throw new LocatorError(text);
  const [, path, start, end, name, blob, span] = parts;
  return {
    path: decode(path),
    startLine: Number(start),
    endLine: Number(end),
    qualifiedName: decode(name),
    blob,
    span,
  };
}

/** Whether a text has a locator's shape. */
export function isLocator(text: string): boolean {
  return SHAPE.test(text.trim());
}

/** `%` itself, control characters, line separators, and outer spaces, which trimming would take. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[%\u0000-\u001f\u007f-\u009f\u2028\u2029]|^\s|\s$/gu;

function encode(text: string): string {
  return text.replace(UNSAFE, percent);
}

function encodePath(path: string): string {
  return encode(path).replace(/(:\d+-\d+)#/g, "$1%23");
}

function percent(character: string): string {
  return encodeURIComponent(character);
}

function decode(text: string): string {
  return text.replace(/(%[0-9A-F]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // A path typed by hand may hold a bare `%`; it then means itself.
      return encoded;
    }
  });
}
