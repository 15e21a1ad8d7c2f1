/** Where an index and its model differ: documents one by one, then what searches say of them. */
import type { AggregationResult } from "../../aggs/aggregation.js";
import type { EngineFace, Index } from "../../engine-types.js";
import type { SearchRequest } from "../../search.js";
import { ALL, match, request, type ShownDocument, shownNow, term } from "./ask.js";
import type { IndexModel, ModelDocument } from "./index-model.js";
import { type ModelSource, TAGS, WORDS } from "./random-writes.js";

/** A question, and its answer from the documents' sources; both as text. */
interface Question {
  readonly name: string;
  readonly request: SearchRequest;
  readonly answer: (documents: readonly Known[]) => unknown;
  readonly read: (result: Awaited<ReturnType<EngineFace["search"]>>) => unknown;
}

interface Known extends ShownDocument {
  readonly fields: ModelSource;
}

const BY_COUNT = [
  { by: "_count", direction: "desc" as const },
  { by: "_key", direction: "asc" as const },
];
const SORT_N = { field: "n", order: "desc", missing: "_last" } as const;

/** How much is asked: of every kind of question all, or one. */
export type Thoroughness = "all questions" | "some questions";

/** Differences between model and index after a refresh; empty when they agree. */
export async function differences(
  engine: EngineFace,
  name: string,
  model: IndexModel,
  thoroughness: Thoroughness = "all questions",
): Promise<string[]> {
  const index = engine.index(name) as Index;
  await index.refresh();
  const expected = expectedDocuments(model);
  const found = await documentDifferences(engine, name, expected);
  found.push(...getDifferences(index, model));
  const { docs, maxSeqNo } = index.stats();
  if (docs.count !== expected.length) found.push(`stats count ${docs.count} documents, expected ${expected.length}`);
  if (maxSeqNo !== model.nextSeqNo - 1) found.push(`maxSeqNo is ${maxSeqNo}, expected ${model.nextSeqNo - 1}`);
  const questions = thoroughness === "all questions" ? QUESTIONS : SOME_QUESTIONS;
  if (found.length === 0) found.push(...(await searchDifferences(engine, name, expected, questions)));
  return found.map((line) => `[${name}] ${line}`);
}

/** What a search of everything must show. */
export function expectedDocuments(model: IndexModel): ShownDocument[] {
  return model.living().map(([id, { seqNo, version, source }]) => ({ id, seqNo, version, source }));
}

/** Compares what searches show, without a refresh. */
export async function documentDifferences(
  engine: EngineFace,
  name: string,
  expected: readonly ShownDocument[],
): Promise<string[]> {
  return listDifferences(await shownNow(engine, name), expected);
}

/** Lines on what is missing, too much, or other; order counts. */
export function listDifferences(found: readonly ShownDocument[], expected: readonly ShownDocument[]): string[] {
  const lines: string[] = [];
  const byId = new Map(found.map((document) => [document.id, document]));
  for (const document of expected) {
    const there = byId.get(document.id);
    byId.delete(document.id);
    if (!there) lines.push(`missing: ${show(document)}`);
    else if (!same(there, document)) lines.push(`other: ${show(there)}, expected ${show(document)}`);
  }
  for (const document of byId.values()) lines.push(`too much: ${show(document)}`);
  if (lines.length > 0) return lines;
  const misplaced = expected.findIndex(({ id }, i) => found[i].id !== id);
  return misplaced < 0 ? [] : [`order: ${found[misplaced].id} stands where ${expected[misplaced].id} should`];
}

/** The version may be one that nobody can know (NaN). */
function same(a: ShownDocument, b: ShownDocument): boolean {
  const versions = a.version === b.version || Number.isNaN(b.version);
  return versions && a.seqNo === b.seqNo && a.source === b.source;
}

function getDifferences(index: Index, model: IndexModel): string[] {
  const lines: string[] = [];
  for (const [id, document] of model.documents) lines.push(...getDifference(index, id, document));
  return lines;
}

/** Compares a real-time get with what the model has of the id. */
export function getDifference(index: Index, id: string, document: ModelDocument | undefined): string[] {
  const found = index.get(id);
  const there = found && { ...found, source: Buffer.from(found.source).toString() };
  if (document?.source == null) return there ? [`get finds ${show(there)}, which was deleted`] : [];
  const expected = { id, ...document, source: document.source };
  if (!there) return [`get does not find ${show(expected)}`];
  return same(there, expected) ? [] : [`get finds ${show(there)}, expected ${show(expected)}`];
}

/** Answers follow from the sources alone. */
async function searchDifferences(
  engine: EngineFace,
  name: string,
  documents: readonly ShownDocument[],
  questions: readonly Question[],
): Promise<string[]> {
  const known = documents.map((document) => ({ ...document, fields: JSON.parse(document.source) as ModelSource }));
  const lines: string[] = [];
  for (const question of questions) {
    const found = JSON.stringify(question.read(await engine.search([{ index: name }], question.request)));
    const expected = JSON.stringify(question.answer(known));
    if (found !== expected) lines.push(`${question.name}: ${found}, expected ${expected}`);
  }
  return lines;
}

const words = ({ fields }: Known) => (fields.text ?? "").split(" ");

const QUESTIONS: Question[] = [
  ...WORDS.map((word) => countOf(`match ${word}`, match(word), (document) => words(document).includes(word))),
  countOf("match alpha and beta", match("alpha beta", "and"), (document) =>
    ["alpha", "beta"].every((word) => words(document).includes(word)),
  ),
  ...Array.from({ length: TAGS }, (_, i) =>
    countOf(`term t${i}`, term("tag", `t${i}`), ({ fields }) => fields.tag === `t${i}`),
  ),
  countOf("range of n", { kind: "range", field: "n", gte: 100, lt: 600, boost: 1 }, ({ fields }) => {
    return fields.n >= 100 && fields.n < 600;
  }),
  countOf(
    "range of a field that documents added",
    { kind: "range", field: "extra.k1", gte: 0, boost: 1 },
    ({ fields }) => {
      return fields.extra?.k1 !== undefined;
    },
  ),
  {
    name: "sorted by n",
    request: request(ALL, { size: 50, sort: [SORT_N], source: false }),
    answer: (documents) => byNumber(documents).slice(0, 50),
    // A document without a number sorts as the least long there is, as Elasticsearch shows it.
    read: ({ hits }) => hits.map(({ id, sort }) => [id, typeof sort?.[0] === "number" ? sort[0] : null]),
  },
  {
    name: "sum by tag",
    request: request(ALL, { aggs: { tags: sumByTag() } }),
    answer: tagSums,
    read: ({ aggregations }) => readTags(aggregations.tags),
  },
];

const SOME_QUESTIONS = QUESTIONS.filter(({ name }) => /^(match alpha|term t1|range|sum)/.test(name));

function countOf(name: string, query: Question["request"]["query"], holds: (document: Known) => boolean): Question {
  return {
    name,
    request: request(query),
    answer: (documents) => documents.filter(holds).length,
    read: ({ total }) => total?.value,
  };
}

/** Ties in the order of the index; documents without a number last. */
function byNumber(documents: readonly Known[]): [string, number | null][] {
  const rank = ({ fields }: Known) => fields.n ?? Number.NEGATIVE_INFINITY;
  const sorted = [...documents].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
  return sorted.map(({ id, fields }) => [id, fields.n ?? null]);
}

function sumByTag() {
  const sum = { kind: "sum", field: "n", aggs: {} } as const;
  const least = { kind: "min", field: "x", aggs: {} } as const;
  return { kind: "terms", field: "tag", size: TAGS, minDocCount: 1, order: BY_COUNT, aggs: { sum, least } } as const;
}

function tagSums(documents: readonly Known[]): unknown {
  const tags = new Map<string, Known[]>();
  for (const document of documents) {
    const { tag } = document.fields;
    if (tag !== undefined) tags.set(tag, [...(tags.get(tag) ?? []), document]);
  }
  const sorted = [...tags].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  return sorted.map(([tag, some]) => {
    const xs = some.map(({ fields }) => fields.x).filter((x) => x !== undefined);
    const sum = some.reduce((total, { fields }) => total + (fields.n ?? 0), 0);
    return [tag, some.length, sum, xs.length > 0 ? Math.min(...xs) : null];
  });
}

function readTags(result: AggregationResult): unknown {
  if (result.kind !== "terms") return result;
  return result.buckets.map(({ key, docCount, aggs }) => [key, docCount, numberOf(aggs.sum), numberOf(aggs.least)]);
}

function numberOf(result: AggregationResult): unknown {
  return "value" in result ? result.value : result;
}

function show({ id, seqNo, version, source }: ShownDocument): string {
  return `${id} #${seqNo} v${version} ${source.length > 80 ? `${source.slice(0, 80)}...` : source}`;
}
