import { expect, test } from "vitest";
import { parseQuery } from "./query.js";
import { wildcardsInWords } from "./wildcard-words.js";

const said = (query: string, total: number) =>
  wildcardsInWords(parseQuery(query), async () => ({ hits: { total: { value: total } } }));

test.each([
  [
    "c?eateServer",
    "c?eateServer is found nowhere: in a word, * and ? stand for nothing else; sym:c*eateServer is for names, /c.eateServer/ for lines",
  ],
  [
    "lang:go (create* or b)",
    "create* is found nowhere: in a word, * and ? stand for nothing else; sym:create* is for names, /create\\w*/ for lines",
  ],
  [
    "*a*b x",
    "*a*b is found nowhere: in a word, * and ? stand for nothing else; sym:*a*b is for names, /\\w*a\\w*b/ for lines",
  ],
])("what is written like a wildcard and found nowhere is told: %s", async (query, sentence) => {
  expect(await said(query, 0)).toEqual([sentence]);
  expect(await said(query, 1)).toEqual([]);
});

test.each(["a?.b", "why?", "*args", "f(*a)", "-c?eate x", "case:yes c?eate", '"c?eate"', "sym:c*eate", "a * b"])(
  "nothing is told of %s",
  async (query) => expect(await said(query, 0)).toEqual([]),
);
