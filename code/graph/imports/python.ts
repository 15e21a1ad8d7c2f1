import type { ImportBinding } from "./binding.js";
import { blankComments } from "./blank-comments.js";

const FROM = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\n)*)/gm;
const IMPORT = /^[ \t]*import[ \t]+([^\n]*)/gm;

/** What a Python file imports; `import a.b` binds `a.b`, as it is written where it is used. */
export function pythonImports(text: string): ImportBinding[] {
  const code = blankComments(text, "hash");
  const bindings: ImportBinding[] = [];
  for (const [, module, list] of code.matchAll(FROM)) {
    for (const { name, alias } of aliases(list!)) bindings.push({ module: module!, name, alias, isExported: true });
  }
  for (const [, list] of code.matchAll(IMPORT)) {
    for (const { name, alias } of aliases(list!)) bindings.push({ module: name, name: "", alias, isExported: false });
  }
  return bindings;
}

function aliases(list: string): { name: string; alias: string }[] {
  return list
    .replace(/[()\\]/g, " ")
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+|\s*;.*/))
    .filter(([name]) => /^[\w.*]+$/.test(name ?? ""))
    .map(([name, alias]) => ({ name: name!, alias: alias || name! }));
}
