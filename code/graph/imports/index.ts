/** What files import, read from their text as it is now: each name with the module it comes from. */
import { type Family, familyOf } from "../families.js";
import type { ImportBinding } from "./binding.js";
import { ecmascriptImports } from "./ecmascript.js";
import { goImports } from "./go.js";
import { cIncludes, rubyRequires } from "./includes.js";
import { javaImports } from "./java.js";
import { pythonImports } from "./python.js";
import { rustImports } from "./rust.js";

export type { ImportBinding } from "./binding.js";
export { importsWithin, pathFromFile } from "./rust-modules.js";

const READERS: Readonly<Record<Family, (text: string) => ImportBinding[]>> = {
  ecmascript: ecmascriptImports,
  python: pythonImports,
  go: goImports,
  java: javaImports,
  rust: rustImports,
  c: cIncludes,
  ruby: rubyRequires,
  other: () => [],
};

/** The names that a file of a language takes out of others; none for languages without a reader. */
export function importBindings(language: string, text: string): ImportBinding[] {
  return READERS[familyOf(language)](text);
}
