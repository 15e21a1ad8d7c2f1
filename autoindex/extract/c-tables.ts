/**
 * Overwrites what stands between the braces of a table (`... = {` to `};`, both at the ends of their lines): entries made by
 * macros may have any syntax, and one that a grammar cannot read can cost it the file. The text keeps its length.
 */
export function blankTables(text: string): string {
  const lines = text.split("\n");
  let from = -1;
  for (const [index, line] of lines.entries()) {
    if (from < 0 && /^[^\s#].{0,200}=[ \t]*\{[ \t]*\r?$/.test(line)) from = index + 1;
    else if (from >= 0 && line.startsWith("}")) {
      if (line.startsWith("};")) for (let at = from; at < index; at++) lines[at] = lines[at]!.replace(/[^\r]/g, " ");
      from = -1;
    }
  }
  return lines.join("\n");
}
