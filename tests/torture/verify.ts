import { send } from "../support/node.js";
import type { Model } from "./model.js";

const PAGE = 1000;
const WORDS = 17;

export interface Findings {
  /** Acknowledged writes that are not there. */
  lost: string[];
  /** Searches that disagree with the documents. */
  wrong: string[];
}

/** Compares every document the node holds with the model, then searches with the documents. The model learns what became of open writes. */
export async function verify(url: string, model: Model): Promise<Findings> {
  const findings: Findings = { lost: [], wrong: [] };
  const ids = model.ids;
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE);
    const reply = await send(url, { method: "POST", path: "/torture/_mget", body: { ids: page } });
    reply.json.docs.forEach((doc: { found: boolean; _source?: { value: number } }, i: number) => {
      const value = doc.found ? doc._source!.value : null;
      if (!model.allows(page[i]!, value))
        findings.lost.push(`${page[i]}: ${value}, acknowledged ${model.value(page[i]!)}`);
      model.settle(page[i]!, value);
    });
  }
  await send(url, { method: "POST", path: "/torture/_refresh" });
  await verifySearches(url, model, findings);
  return findings;
}

async function verifySearches(url: string, model: Model, findings: Findings): Promise<void> {
  const live = model.live();
  const search = async (body: object) => (await send(url, { method: "POST", path: "/torture/_search", body })).json;
  const all = await search({ size: 0, track_total_hits: true, aggs: { sum: { sum: { field: "value" } } } });
  const sum = [...live.values()].reduce((a, b) => a + b, 0);
  if (all.hits.total.value !== live.size)
    findings.wrong.push(`${all.hits.total.value} documents, expected ${live.size}`);
  if (all.aggregations.sum.value !== sum) findings.wrong.push(`sum ${all.aggregations.sum.value}, expected ${sum}`);
  for (let word = 0; word < WORDS; word++) {
    const expected = [...live.values()].filter((value) => value % WORDS === word || value % 5 === word).length;
    const found = await search({ size: 0, track_total_hits: true, query: { match: { text: `word${word}` } } });
    if (found.hits.total.value !== expected)
      findings.wrong.push(`word${word}: ${found.hits.total.value}, expected ${expected}`);
  }
}
