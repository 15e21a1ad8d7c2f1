import { type CodeHit, type FileHit, formatLocator } from "../code/index.js";
import { spanHash } from "./working-file.js";

/**
 * The first line that patterns found in a file, in the shape of a declaration's hit, so that whatever locates and shows
 * hits does it for lines too. A file without such lines, from which patterns were only taken away, is its first line.
 */
export function fileAsHit(file: FileHit): CodeHit {
  const first = file.lines.lines.find(({ ranges }) => ranges.length > 0);
  const { line = 1, byte = 0, text: code = "" } = first ?? {};
  const span = spanHash(code);
  const { id, score, repo, path, language, blob } = file;
  return {
    ...{ id, score, repo, path, language, blob, class: file.class },
    ...{ kind: "window", name: path, qualifiedName: path, signature: "", docstring: "", code },
    ...{ startLine: line, endLine: line, startByte: byte, endByte: byte + Buffer.byteLength(code, "utf8") },
    ...{ comment: "", docStartLine: line, span },
    locator: formatLocator({ path, startLine: line, endLine: line, qualifiedName: "", blob, span }),
    ...(file.inTree === false ? { branches: file.branches ?? [], inTree: false } : {}),
  };
}
