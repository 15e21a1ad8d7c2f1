/** Words written with `*` or `?` as if these stood for other characters: in a word they are punctuation. */
import { readsLines } from "./query.js";
import { type CodeQuery, leavesOf } from "./query-terms.js";
import { toSearchRequest } from "./search-request.js";
import type { ValuesSearch } from "./values-search.js";

/** Words of one query that are looked up. */
const MOST_ASKED = 20;

/** A name with a wildcard inside (`c?eateServer`) or a star at an end (`create*`); `a?.b`, `why?` and `*args` are code or text. */
const WILDCARD = /^[\p{L}\p{N}_$*?]*[\p{L}\p{N}_$](?:[*?]+[\p{L}\p{N}_$][\p{L}\p{N}_$*?]*|\*)$/u;

/** A sentence for each such word that the index does not have, with what finds names and lines by a pattern. */
export async function wildcardsInWords(query: CodeQuery, search: ValuesSearch): Promise<string[]> {
  if (readsLines(query)) return [];
  const words = leavesOf(query.terms).flatMap(({ leaf, wanted }) =>
    wanted && leaf.type === "word" && WILDCARD.test(leaf.text) ? [leaf.text] : [],
  );
  const sentences: string[] = [];
  for (const word of [...new Set(words)].slice(0, MOST_ASKED)) {
    const terms: CodeQuery["terms"] = [{ type: "word", text: word, negated: false }];
    const { index, body } = toSearchRequest({ terms, ignored: [] }, { from: 0, size: 1, words: "all" });
    const total = (await search(index, body))?.hits.total;
    if (total !== undefined && (typeof total === "number" ? total : total.value) === 0) sentences.push(sentence(word));
  }
  return sentences;
}

function sentence(word: string): string {
  const name = word.replace(/[*?]+/g, "*");
  const pattern = word.replace(/\$/g, "\\$").replace(/\*+/g, "\\w*").replace(/\?/g, ".");
  return `${word} is found nowhere: in a word, * and ? stand for nothing else; sym:${name} is for names, /${pattern}/ for lines`;
}
