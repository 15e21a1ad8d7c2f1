/** The texts of a field in a document's source. */

/**
 * Values at a dotted path, through objects and arrays; numbers and booleans as text. Those in fewer arrays come first, as
 * Elasticsearch flattens them.
 */
export function sourceValues(source: unknown, path: string): string[] {
  const levels: string[][] = [];
  gather(source, path.split("."), { levels, depth: 0 });
  return levels.flat();
}

interface Found {
  /** Values by the number of arrays around them. */
  readonly levels: string[][];
  readonly depth: number;
}

function gather(node: unknown, path: readonly string[], found: Found): void {
  if (Array.isArray(node)) {
    for (const item of node) gather(item, path, { ...found, depth: found.depth + 1 });
    return;
  }
  if (path.length === 0) {
    const scalar = typeof node === "string" || typeof node === "number" || typeof node === "boolean";
    if (scalar) valuesAt(found).push(String(node));
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const record = node as Record<string, unknown>;
  // A key may itself contain dots: every split of the path is tried.
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join(".");
    if (Object.hasOwn(record, key)) gather(record[key], path.slice(length), found);
  }
}

function valuesAt({ levels, depth }: Found): string[] {
  while (levels.length <= depth) levels.push([]);
  return levels[depth];
}
