/**
 * The patterns of a query, one a text, each with its captures and predicates. A query of ours has no comments; brackets in
 * strings do not count.
 */
export function splitPatterns(query: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let from = 0;
  for (const found of query.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]]/g)) {
    if (found[0] === "(" || found[0] === "[") {
      // A pattern ends where the next one begins: captures may follow its closing bracket.
      if (depth === 0 && query.slice(from, found.index).trim() !== "") {
        patterns.push(query.slice(from, found.index).trim());
        from = found.index;
      }
      depth++;
    } else if (found[0] === ")" || found[0] === "]") depth--;
  }
  if (query.slice(from).trim() !== "") patterns.push(query.slice(from).trim());
  return patterns;
}

/** A type of nodes as a query names it: `"if"` is anonymous, `if_statement` named. */
export interface NodeType {
  name: string;
  isNamed: boolean;
}

/**
 * The types of the nodes that a pattern may begin at: the one it names first, or those of an alternation. Nothing when
 * the pattern does not say so: it begins with any node, or with several beside each other.
 */
export function rootTypes(pattern: string): NodeType[] | undefined {
  const single = /^\(\s*([a-zA-Z]\w*)/.exec(pattern);
  if (single) return [{ name: single[1]!, isNamed: true }];
  if (!pattern.startsWith("[")) return undefined;
  const types: NodeType[] = [];
  const inside = pattern.slice(1, closingBracket(pattern));
  for (const alternative of splitPatterns(inside)) {
    // Anonymous ones stand in a row: `"a" "b"`.
    const rest = alternative.replace(/\s*"((?:[^"\\]|\\.)*)"/g, (_, name: string) => {
      types.push({ name: name.replace(/\\(.)/g, "$1"), isNamed: false });
      return "";
    });
    if (rest.trim() === "") continue;
    const own = rootTypes(rest.trim());
    if (!own || own.length === 0) return undefined;
    types.push(...own);
  }
  return types;
}

/** The bracket that closes the alternation at the beginning. */
function closingBracket(pattern: string): number {
  let depth = 0;
  for (const found of pattern.matchAll(/"(?:[^"\\]|\\.)*"|[[\]]/g)) {
    if (found[0] === "[") depth++;
    else if (found[0] === "]" && --depth === 0) return found.index;
  }
  return pattern.length;
}
