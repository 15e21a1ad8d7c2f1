/**
 * Moves amounts between the accounts of one client, two documents in one request: whenever a search looks, the sum of the
 * accounts is what it was, because all operations of a request become visible together.
 */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { type Client, INDEX, type World } from "../world.js";

const ACCOUNTS = 6;
export const TOTAL = 6000;

/** See the head of this file. */
export class Transfers implements Client {
  #amounts: number[] = [];
  /** Whether readers may rely on the sum: all accounts are written and shown, and no transfer was left open since. */
  settled = false;
  /** Grows whenever that changes. */
  epoch = 0;

  constructor(
    private readonly world: World,
    readonly lane: number,
    private readonly chance: Chance,
  ) {}

  async step(): Promise<boolean> {
    return this.settled ? this.#transfer() : this.#begin();
  }

  /** A request that was left open may be there in part: the accounts are written anew. */
  async verify(): Promise<void> {
    this.#unsettle();
  }

  async #begin(): Promise<boolean> {
    this.#amounts = Array.from({ length: ACCOUNTS }, () => TOTAL / ACCOUNTS);
    const { end, statuses } = await this.world.bulk(
      this.#amounts.map((amount, i) => this.#line(i, amount)),
      "?refresh=true",
    );
    if (end === "answered" && statuses.every((status) => status !== undefined)) {
      this.settled = true;
      this.epoch++;
    }
    return end !== "gone";
  }

  async #transfer(): Promise<boolean> {
    const { chance, world } = this;
    const from = chance(ACCOUNTS);
    const to = (from + 1 + chance(ACCOUNTS - 1)) % ACCOUNTS;
    const amount = chance(50);
    const after = [...this.#amounts];
    after[from] -= amount;
    after[to] += amount;
    const lines = [this.#line(from, after[from]), this.#line(to, after[to])];
    const { end, statuses } = await world.bulk(lines, chance(4) === 0 ? "?refresh=true" : "");
    if (end === "answered" && statuses.every((status) => status !== undefined)) {
      this.#amounts = after;
      world.counts.operations += 2;
      return true;
    }
    this.#unsettle();
    return end !== "gone";
  }

  #unsettle(): void {
    this.settled = false;
    this.epoch++;
  }

  #line(i: number, amount: number): string {
    const id = `account-${this.lane}-${i}`;
    return `{"index":{"_id":"${id}"}}\n{"value":0,"amount":${amount},"lane":"transfer-${this.lane}"}\n`;
  }
}

/** Looks at the accounts of the others while they are being written. */
export class Auditor implements Client {
  constructor(
    private readonly world: World,
    private readonly transfers: readonly Transfers[],
    private readonly chance: Chance,
  ) {}

  async step(): Promise<boolean> {
    const { world, transfers, chance } = this;
    const one = transfers[chance(transfers.length)];
    const { epoch, settled } = one;
    const query = { term: { lane: `transfer-${one.lane}` } };
    const answer = await world.search({ size: 0, query, aggs: { sum: { sum: { field: "amount" } } } });
    if (typeof answer === "string") return answer !== "gone";
    const sum = answer.json.aggregations?.sum?.value;
    // On a failing disk a part of a request may be refused.
    const reliable = settled && one.epoch === epoch && !world.node.faulty;
    if (reliable && sum !== TOTAL) world.wrong.push(`the accounts of ${one.lane} have ${sum} together, not ${TOTAL}`);
    return true;
  }

  async verify(): Promise<void> {}
}

/** Asks a held reader the same question twice while others write. */
export class HeldReader implements Client {
  constructor(private readonly world: World) {}

  async step(): Promise<boolean> {
    const { world } = this;
    const opened = await world.ask("POST", `/${INDEX}/_pit?keep_alive=1m`);
    if (typeof opened === "string") return opened !== "gone";
    const pit = { id: opened.json.id };
    const body = { size: 50, pit, sort: [{ value: "desc" }], aggs: { sum: { sum: { field: "value" } } } };
    const answers = [];
    for (let i = 0; i < 3; i++) {
      world.counts.reads++;
      const answer = await world.ask("POST", "/_search", body);
      if (typeof answer === "string") return answer !== "gone";
      answers.push(JSON.stringify({ ...answer.json, took: 0, pit_id: "" }));
    }
    if (new Set(answers).size > 1)
      world.wrong.push(`a point in time changed: ${answers.map((a) => a.slice(0, 200)).join(" / ")}`);
    return (await world.ask("DELETE", "/_pit", { id: pit.id })) !== "gone";
  }

  async verify(): Promise<void> {}
}
