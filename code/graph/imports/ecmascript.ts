import type { ImportBinding } from "./binding.js";
import { blankComments } from "./blank-comments.js";

const FROM = /\b(import|export)\s+(?:type\s+)?([\w$*\s{},]+?)\s*\bfrom\s*(["'])([^"'\n]+)\3/g;
const REQUIRE =
  /\b(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*(["'])([^"'\n]+)\2\s*\)/g;
const EXPORT = /\bexport\s+(?:type\s+)?(\{[^{}]*\})(?!\s*from\b)/g;

/** What a JavaScript or TypeScript file imports and hands on: `import`, `export ... from`, `require`, `export { }`. */
export function ecmascriptImports(text: string): ImportBinding[] {
  const code = blankComments(text, "slashes");
  const bindings: ImportBinding[] = [];
  for (const [, verb, clause, , module] of code.matchAll(FROM)) {
    bindings.push(...clauseOf(clause!, module!, verb === "export"));
  }
  for (const [, target, , module] of code.matchAll(REQUIRE)) {
    const names = target!.startsWith("{") ? named(target!, ":") : [{ name: "", alias: target! }];
    bindings.push(...names.map((one) => ({ ...one, module: module!, isExported: false })));
  }
  for (const [, list] of code.matchAll(EXPORT)) {
    bindings.push(...named(list!, " as ").map((one) => ({ ...one, module: "", isExported: true })));
  }
  return bindings;
}

function clauseOf(clause: string, module: string, isExported: boolean): ImportBinding[] {
  const bindings: ImportBinding[] = [];
  const add = (name: string, alias: string) => bindings.push({ module, name, alias, isExported });
  const list = /\{[^{}]*\}/.exec(clause)?.[0] ?? "";
  for (const { name, alias } of named(list, " as ")) add(name, alias);
  for (const part of clause.replace(list, "").split(",")) {
    const [first, , last] = part.trim().split(/\s+/);
    if (first === "*") add(last === undefined ? "*" : "", last ?? "*");
    else if (first) add("default", first);
  }
  return bindings;
}

/** `{ a, b as c }`, or `{ a, b: c }` of a pattern. */
function named(list: string, between: " as " | ":"): { name: string; alias: string }[] {
  return list
    .replace(/[{}]/g, "")
    .split(",")
    .map((part) =>
      part
        .trim()
        .replace(/^type\s+(?=[\w$])/, "")
        .replace(/\s+/g, " "),
    )
    .filter((part) => /^[\w$]/.test(part))
    .map((part) => {
      const [name, alias = name] = part.split(between).map((word) => word.trim().replace(/\s*=.*$/, ""));
      return { name: name!, alias: alias! };
    });
}
