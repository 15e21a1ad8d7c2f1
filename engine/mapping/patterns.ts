/**
 * Field-name patterns: `*` stands for any run of characters, dots included; everything else for itself.
 */

/** Whether a name matches a pattern (Elasticsearch's Regex.simpleMatch); linear, no backtracking blow-up. */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === name;
  const first = parts[0];
  const last = parts[parts.length - 1];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether any of the patterns matches. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name));
}

/**
 * Names that the patterns select, each once: plain names in their place even when unknown, patterns expanded to
 * the known names in sorted order.
 */
export function expandFieldPatterns(patterns: readonly string[], known: Iterable<string>): string[] {
  const sorted = patterns.some((pattern) => pattern.includes("*")) ? [...known].sort() : [];
  const chosen = new Set<string>();
  for (const pattern of patterns) {
    if (!pattern.includes("*")) chosen.add(pattern);
    else for (const name of sorted) if (matchesPattern(pattern, name)) chosen.add(name);
  }
  return [...chosen];
}

/** Whether one of some patterns names a path, or what is around it. */
export function namesPath(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, path) || matchesPattern(`${pattern}.*`, path));
}

/** Whether one of some patterns may name something below a path: with a star before, it always may. */
export function mayNameBelow(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    const star = pattern.indexOf("*");
    const literal = star === -1 ? pattern : pattern.slice(0, star);
    return literal.startsWith(`${path}.`) || (star !== -1 && `${path}.`.startsWith(literal));
  });
}
