/** A test for names by a pattern with `*`. */
export function wildcard(pattern: string): (name: string) => boolean {
  if (pattern === "*") return () => true;
  if (!pattern.includes("*")) return (name) => name === pattern;
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  const expression = new RegExp(`^${source}$`, "s");
  return (name) => expression.test(name);
}
