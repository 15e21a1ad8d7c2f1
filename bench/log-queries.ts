import { type LogDocument, logSource } from "./corpus/logs.js";
import { randomNumbers } from "./random.js";

type Body = Record<string, unknown>;

/** Kinds of query over the log corpus; each call of a kind draws other parameters from it, the same in every run. */
export function logQueries(documents: number): Record<string, () => Body> {
  const next = logSource(42);
  const sample: LogDocument[] = Array.from({ length: Math.min(documents, 20_000) }, next);
  const random = randomNumbers(7);
  const pick = () => sample[Math.floor(random() * sample.length)]!;
  const words = () => pick().message.split(" ");
  const first = sample[0]!["@timestamp"];
  const last = first + 1000 * documents;
  const window = (share: number) => {
    const start = Math.floor(first + random() * (last - first) * (1 - share));
    return { range: { "@timestamp": { gte: start, lt: Math.floor(start + (last - first) * share) } } };
  };
  return {
    "term on keyword": () => ({ query: { term: { host: pick().host } } }),
    "match, 2 words, or": () => ({ query: { match: { message: `${words()[0]} ${words()[0]}` } } }),
    "match, 2 words, and": () => ({
      query: { match: { message: { query: `${words()[0]} ${words().at(-1)}`, operator: "and" } } },
    }),
    "phrase, 2 words": () => {
      const all = words();
      const at = Math.floor(random() * (all.length - 1));
      return { query: { match_phrase: { message: `${all[at]} ${all[at + 1]}` } } };
    },
    "range, sorted by time": () => ({
      query: { range: { took: { gte: Math.floor(random() * 2000) } } },
      sort: [{ "@timestamp": "desc" }],
    }),
    "bool: word, status, window": () => ({
      query: { bool: { must: [{ match: { message: words()[0] } }], filter: [{ term: { status: 500 } }, window(0.1)] } },
    }),
    "terms over all": () => ({ size: 0, aggs: { x: { terms: { field: "host" } } } }),
    "terms in a window": () => ({ size: 0, query: window(0.2), aggs: { x: { terms: { field: "host" } } } }),
    "date_histogram over all": () => ({
      size: 0,
      aggs: { x: { date_histogram: { field: "@timestamp", fixed_interval: "1h" } } },
    }),
    "date_histogram and avg in a window": () => ({
      size: 0,
      query: window(0.2),
      aggs: {
        x: { date_histogram: { field: "@timestamp", fixed_interval: "10m" }, aggs: { b: { avg: { field: "bytes" } } } },
      },
    }),
  };
}
