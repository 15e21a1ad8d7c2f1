/** A stored document. */
export type Source = Record<string, unknown>;

interface Found {
  index: string;
  id: string;
  source: Source;
}

const KNOWN_KEYS = new Set(["size", "_source", "track_total_hits", "query", "sort", "search_after", "aggs"]);

/** One search as this module asks them: filters, one ascending sort, pages after a value, counts of a field's terms. */
export class FakeSearch {
  constructor(private readonly request: Record<string, unknown>) {
    const unknown = Object.keys(request).find((key) => !KNOWN_KEYS.has(key));
    if (unknown) throw new Error(`unknown key ${unknown}`);
  }

  run(documents: Found[]): unknown {
    const { size, _source, aggs } = this.request as { size: number; _source?: boolean | string[]; aggs?: Source };
    const { bool } = this.request.query as { bool: { filter: Source[]; must_not?: Source[] } };
    const { filter, must_not: excluded = [] } = bool;
    const matching = documents.filter(({ source }) => {
      return filter.every((clause) => matches(clause, source)) && !excluded.some((clause) => matches(clause, source));
    });
    const hits = this.#page(matching).slice(0, size);
    return {
      hits: {
        total: { value: matching.length, relation: "eq" },
        hits: hits.map(({ index, id, source }) => ({
          _index: index,
          _id: id,
          ...(_source !== false && { _source: source }),
          ...(this.#sortField() && { sort: [source[this.#sortField()!]] }),
        })),
      },
      ...(aggs && { aggregations: "combined" in aggs ? combine(aggs.combined, matching) : countTerms(aggs, matching) }),
    };
  }

  #sortField(): string | undefined {
    const sort = this.request.sort as Record<string, string>[] | undefined;
    return sort && Object.keys(sort[0]!)[0]!;
  }

  #page(documents: Found[]): Found[] {
    const field = this.#sortField();
    if (!field) return documents;
    const sorted = [...documents].sort((a, b) => compare(a.source[field], b.source[field]));
    const after = this.request.search_after as unknown[] | undefined;
    return after ? sorted.filter(({ source }) => compare(source[field], after[0]) > 0) : sorted;
  }
}

function matches(clause: Source, source: Source): boolean {
  const [kind, inner] = Object.entries(clause)[0]!;
  const [field, wanted] = Object.entries(inner as Source)[0]!;
  const value = source[field];
  if (kind === "term") return Array.isArray(value) ? value.includes(wanted) : value === wanted;
  if (kind === "exists") return source[wanted as string] !== undefined;
  if (kind === "terms") return [value].flat().some((one) => (wanted as unknown[]).includes(one));
  if (kind === "prefix") return String(value).startsWith(wanted as string);
  if (kind === "range") return compare(value, (wanted as { gte: number }).gte) >= 0;
  throw new Error(`unknown query ${kind}`);
}

function countTerms(aggs: Source, documents: Found[]): unknown {
  const [name, inner] = Object.entries(aggs)[0]!;
  const { field, size } = (inner as { terms: { field: string; size: number } }).terms;
  const counts = new Map<string, number>();
  for (const { source } of documents) {
    for (const value of [source[field]].flat()) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  const buckets = [...counts].map(([key, count]) => ({ key, doc_count: count }));
  buckets.sort((a, b) => b.doc_count - a.doc_count || compare(a.key, b.key));
  return { [name]: { buckets: buckets.slice(0, size) } };
}

/** A composite aggregation over some fields, page by page. */
function combine(combined: unknown, documents: Found[]): unknown {
  const { composite } = combined as {
    composite: { size: number; sources: Record<string, { terms: { field: string } }>[]; after?: Source };
  };
  const fields = composite.sources.map((source) => Object.values(source)[0]!.terms.field);
  const counts = new Map<string, number>();
  for (const { source } of documents) {
    const key = JSON.stringify(fields.map((field) => source[field]));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const after = composite.after && JSON.stringify(fields.map((field) => composite.after![field]));
  const keys = [...counts.keys()].sort().filter((key) => after === undefined || key > after);
  const buckets = keys.slice(0, composite.size).map((key) => {
    const values = JSON.parse(key) as unknown[];
    return { key: Object.fromEntries(fields.map((field, at) => [field, values[at]])), doc_count: counts.get(key)! };
  });
  return { combined: { buckets, ...(buckets.length > 0 && { after_key: buckets.at(-1)!.key }) } };
}

function compare(a: unknown, b: unknown): number {
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}
