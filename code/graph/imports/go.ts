import type { ImportBinding } from "./binding.js";
import { blankComments } from "./blank-comments.js";

const IMPORT = /^[ \t]*import[ \t]*(\([^)]*\)|[^\n(]*)/gm;
const SPEC = /(?:([\w.]+)[ \t]+)?"([^"\n]+)"/g;

/** What a Go file imports: packages, bound to their alias or to the last part of their path. */
export function goImports(text: string): ImportBinding[] {
  const bindings: ImportBinding[] = [];
  for (const [, specs] of blankComments(text, "slashes").matchAll(IMPORT)) {
    for (const [, alias, module] of specs!.matchAll(SPEC)) {
      if (alias === "_") continue;
      const name = alias === "." ? "*" : "";
      bindings.push({ module: module!, name, alias: alias ?? packageName(module!), isExported: false });
    }
  }
  return bindings;
}

/** The name a package most often has: the path's last part, versions passed over. */
function packageName(module: string): string {
  const parts = module.split("/").filter((part) => !/^v\d+$/.test(part));
  return (parts.at(-1) ?? module).replace(/\.v\d+$/, "").replace(/^go-|[.-]go$/g, "");
}
