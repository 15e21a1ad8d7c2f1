/** Patterns with `*` for names of indices and of whatever else has a name. */
import { matchesPattern } from "../../engine/index.js";

/** A test for names by a pattern with `*`. */
export function wildcard(pattern: string): (name: string) => boolean {
  if (pattern === "*") return () => true;
  return (name) => matchesPattern(pattern, name);
}
