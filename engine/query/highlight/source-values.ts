/** The texts of a field in a document's source. */

/** Values at a dotted path, through objects and arrays, in order; numbers and booleans as text. */
export function sourceValues(source: unknown, path: string): string[] {
  const values: string[] = [];
  gather(source, path.split("."), values);
  return values;
}

function gather(node: unknown, path: readonly string[], into: string[]): void {
  if (Array.isArray(node)) {
    for (const item of node) gather(item, path, into);
    return;
  }
  if (path.length === 0) {
    if (typeof node === "string") into.push(node);
    else if (typeof node === "number" || typeof node === "boolean") into.push(String(node));
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const record = node as Record<string, unknown>;
  // A key may itself contain dots: every split of the path is tried.
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join(".");
    if (Object.hasOwn(record, key)) gather(record[key], path.slice(length), into);
  }
}
