/**
 * One client with documents of its own: indexes, updates and deletes them in bulk, sometimes makes the index refresh,
 * and then searches must show what it wrote; flushes and merges now and then.
 */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { type BulkAnswer, type Client, INDEX, type World } from "../world.js";
import { History, type Value } from "./history.js";

const IDS = 400;
const VALUES = 1_000_000;
export const WORDS = 17;
const PAGE = 1000;
const MAINTENANCE = ["_refresh", "_flush", "_forcemerge?max_num_segments=1", "_forcemerge?only_expunge_deletes=true"];

/** The words of a document, which follow from its value. */
export function wordsOf(value: number): string {
  return `word${value % WORDS} word${value % 5}`;
}

/** See the head of this file. */
export class OwnDocuments implements Client {
  readonly history = new History();

  constructor(
    private readonly world: World,
    private readonly lane: number,
    private readonly chance: Chance,
  ) {}

  async step(): Promise<boolean> {
    const { chance, world } = this;
    if (chance(40) === 0) return (await world.ask("POST", `/${INDEX}/${MAINTENANCE[chance(4)]}`)) !== "gone";
    const batch = new Map<string, Value>();
    for (let i = 1 + chance(20); i > 0; i--) {
      batch.set(`${this.lane}-${chance(IDS)}`, chance(5) === 0 ? null : chance(VALUES));
    }
    const refresh = ["", "", "", "?refresh=true", "?refresh=wait_for"][chance(5)];
    const { end, acknowledged } = await this.#write(batch, refresh);
    // A request of which nothing could be written (the log's disk is full) refreshes nothing, and says so item by item.
    if (acknowledged > 0 && refresh !== "") return this.#expectShown(batch);
    return end !== "gone";
  }

  async verify(): Promise<void> {
    const { history, world } = this;
    const { ids } = history;
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE);
      const answer = await world.ask("POST", `/${INDEX}/_mget`, { ids: page });
      if (typeof answer === "string") throw new Error(`the node does not answer: ${answer}`);
      answer.json.docs.forEach((doc: { found: boolean; _source?: { value: number } }, i: number) => {
        const [id, value] = [page[i], doc.found ? (doc._source?.value ?? null) : null];
        if (!history.possible(id).has(value)) world.lost.push(`${id}: ${value}, acknowledged ${history.value(id)}`);
        history.acknowledge(id, value);
      });
    }
  }

  /** How the request ended, and how many of its operations are acknowledged. */
  async #write(
    batch: ReadonlyMap<string, Value>,
    parameters: string,
  ): Promise<{ end: BulkAnswer["end"]; acknowledged: number }> {
    const { history, world } = this;
    const lines = [...batch].map(([id, value]) => linesOf(this.lane, id, value, this.chance(4) === 0));
    for (const [id, value] of batch) history.sent(id, value);
    const { end, statuses } = await world.bulk(lines, parameters);
    let acknowledged = 0;
    [...batch].forEach(([id, value], i) => {
      const status = statuses[i]?.status;
      if (status === undefined) return;
      // Deleting what is not there is a 404 and no error.
      if (status >= 400 && !(status === 404 && value === null))
        world.wrong.push(`bulk: ${id} is answered with ${status}`);
      history.acknowledge(id, value);
      acknowledged++;
    });
    world.counts.operations += acknowledged;
    return { end, acknowledged };
  }

  /** A search after a refresh that was asked for shows what was written: nobody else writes these documents. */
  async #expectShown(batch: ReadonlyMap<string, Value>): Promise<boolean> {
    const ids = [...batch.keys()];
    const answer = await this.world.search({ size: ids.length, query: { ids: { values: ids } }, _source: ["value"] });
    if (typeof answer === "string") return answer !== "gone";
    const shown = new Map<string, number>();
    for (const hit of answer.json.hits.hits) shown.set(hit._id, hit._source.value);
    for (const id of ids) {
      const value = shown.get(id) ?? null;
      if (!this.history.possible(id).has(value)) {
        this.world.wrong.push(`after a refresh ${id} is ${value}, not ${this.history.value(id)}`);
      }
    }
    return true;
  }
}

function linesOf(lane: number, id: string, value: Value, asUpdate: boolean): string {
  if (value === null) return `{"delete":{"_id":"${id}"}}\n`;
  const source = `{"value":${value},"text":"${wordsOf(value)}","lane":"own-${lane}"}`;
  if (asUpdate) return `{"update":{"_id":"${id}"}}\n{"doc":${source},"doc_as_upsert":true}\n`;
  return `{"index":{"_id":"${id}"}}\n${source}\n`;
}
