/** A pattern of names as a regular expression: `*` stands for any characters, `/` too, everything else for itself. */
export function globToRegExp(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}
