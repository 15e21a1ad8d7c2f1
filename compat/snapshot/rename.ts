/**
 * Renaming by a regular expression and a replacement, as Java's `Matcher.replaceAll` does it. The expression runs under
 * a time limit: one that backtracks without end must not hold the node.
 */
import vm from "node:vm";
import { ApiError, illegalArgument } from "../errors.js";

const LIMIT_MS = 200;

/** Names in, names out. Throws ApiError 400 for a pattern or replacement that can't be read, or takes too long. */
export function renameAll(names: readonly string[], pattern: string, replacement: string): string[] {
  const parts = readReplacement(replacement);
  const matched = findMatches(names, pattern);
  return names.map((name, at) => replaceMatches(name, matched[at], parts));
}

interface Found {
  readonly index: number;
  /** The whole match, then the groups. */
  readonly groups: readonly (string | undefined)[];
  readonly named: Readonly<Record<string, string | undefined>>;
}

/** Literal text, or a group by number or name. */
type Part = { readonly text: string } | { readonly digits: string } | { readonly name: string };

const SCRIPT = new vm.Script(
  "names.map((name) => [...name.matchAll(new RegExp(pattern, 'g'))].map((m) => ({ index: m.index, groups: [...m], named: { ...m.groups } })))",
);

function findMatches(names: readonly string[], pattern: string): Found[][] {
  try {
    new RegExp(pattern, "g");
  } catch (error) {
    throw new ApiError(400, "pattern_syntax_exception", `${(error as Error).message} in rename_pattern [${pattern}]`);
  }
  try {
    const found = SCRIPT.runInNewContext({ names: [...names], pattern }, { timeout: LIMIT_MS }) as Found[][];
    return structuredClone(found);
  } catch {
    throw illegalArgument(
      `rename_pattern [${pattern}] takes more than ${LIMIT_MS} ms: write it without nested repeats`,
    );
  }
}

function replaceMatches(name: string, matches: readonly Found[], parts: readonly Part[]): string {
  let text = "";
  let from = 0;
  for (const match of matches) {
    text += name.slice(from, match.index) + parts.map((part) => expand(part, match)).join("");
    from = match.index + (match.groups[0] ?? "").length;
  }
  return text + name.slice(from);
}

function expand(part: Part, { groups, named }: Found): string {
  if ("text" in part) return part.text;
  if ("name" in part) {
    if (!Object.hasOwn(named, part.name)) throw illegalArgument(`No group with name {${part.name}}`);
    return named[part.name] ?? "";
  }
  // Java takes as many digits as give a group that is there, one at least.
  let used = part.digits.length;
  while (used > 1 && Number(part.digits.slice(0, used)) >= groups.length) used--;
  const group = Number(part.digits.slice(0, used));
  if (group >= groups.length) throw illegalArgument(`No group ${group}`);
  return (groups[group] ?? "") + part.digits.slice(used);
}

/** `$1`, `${name}`, `\$`; other text stands for itself. */
function readReplacement(replacement: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < replacement.length; ) {
    const rest = replacement.slice(at);
    const group = /^\$(?:(\d+)|\{([A-Za-z][A-Za-z0-9]*)\})/.exec(rest);
    if (group !== null) {
      parts.push(group[1] === undefined ? { name: group[2] } : { digits: group[1] });
      at += group[0].length;
      continue;
    }
    if (rest.startsWith("$")) throw illegalArgument("Illegal group reference");
    const escaped = rest.startsWith("\\");
    if (escaped && rest.length === 1) throw illegalArgument("character to be escaped is missing");
    parts.push({ text: escaped ? rest[1] : rest[0] });
    at += escaped ? 2 : 1;
  }
  return parts;
}
