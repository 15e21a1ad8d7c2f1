/** Order and pages of `GET _snapshot`: `sort`, `order`, `size`, `offset`, and `after` for what comes next. */
import { oneOf } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import type { Parameters } from "../http/parameters.js";

/** What a page is ordered by. */
export interface Sortable {
  readonly name: string;
  readonly repository: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly indices: number;
  /** Only asked for when the order needs it. */
  readonly shards: () => { total: number; failed: number };
}

const KEYS = [
  "start_time",
  "duration",
  "name",
  "repository",
  "index_count",
  "shard_count",
  "failed_shard_count",
] as const;
type Key = (typeof KEYS)[number];

const VALUES: Readonly<Record<Key, (one: Sortable) => number | string>> = {
  start_time: ({ startedAt }) => startedAt,
  duration: ({ startedAt, endedAt }) => (endedAt > 0 ? endedAt - startedAt : 0),
  name: ({ name }) => name,
  repository: ({ repository }) => repository,
  index_count: ({ indices }) => indices,
  shard_count: ({ shards }) => shards().total,
  failed_shard_count: ({ shards }) => shards().failed,
};

export interface PageOptions {
  readonly key: Key;
  readonly descending: boolean;
  /** Infinity: no limit. */
  readonly size: number;
  readonly offset: number;
  readonly after: Place | undefined;
}

/** A snapshot's place in the order. */
type Place = readonly [value: number | string, name: string, repository: string];

/** Throws ApiError 400. */
export function readPage(parameters: Parameters): PageOptions {
  const keys = parameters.list("sort") ?? ["start_time"];
  if (keys.length !== 1) throw illegalArgument(`[sort] takes one key but was [${keys.join(",")}]`);
  const size = parameters.integer("size") ?? -1;
  if (size === 0 || size < -1) throw illegalArgument("size must be -1 or greater than 0");
  const offset = parameters.integer("offset") ?? 0;
  if (offset < 0) throw illegalArgument("[offset] must not be negative");
  const after = parameters.text("after");
  if (after !== undefined && offset > 0) throw illegalArgument("can't use [after] and [offset] together");
  return {
    key: oneOf(keys[0], KEYS, "[sort]"),
    descending: oneOf(parameters.text("order") ?? "asc", ["asc", "desc"], "parameter [order]") === "desc",
    size: size === -1 ? Number.POSITIVE_INFINITY : size,
    offset,
    after: after === undefined ? undefined : readPlace(after),
  };
}

export interface Page<T> {
  readonly items: readonly T[];
  /** All that match, on whatever page. */
  readonly total: number;
  readonly remaining: number;
  /** `after` of the next page. */
  readonly next: string | undefined;
}

/** Cuts a page out of all. */
export function pageOf<T extends Sortable>(all: readonly T[], options: PageOptions): Page<T> {
  const { key, descending, size, offset, after } = options;
  const placed = all.map((one): { one: T; place: Place } => ({
    one,
    place: [VALUES[key](one), one.name, one.repository],
  }));
  const sign = descending ? -1 : 1;
  placed.sort((a, b) => sign * compare(a.place, b.place));
  const rest =
    after === undefined ? placed.slice(offset) : placed.filter(({ place }) => sign * compare(place, after) > 0);
  const items = size === Number.POSITIVE_INFINITY ? rest : rest.slice(0, size);
  const remaining = rest.length - items.length;
  const last = items.at(-1);
  return {
    items: items.map(({ one }) => one),
    total: all.length,
    remaining,
    next: remaining > 0 && last !== undefined ? printPlace(last.place) : undefined,
  };
}

function compare(a: Place, b: Place): number {
  for (let at = 0; at < a.length; at++) {
    if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  }
  return 0;
}

function printPlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function readPlace(text: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (Array.isArray(place) && place.length === 3) return place as unknown as Place;
  } catch {
    // No page was ever named so.
  }
  throw illegalArgument(`invalid after value [${text}]: use the [next] of the answer before`);
}
