import type { ImportBinding } from "./binding.js";
import { blankRustComments } from "./blank-comments.js";
import { innerModules } from "./rust-modules.js";

const USE = /\b(pub(?:\s*\([^)]*\))?\s+)?use\s+([^;]+);/g;

/** What a Rust file uses: each leaf of its `use` trees. */
export function rustImports(text: string): ImportBinding[] {
  const bindings: ImportBinding[] = [];
  const code = blankRustComments(text);
  const modules = innerModules(code);
  for (const { 1: pub, 2: tree, index } of code.matchAll(USE)) {
    const within = modules.findLast(({ from, to }) => from < index && index < to)?.name;
    for (const leaf of leavesOf(tree!.replace(/\s+/g, " ").trim(), "", 0)) {
      bindings.push({ ...leaf, isExported: pub !== undefined, ...(within === undefined ? {} : { within }) });
    }
  }
  return bindings;
}

/** Trees may nest as deep as somebody wrote them. */
const MAX_DEPTH = 20;

type Leaf = Omit<ImportBinding, "isExported">;

function leavesOf(tree: string, prefix: string, depth: number): Leaf[] {
  const open = tree.indexOf("{");
  if (open < 0 || depth > MAX_DEPTH) return [leafOf(join(prefix, tree))];
  const inner = join(
    prefix,
    tree
      .slice(0, open)
      .replace(/::\s*$/, "")
      .trim(),
  );
  const list = tree.slice(open + 1, tree.lastIndexOf("}"));
  return partsOf(list).flatMap((part) => leavesOf(part, inner, depth + 1));
}

function leafOf(written: string): Leaf {
  const [path, alias] = written.split(/ as /);
  const parts = path!.split("::").map((part) => part.trim());
  if (parts.at(-1) === "self") parts.pop();
  const name = parts.at(-1) ?? "";
  return { module: parts.slice(0, -1).join("::"), name, alias: alias?.trim() ?? name };
}

/** Splits at commas outside of braces. */
function partsOf(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    if (list[at] === "{") depth++;
    else if (list[at] === "}") depth--;
    else if (list[at] === "," && depth === 0) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(list.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function join(prefix: string, rest: string): string {
  return [prefix, rest].filter((part) => part !== "").join("::");
}
