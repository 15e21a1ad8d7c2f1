import { type CodeQuery, type ScopeFinding, type SearchRequest, toSearchRequest } from "../../code/index.js";
import type { Asked } from "./asked.js";

/** Hits of one page where all are asked for. */
const PAGE = 500;
/** Lines given of one file (what is beyond is told), and the longest of them in UTF-8 bytes. */
const LINES_OF_FILE = 100_000;
export const LONGEST_LINE = 1000;

/** The `_search` of what was asked, or of the page behind the last hit seen. */
export function requestFor(asked: Asked, scopes: ScopeFinding[], seen?: readonly unknown[]): SearchRequest {
  const { before, after, limit, show } = asked;
  const size = show === "lines" || show === "json" ? LINES_OF_FILE : 1;
  return toSearchRequest(asked.query, {
    from: 0,
    size: limit ?? PAGE,
    words: "all",
    scopes,
    lines: { size, before, after, maxLineBytes: LONGEST_LINE },
    // Without words, one file is as good as another: the search may end with the page.
    order: limit === undefined ? "path" : asksForWords(asked.query) ? "best" : "first",
    after: seen,
  });
}

function asksForWords({ terms }: CodeQuery): boolean {
  return terms.some(
    (term) => (term.type === "word" || term.type === "phrase" || term.type === "group") && !term.negated,
  );
}

/** A request as it is sent by hand: method, path, and the body on the lines below. */
export function printRequest({ index, body }: SearchRequest): string {
  return `POST /${index}/_search\n${JSON.stringify(body, undefined, 2)}\n`;
}
