import type { ImportBinding } from "./binding.js";
import { blankComments } from "./blank-comments.js";

const IMPORT = /^[ \t]*import\s+(?:static\s+)?([\w.]+?)\.(\w+|\*)(?:\s+as\s+(\w+))?\s*(?:;|$)/gm;

/** What a Java or Kotlin file imports: a type out of a package, a static member out of a type. */
export function javaImports(text: string): ImportBinding[] {
  return [...blankComments(text, "slashes").matchAll(IMPORT)].map(([, module, name, alias]) => {
    return { module: module!, name: name!, alias: alias ?? name!, isExported: false };
  });
}
