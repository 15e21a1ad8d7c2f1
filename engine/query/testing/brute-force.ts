/**
 * What a search must answer, computed the slow way: every query is a function from a plain document to a score or nothing.
 * No postings, columns, bitsets or plans are involved, so that whatever those get wrong shows.
 */
import type { Field } from "../../mapping/field-table.js";
import { type Bounds, exactBounds, numericValue, rangeBounds, termBytes } from "../../mapping/values.js";
import { textAnalysis } from "../exec/text-analysis.js";
import { sourceValues } from "../highlight/source-values.js";
import type { Match, MatchPhrase, Query } from "../query.js";
import type { TestIndex } from "./memory-reader.js";
import type { TestDocument } from "./memory-segment.js";

const clock = { now: () => 0, random: () => 0 };

/** A document's terms by field: text with positions, everything else by value. */
interface Seen {
  id: string;
  terms: Map<Field, { term: string; position: number }[]>;
  numbers: Map<Field, (number | bigint)[]>;
  present: Set<Field>;
}

/** Answers queries over documents, all alive. */
export class BruteForce {
  readonly #index: TestIndex;
  readonly #documents: readonly Seen[];

  constructor(index: TestIndex, documents: readonly TestDocument[]) {
    this.#index = index;
    this.#documents = documents.map((document) => see(index, document));
  }

  /** Scores of the documents that match, best first; equal scores in document order. */
  search(query: Query): { id: string; score: number }[] {
    const hits = this.#documents.flatMap((document) => {
      const score = this.#score(query, document);
      return score === null ? [] : [{ id: document.id, score }];
    });
    return hits.sort((a, b) => b.score - a.score);
  }

  #score(query: Query, document: Seen): number | null {
    const score = this.#unboosted(query, document);
    return score === null ? null : score * query.boost;
  }

  #unboosted(query: Query, document: Seen): number | null {
    switch (query.kind) {
      case "match_all":
        return 1;
      case "match_none":
        return null;
      case "ids":
        return query.values.includes(document.id) ? 1 : null;
      case "bool":
        return this.#bool(query, document);
      case "constant_score":
        return this.#score(query.filter, document) === null ? null : 1;
      case "dis_max":
        return this.#disMax(query, document);
      case "match":
        return this.#match(query, document);
      case "match_phrase":
        return this.#phrase(query, document);
      case "virtual_shard":
        throw new Error("virtual shards are compared with what Elasticsearch computes");
      case "multi_match":
      case "each_field":
        throw new Error(`${query.kind} is tested as the dis_max it stands for`);
      default:
        return this.#leaf(query, document);
    }
  }

  #leaf(query: Query & { field: string }, document: Seen): number | null {
    const field = this.#index.fields.get(query.field);
    if (field === undefined) return null;
    if (query.kind === "exists") return document.present.has(field) ? 1 : null;
    if (query.kind === "term") {
      if (query.caseInsensitive) {
        const wanted = String(query.value).toLowerCase();
        return own(document, field).some(({ term }) => text(term).toLowerCase() === wanted) ? 1 : null;
      }
      const bounds = exactBounds(field, query.value, clock);
      if (bounds.kind === "term" && field.type !== "ip") return this.#bm25(field, [latin(bounds.from)], document);
      return inside(document, field, bounds) ? 1 : null;
    }
    if (query.kind === "terms") {
      return query.values.some((value) => inside(document, field, exactBounds(field, value, clock))) ? 1 : null;
    }
    if (query.kind === "range") return inside(document, field, rangeBounds(field, query, clock)) ? 1 : null;
    if (query.kind === "prefix") {
      return own(document, field).some(({ term }) => text(term).startsWith(query.value)) ? 1 : null;
    }
    if (query.kind !== "wildcard") throw new Error(`no brute force for ${query.kind}`);
    const pattern = new RegExp(`^${query.value.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
    return own(document, field).some(({ term }) => pattern.test(text(term))) ? 1 : null;
  }

  #match(query: Match, document: Seen): number | null {
    const field = this.#index.fields.get(query.field) as Field;
    const tokens = textAnalysis(this.#index.analyzers).queryTokens(field, String(query.query), undefined);
    const scores = tokens.map((token) => this.#bm25(field, [latin(token.term)], document));
    const matching = scores.filter((score) => score !== null);
    const all = tokens.length;
    // All words are required: none are optional, of which a minimum could match.
    const optional = query.minimumShouldMatch === undefined ? 0 : minimum(query.minimumShouldMatch, 0);
    if (query.operator === "and" && all > 1 && optional > 0) return null;
    // Of a single word there is no minimum to take.
    const wanted = query.operator === "and" || all === 1 ? all : minimum(query.minimumShouldMatch, all);
    return matching.length === 0 || matching.length < wanted ? null : matching.reduce((a, b) => a + b, 0);
  }

  #phrase(query: MatchPhrase, document: Seen): number | null {
    const field = this.#index.fields.get(query.field) as Field;
    const words = textAnalysis(this.#index.analyzers)
      .queryTokens(field, String(query.query), undefined)
      .map((token) => latin(token.term));
    const at = new Map(own(document, field).map(({ term, position }) => [position, term]));
    const freq = [...at.keys()].filter((start) => words.every((word, i) => at.get(start + i) === word)).length;
    return freq === 0 ? null : this.#weigh(field, words, freq, document);
  }

  #bool(query: Query & { kind: "bool" }, document: Seen): number | null {
    const { must, should, filter, mustNot } = query;
    if (mustNot.some((one) => this.#score(one, document) !== null)) return null;
    if (must.length + should.length + filter.length === 0) return mustNot.length === 0 ? 1 : 0;
    const required = must.map((one) => this.#score(one, document));
    if (required.includes(null) || filter.some((one) => this.#score(one, document) === null)) return null;
    const optional = should.map((one) => this.#score(one, document)).filter((score) => score !== null);
    if (must.length + filter.length === 0 && optional.length === 0) return null;
    return [...(required as number[]), ...optional].reduce((a, b) => a + b, 0);
  }

  #disMax(query: Query & { kind: "dis_max" }, document: Seen): number | null {
    const scores = query.queries.map((one) => this.#score(one, document)).filter((score) => score !== null);
    if (scores.length === 0) return null;
    const best = Math.max(...scores);
    return best + query.tieBreaker * (scores.reduce((a, b) => a + b, 0) - best);
  }

  #bm25(field: Field, terms: readonly string[], document: Seen): number | null {
    const freq = own(document, field).filter(({ term }) => terms.includes(term)).length;
    return freq === 0 ? null : this.#weigh(field, terms, freq, document);
  }

  #weigh(field: Field, terms: readonly string[], freq: number, document: Seen): number {
    const having = this.#documents.filter((one) => own(one, field).length > 0);
    const total = having.reduce((sum, one) => sum + own(one, field).length, 0);
    let idf = 0;
    for (const term of terms) {
      const n = having.filter((one) => own(one, field).some((seen) => seen.term === term)).length;
      idf += Math.log(1 + (having.length - n + 0.5) / (n + 0.5));
    }
    const length = field.type === "text" ? lossyLength(own(document, field).length) : 1;
    const norm = 1.2 * (0.25 + (0.75 * length) / (total / having.length));
    return 2.2 * idf * (freq / (freq + norm));
  }
}

/** A length as one byte keeps it: exact to 40, then four significant bits above 24. */
function lossyLength(length: number): number {
  if (length < 40) return length;
  const above = length - 24;
  const unit = 2 ** (Math.floor(Math.log2(above)) - 3);
  return 24 + Math.floor(above / unit) * unit;
}

function minimum(spec: string | undefined, all: number): number {
  if (spec === undefined) return 1;
  if (spec === "2<75%") return all <= 2 ? all : Math.trunc(all * 0.75);
  if (spec === "75%") return Math.trunc(all * 0.75);
  return Number(spec) < 0 ? all + Number(spec) : Number(spec);
}

function own(document: Seen, field: Field): { term: string; position: number }[] {
  return document.terms.get(field) ?? [];
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function text(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

function inside(document: Seen, field: Field, bounds: Bounds): boolean {
  if (bounds.kind === "term") {
    const [from, to] = [latin(bounds.from), bounds.to === null ? null : latin(bounds.to)];
    return own(document, field).some(({ term }) => term >= from && (to === null || term < to));
  }
  return (document.numbers.get(field) ?? []).some((value) => value >= bounds.low && value <= bounds.high);
}

function see(index: TestIndex, document: TestDocument): Seen {
  const seen: Seen = { id: document.id, terms: new Map(), numbers: new Map(), present: new Set() };
  const analysis = textAnalysis(index.analyzers);
  for (const field of index.fields.values()) {
    const values = sourceValues(document.source, field.path);
    if (values.length > 0) seen.present.add(field);
    if (field.type === "text") {
      seen.terms.set(
        field,
        values.flatMap((value) =>
          analysis.indexTokens(field, value).map(({ term, position }) => ({ term: latin(term), position })),
        ),
      );
    } else if (field.column === "ordinals") {
      const terms = new Set(values.map((value) => latin(termBytes(field, value))));
      seen.terms.set(
        field,
        [...terms].map((term) => ({ term, position: 0 })),
      );
    } else {
      seen.numbers.set(
        field,
        values.map((value) => numericValue(field, value, clock) ?? 0),
      );
    }
  }
  return seen;
}
