import "./quick-grammars.js";
import type { Outline } from "../extract/model.js";
import { outlineText } from "../extract/outline.js";
import { Positions } from "../extract/positions.js";
import { detectLanguage } from "../languages/index.js";
import { isMinified } from "../sniff/file-class.js";

/** Reads a text as if it were the content of a file of that path. */
export function outlineOf(path: string, text: string): Promise<Outline> {
  const positions = new Positions(text);
  const language = detectLanguage(path, text);
  return outlineText({ path, language, positions, isMinified: isMinified(text, positions.lines) });
}

/** One line a declaration, windows left out: `kind qualified.name first-last`. */
export async function declared(path: string, text: string): Promise<string[]> {
  const positions = new Positions(text);
  const { declarations } = await outlineOf(path, text);
  return declarations
    .filter(({ kind }) => kind !== "window")
    .map(({ kind, qualifiedName, start, end }) => {
      return `${kind} ${qualifiedName} ${positions.lineAt(start)}-${positions.lineAt(end - 1)}`;
    });
}

/** One line a reference: `kind name in enclosing`. */
export async function referred(path: string, text: string): Promise<string[]> {
  const { references } = await outlineOf(path, text);
  return references.map(({ kind, name, enclosing }) => `${kind} ${name} in ${enclosing || "-"}`);
}
