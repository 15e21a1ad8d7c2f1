/**
 * Clients that write the same documents at once: counters that are read and written back on condition that nobody was
 * faster (`if_seq_no`), documents of external versions, and documents that can be created once.
 */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { type Answer, type Client, INDEX, type World } from "../world.js";

const COUNTERS = 5;
const VERSIONED = 5;
const NEVER = -1;

/** What is known of a counter. */
interface Counter {
  /** Its value is at least this. */
  least: number;
  /** Writes whose answer never came: it may have grown by as much. */
  open: number;
  /** Values that somebody was told are theirs. */
  readonly taken: Set<number>;
}

/** What is known of a document of external versions. */
interface Versioned {
  acknowledged: number;
  /** Versions that were sent, and whether they delete. */
  readonly sent: Map<number, "index" | "delete">;
}

/** All that clients of this kind know together. */
export class SharedDocuments {
  readonly counters = Array.from({ length: COUNTERS }, (): Counter => ({ least: NEVER, open: 0, taken: new Set() }));
  readonly versioned = Array.from({ length: VERSIONED }, (): Versioned => ({ acknowledged: 0, sent: new Map() }));
  /** Who was told that a document that can be created once is theirs. */
  readonly created = new Map<string, number>();
  nextVersion = 1;
  nextCreated = 0;
}

/** One of the clients. */
export class SharedWriter implements Client {
  constructor(
    private readonly world: World,
    private readonly shared: SharedDocuments,
    private readonly lane: number,
    private readonly chance: Chance,
  ) {}

  async step(): Promise<boolean> {
    const kind = this.chance(3);
    if (kind === 0) return this.#count(this.chance(COUNTERS));
    if (kind === 1) return this.#version(this.chance(VERSIONED));
    return this.#create();
  }

  async verify(): Promise<void> {
    if (this.lane > 0) return;
    for (const [i, counter] of this.shared.counters.entries()) await this.#verifyCounter(i, counter);
    for (const [i, versioned] of this.shared.versioned.entries()) await this.#verifyVersioned(i, versioned);
    await this.#verifyCreated();
  }

  async #count(i: number): Promise<boolean> {
    const { shared, world } = this;
    const path = `/${INDEX}/_doc/counter-${i}`;
    const found = await this.#get(path);
    if (typeof found === "string") return found !== "gone";
    const { _seq_no: seqNo, _primary_term: term } = found.json;
    const value = found.json.found ? found.json._source.value + 1 : 0;
    const condition = found.json.found ? `?if_seq_no=${seqNo}&if_primary_term=${term}` : "?op_type=create";
    const counter = shared.counters[i];
    if (value - 1 < counter.least) world.wrong.push(`counter-${i} reads ${value - 1}, it was ${counter.least} before`);
    const answer = await world.ask("PUT", path + condition, { value, lane: "counter" });
    if (typeof answer === "string") counter.open++;
    else if (answer.status < 300) this.#counted(i, counter, value);
    else if (answer.status !== 409) world.wrong.push(`counter-${i}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer !== "gone";
  }

  #counted(i: number, counter: Counter, value: number): void {
    if (counter.taken.has(value)) this.world.wrong.push(`counter-${i}: two clients were told that they wrote ${value}`);
    counter.taken.add(value);
    counter.least = Math.max(counter.least, value);
    this.world.counts.operations++;
  }

  async #verifyCounter(i: number, counter: Counter): Promise<void> {
    const found = await this.#get(`/${INDEX}/_doc/counter-${i}`);
    if (typeof found === "string") throw new Error(`the node does not answer: ${found}`);
    const value = found.json.found ? (found.json._source.value as number) : NEVER;
    if (value < counter.least) this.world.lost.push(`counter-${i}: ${value}, acknowledged ${counter.least}`);
    if (value > counter.least + counter.open) this.world.wrong.push(`counter-${i}: ${value} of ${counter.least}`);
    counter.least = value;
    counter.open = 0;
  }

  async #version(i: number): Promise<boolean> {
    const { shared, world, chance } = this;
    const versioned = shared.versioned[i];
    const version = shared.nextVersion++;
    const kind = chance(4) === 0 ? "delete" : "index";
    versioned.sent.set(version, kind);
    const path = `/${INDEX}/_doc/versioned-${i}?version=${version}&version_type=external`;
    const body = kind === "index" ? { value: version, lane: "versioned" } : undefined;
    const answer = await world.ask(kind === "index" ? "PUT" : "DELETE", path, body);
    if (typeof answer === "string") return answer !== "gone";
    const late = answer.status === 409 && [...versioned.sent.keys()].some((other) => other > version);
    if (answer.status < 300 || (answer.status === 404 && kind === "delete")) {
      versioned.acknowledged = Math.max(versioned.acknowledged, version);
      world.counts.operations++;
    } else if (!late) {
      world.wrong.push(`versioned-${i} version ${version}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return true;
  }

  async #verifyVersioned(i: number, { acknowledged, sent }: Versioned): Promise<void> {
    const found = await this.#get(`/${INDEX}/_doc/versioned-${i}`);
    if (typeof found === "string") throw new Error(`the node does not answer: ${found}`);
    const { found: there, _version: version, _source: source } = found.json;
    if (there) {
      if (version < acknowledged) this.world.lost.push(`versioned-${i}: ${version}, acknowledged ${acknowledged}`);
      if (source.value !== version || sent.get(version) !== "index") {
        this.world.wrong.push(`versioned-${i}: version ${version} has ${JSON.stringify(source)}`);
      }
    } else {
      const mayBeGone = acknowledged === 0 || [...sent].some(([one, kind]) => one >= acknowledged && kind === "delete");
      if (!mayBeGone) this.world.lost.push(`versioned-${i}: gone, acknowledged ${acknowledged}`);
    }
  }

  async #create(): Promise<boolean> {
    const { shared, world, lane } = this;
    // All clients try each of them about once.
    const id = `once-${Math.floor(shared.nextCreated++ / 4)}`;
    const answer = await world.ask("PUT", `/${INDEX}/_create/${id}`, { value: lane, lane: "once" });
    if (typeof answer === "string") return answer !== "gone";
    if (answer.status === 201) {
      const other = shared.created.get(id);
      if (other !== undefined) world.wrong.push(`${id} was created by ${other} and by ${lane}`);
      shared.created.set(id, lane);
      world.counts.operations++;
    } else if (answer.status !== 409) {
      world.wrong.push(`${id}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return true;
  }

  async #verifyCreated(): Promise<void> {
    const ids = [...this.shared.created.keys()].slice(-1000);
    if (ids.length === 0) return;
    const answer = await this.world.ask("POST", `/${INDEX}/_mget`, { ids });
    if (typeof answer === "string") throw new Error(`the node does not answer: ${answer}`);
    answer.json.docs.forEach((doc: { found: boolean; _source?: { value: number } }, i: number) => {
      const owner = this.shared.created.get(ids[i]);
      if (doc._source?.value !== owner) this.world.lost.push(`${ids[i]}: ${doc._source?.value}, created by ${owner}`);
    });
  }

  /** A get; 404 is an answer. */
  async #get(path: string): Promise<Answer> {
    this.world.counts.reads++;
    return this.world.ask("GET", path);
  }
}
