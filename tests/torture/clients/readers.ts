/** Gets and searches documents that others write: what is read was written, and is no older than what was acknowledged. */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { type Client, INDEX, type World } from "../world.js";
import { type OwnDocuments, WORDS, wordsOf } from "./own-documents.js";

/** See the head of this file. */
export class Reader implements Client {
  constructor(
    private readonly world: World,
    private readonly writers: readonly OwnDocuments[],
    private readonly chance: Chance,
  ) {}

  async step(): Promise<boolean> {
    return this.chance(3) === 0 ? this.#search() : this.#get();
  }

  async verify(): Promise<void> {}

  async #get(): Promise<boolean> {
    const { world, chance } = this;
    const { history } = this.writers[chance(this.writers.length)];
    const { ids } = history;
    if (ids.length === 0) return this.#search();
    const id = ids[chance(ids.length)];
    world.counts.reads++;
    const { result, possible } = await history.during(id, () => world.ask("GET", `/${INDEX}/_doc/${id}`));
    if (typeof result === "string") return result !== "gone";
    const value = result.json.found ? result.json._source.value : null;
    if (!possible.has(value)) world.wrong.push(`get ${id}: ${value}, expected ${[...possible].join(" or ")}`);
    return true;
  }

  /** Every hit has the word that was asked for, and the order that was asked for. */
  async #search(): Promise<boolean> {
    const { world, chance } = this;
    const word = `word${chance(WORDS)}`;
    const answer = await world.search({ size: 30, query: { match: { text: word } }, sort: [{ value: "desc" }] });
    if (typeof answer === "string") return answer !== "gone";
    const values = answer.json.hits.hits.map((hit: { _source: { value: number } }) => hit._source.value) as number[];
    const strange = values.find((value) => !wordsOf(value).split(" ").includes(word));
    if (strange !== undefined) world.wrong.push(`a search for ${word} finds ${wordsOf(strange)}`);
    if (values.some((value, i) => i > 0 && value > values[i - 1])) world.wrong.push(`out of order: ${values.join()}`);
    return true;
  }
}
