import { createScanner, ScanError, SyntaxKind } from "jsonc-parser";

/** Characters of what is named in a reason. */
const MOST_SHOWN = 20;

const OPENING: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.OpenBraceToken, SyntaxKind.OpenBracketToken]);
const CLOSING: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.CloseBraceToken, SyntaxKind.CloseBracketToken]);
const COMMENTS: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.LineCommentTrivia, SyntaxKind.BlockCommentTrivia]);
const BLANKS: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.Trivia, SyntaxKind.LineBreakTrivia]);

/** Why a text that looks like JSON is none: its first fault of those that programs and people make, with its line. */
export function jsonProblem(text: string): string {
  const scanner = createScanner(text, false);
  let depth = 0;
  let before: SyntaxKind | undefined;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan()) {
    if (BLANKS.has(kind)) continue;
    const line = `line ${scanner.getTokenStartLine() + 1}`;
    const shown = text.substr(scanner.getTokenOffset(), Math.min(MOST_SHOWN, scanner.getTokenLength()));
    if (COMMENTS.has(kind)) return `it is no JSON: a comment in ${line}`;
    if (kind === SyntaxKind.Unknown) return `it is no JSON: ${shown} in ${line}`;
    if (scanner.getTokenError() !== ScanError.None) return `it is no JSON: ${shown} in ${line} is not whole`;
    if (CLOSING.has(kind) && before === SyntaxKind.CommaToken)
      return `it is no JSON: a comma before ${shown} in ${line}`;
    if (OPENING.has(kind)) depth++;
    else if (CLOSING.has(kind)) depth--;
    before = kind;
  }
  return depth > 0 ? "it is no JSON: it ends inside of a list or an object" : "it is no JSON";
}
