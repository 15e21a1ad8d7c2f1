import type { ImportBinding } from "./binding.js";

/** A module with a body in the file, by where the body stands in the text. */
interface InnerModule {
  /** With the modules around it: `a.tests`. */
  name: string;
  from: number;
  to: number;
}

const OPENED = /\bmod\s+(?:r#)?(\w+)\s*\{/y;
/** What braces stand in without being any; comments are blank already. */
const LITERAL = /b?r(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\[^\n]{1,9}?)'/y;

/** Modules with a body, each behind the one around it. */
export function innerModules(code: string): InnerModule[] {
  const modules: InnerModule[] = [];
  if (!/\bmod\s+[\w#]+\s*\{/.test(code)) return modules;
  const open: { module: InnerModule; depth: number }[] = [];
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    const char = code[at]!;
    if (char === "m") {
      OPENED.lastIndex = at;
      const found = OPENED.exec(code);
      if (found === null) continue;
      const name = [...open.slice(-1).map(({ module }) => module.name), found[1]!].join(".");
      at += found[0].length - 1;
      const module = { name, from: at, to: code.length };
      modules.push(module);
      open.push({ module, depth: depth++ });
    } else if (char === "{") depth++;
    else if (char === "}") {
      depth--;
      if (open.at(-1)?.depth === depth) open.pop()!.module.to = at;
    } else if (char === '"' || char === "'" || char === "r" || char === "b") {
      LITERAL.lastIndex = at;
      const isName = /\w/.test(code[at - 1] ?? "") && /\w/.test(char);
      const found = isName ? null : LITERAL.exec(code);
      if (found) at += found[0].length - 1;
    }
  }
  return modules;
}

/**
 * The imports that count at a place of a file: those of the innermost module around it, and with `use super::*` also those
 * of the module around that one, where they are not bound anew.
 */
export function importsWithin(all: readonly ImportBinding[], module: string): ImportBinding[] {
  const seen = new Set<string>();
  const own = all.filter((one) => {
    const key = `${one.module}\n${one.name}\n${one.alias}`;
    const isNew = (one.within ?? "") === module && !seen.has(key);
    if (isNew) seen.add(key);
    return isNew;
  });
  if (module === "" || !own.some((one) => one.name === "*" && one.module === "super")) return own;
  const bound = new Set(own.filter(({ name }) => name !== "*").map(({ alias }) => alias));
  const outer = importsWithin(all, module.slice(0, Math.max(0, module.lastIndexOf("."))));
  return [...own, ...outer.filter(({ alias, name }) => name === "*" || !bound.has(alias))];
}

/** A module's path as the file itself would write it: out of `mod tests`, `super` is the file, `super::super` its `super`. */
export function pathFromFile(module: string, within: string): string {
  const parts = module.split("::");
  if (within === "" || !/^(?:self|super)$/.test(parts[0]!)) return module;
  const around = within.split(".");
  let ups = 0;
  while (parts[ups] === "super") ups++;
  const rest = parts.slice(parts[0] === "self" ? 1 : ups);
  const start = ups > around.length ? Array<string>(ups - around.length).fill("super") : ["self"];
  return [...start, ...around.slice(0, Math.max(0, around.length - ups)), ...rest].join("::");
}
