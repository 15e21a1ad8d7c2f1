/** Counts the searches of an index, in all and by the groups that searches name. */
import type { SearchGroupCounts } from "../engine-types.js";
import type { Counters } from "./counters.js";

/** What a finished search tells of itself. */
export interface FinishedSearch {
  readonly queryMs: number;
  readonly fetchMs: number;
  readonly fetched: boolean;
}

/** Names are the clients' to choose: past so many, further ones are counted in the whole only. */
const MAX_GROUPS = 1_000;

/** One of an index. */
export class SearchCounts {
  readonly #groups = new Map<string, { -readonly [K in keyof SearchGroupCounts]: SearchGroupCounts[K] }>();

  constructor(private readonly counters: Counters) {}

  /** Counts a search in; the returned function counts its end, with nothing when it failed. */
  begin(groups: readonly string[]): (done?: FinishedSearch) => void {
    const { counters } = this;
    const own = [...new Set(groups)].flatMap((name) => this.#group(name) ?? []);
    counters.searchingNow++;
    for (const group of own) group.searchingNow++;
    return (done) => {
      for (const counts of [counters, ...own]) {
        counts.searchingNow--;
        if (done === undefined) continue;
        counts.searches++;
        counts.searchTimeMs += done.queryMs;
        if (!done.fetched) continue;
        counts.fetches++;
        counts.fetchTimeMs += done.fetchMs;
      }
    };
  }

  /** By group. */
  groups(): Record<string, SearchGroupCounts> {
    return Object.fromEntries([...this.#groups].map(([name, counts]) => [name, { ...counts }]));
  }

  #group(name: string) {
    const known = this.#groups.get(name);
    if (known !== undefined || this.#groups.size >= MAX_GROUPS) return known;
    const made = { searches: 0, searchTimeMs: 0, searchingNow: 0, fetches: 0, fetchTimeMs: 0 };
    this.#groups.set(name, made);
    return made;
  }
}
