/** Documents that nobody but this asks for: whatever else is sent, they must stay as they were acknowledged. */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { CONTROL_INDEX } from "./courtesy.js";
import { type Answer, ask } from "./exchange.js";

const FIRST = 200;

/** What a search of control says. */
interface Found {
  readonly hits?: { readonly hits: readonly { readonly _id: string; readonly _source: unknown }[] };
  readonly aggregations?: { readonly sum?: { readonly value: number } };
}

/** See the head of this file. */
export class Control {
  readonly #documents = new Map<string, string>();
  readonly wrong: string[] = [];

  /** `url`: where the node is now. */
  constructor(
    private readonly url: () => string,
    private readonly chance: Chance,
  ) {}

  get size(): number {
    return this.#documents.size;
  }

  /** Makes the index, hidden from patterns. Throws if that fails. */
  async create(): Promise<void> {
    const settings = { index: { hidden: true } };
    const mappings = { properties: { n: { type: "long" }, word: { type: "keyword" }, text: { type: "text" } } };
    const { status, text } = await this.#ask("PUT", "", JSON.stringify({ settings, mappings }));
    if (status !== 200) throw new Error(`the index of control was not made: ${text}`);
    for (let at = 0; at < FIRST; at++) await this.write();
  }

  /** One more document, or another version of one; not when the node refuses it, which settings may make it do. */
  async write(): Promise<void> {
    const id = String(this.chance(FIRST * 3));
    const source = JSON.stringify({ n: this.chance(1e9), word: `w${this.chance(9)}`, text: `some text ${id}` });
    const { status } = await this.#ask("PUT", `/_doc/${id}`, source);
    if (status === 200 || status === 201) this.#documents.set(id, source);
  }

  /** Compares every document, by id and by search. */
  async verify(when: string): Promise<void> {
    await this.#ask("POST", "/_refresh");
    for (const [id, source] of this.#documents) {
      const { status, text } = await this.#ask("GET", `/_source/${id}`);
      if (status !== 200 || text !== source)
        this.wrong.push(`${when}: document ${id} is ${status} ${text.slice(0, 200)}, not ${source}`);
    }
    const body = { size: 10_000, track_total_hits: true, aggs: { sum: { sum: { field: "n" } } } };
    const { status, text } = await this.#ask("POST", "/_search", JSON.stringify(body));
    if (status !== 200 || !this.#isAll(JSON.parse(text)))
      this.wrong.push(`${when}: a search finds ${text.slice(0, 300)}`);
  }

  #isAll({ hits, aggregations }: Found): boolean {
    const found = hits?.hits ?? [];
    const sum = [...this.#documents.values()].reduce((total, source) => total + JSON.parse(source).n, 0);
    const isSame = found.every(({ _id, _source }) => this.#documents.get(_id) === JSON.stringify(_source));
    return isSame && found.length === this.#documents.size && aggregations?.sum?.value === sum;
  }

  #ask(method: string, below: string, body?: string): Promise<Answer> {
    return ask(this.url(), method, `/${CONTROL_INDEX}${below}`, { body });
  }
}
