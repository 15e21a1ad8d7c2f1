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
