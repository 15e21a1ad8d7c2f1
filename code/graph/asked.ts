import { isLocator, type Locator, parseLocator } from "../locator.js";

/** What somebody asks about: a locator, a place in a file, or a name. */
export type AskedSymbol =
  | { kind: "locator"; locator: Locator }
  /** Lines and columns are 1-based; a column counts UTF-16 units. */
  | { kind: "place"; path: string; line: number; column: number | undefined }
  | { kind: "name"; name: string };

const PLACE = /^(.+?):([1-9]\d*)(?::([1-9]\d*))?$/s;

/** Reads `path:start-end#name@blob~span`, `path:line`, `path:line:column`, or a name such as `Server.start`. */
export function readAsked(text: string): AskedSymbol {
  const given = text.trim();
  if (isLocator(given)) return { kind: "locator", locator: parseLocator(given) };
  const place = PLACE.exec(given);
  if (!place) return { kind: "name", name: given };
  const [, path, line, column] = place;
  return { kind: "place", path: path!, line: Number(line), column: column === undefined ? undefined : Number(column) };
}

/** The identifier at a column (1-based, UTF-16 units) of a line, or that ends right before it; undefined where none is. */
export function identifierAt(text: string, column: number): { name: string; column: number } | undefined {
  for (const found of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const start = found.index + 1;
    if (start <= column && column <= start + found[0].length) return { name: found[0], column: start };
  }
  return undefined;
}
