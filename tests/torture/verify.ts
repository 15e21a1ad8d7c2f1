/** What searches must say of the documents that are there, when nobody writes. */
import { type OwnDocuments, WORDS } from "./clients/own-documents.js";
import { INDEX, type World } from "./world.js";

/** Compares counts, sums and words with the documents of the writers, which have been verified. */
export async function verifySearches(world: World, writers: readonly OwnDocuments[]): Promise<void> {
  await world.ask("POST", `/${INDEX}/_refresh`);
  const values = writers.flatMap(({ history }) => [...history.living().values()]);
  const own = { prefix: { lane: "own-" } };
  const all = await searchExactly(world, { query: own, aggs: { sum: { sum: { field: "value" } } } });
  const sum = values.reduce((a, b) => a + b, 0);
  expectEqual(world, "documents", all.hits.total.value, values.length);
  expectEqual(world, "sum", all.aggregations.sum.value, sum);
  for (let word = 0; word < WORDS; word++) {
    const expected = values.filter((value) => value % WORDS === word || value % 5 === word).length;
    const found = await searchExactly(world, {
      query: { bool: { must: [{ match: { text: `word${word}` } }], filter: [own] } },
    });
    expectEqual(world, `word${word}`, found.hits.total.value, expected);
  }
}

async function searchExactly(world: World, body: object) {
  const answer = await world.search({ size: 0, track_total_hits: true, ...body });
  if (typeof answer === "string" || answer.status !== 200)
    throw new Error(`a search is not answered: ${JSON.stringify(answer)}`);
  return answer.json;
}

function expectEqual(world: World, what: string, found: number, expected: number): void {
  if (found !== expected) world.wrong.push(`${what}: ${found}, expected ${expected}`);
}
