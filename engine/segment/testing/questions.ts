/**
 * Questions to a segment of random documents (memtable/testing.ts), each small enough to be asked thousands of times, and
 * together touching every structure of a segment. An answer is text, so that threads can compare theirs.
 */
import { FIELDS } from "../../memtable/testing.js";
import type { OpenSegment } from "../reader.js";
import { type Column, NO_MORE_DOCS } from "../types.js";

type Question = (segment: OpenSegment, number: number) => string;

/** `number` is any whole number; equal ones give equal answers. Must be asked within a use. */
export const QUESTIONS: Readonly<Record<string, Question>> = {
  document(segment, number) {
    const doc = number % segment.docCount;
    const facts = [segment.id(doc), segment.seqNo(doc), segment.version(doc), segment.routing(doc)];
    return `${facts.join(" ")} ${Buffer.from(segment.source(doc)).toString()}`;
  },
  id(segment, number) {
    const doc = number % segment.docCount;
    return `${segment.findId(segment.id(doc))} ${segment.findId(`no-${number}`)}`;
  },
  columns(segment, number) {
    const columns = [FIELDS.count, FIELDS.price, FIELDS.rank, FIELDS.tag].map((field) => segment.column(field));
    return columns.map((column) => (column === null ? "none" : checksum(column, number))).join(" ");
  },
  word: (segment, number) => postings(segment, number, "title"),
  tag: (segment, number) => postings(segment, number, "tag"),
  lengths(segment, number) {
    const doc = number % segment.docCount;
    const { docCount, sumTotalTermFreq } = segment.fieldStats(FIELDS.title);
    const norms = segment.norms(FIELDS.title);
    const norm = norms === 0 ? -1 : segment.storage.arena.u8[norms + doc];
    return `${docCount} ${sumTotalTermFreq} ${norm} ${segment.fieldLength(FIELDS.title, doc)}`;
  },
  vector(segment, number) {
    const vectors = segment.vectors(FIELDS.embedding);
    if (vectors === null || vectors.rows === 0) return "none";
    const row = number % vectors.rows;
    const out = new Float32Array(1);
    vectors.similarities(Float32Array.of(1, 2, 3, 4), Uint32Array.of(row), out);
    return `${vectors.docs?.[row]} ${vectors.vector(row).join(" ")} ${out[0]}`;
  },
  presence(segment, number) {
    const presence = segment.presence(FIELDS.hidden);
    const bits = presence?.bits ?? null;
    return `${presence?.count} ${bits === null ? "all" : bits[number % bits.length]}`;
  },
};

export const QUESTION_NAMES = Object.keys(QUESTIONS);

/** Numbers that answers are known for. */
export const NUMBERS = 64;

/** Answers to all questions: name, then number. */
export function allAnswers(segment: OpenSegment): string[][] {
  segment.beginUse();
  try {
    return QUESTION_NAMES.map((name) =>
      Array.from({ length: NUMBERS }, (_, number) => QUESTIONS[name](segment, number * 37)),
    );
  } finally {
    segment.endUse();
  }
}

/** Some values and a sum over all of them. */
function checksum(column: Column, number: number): string {
  const values = column.kind === "long" ? column.raw : column.kind === "double" ? column.values : column.ordinals;
  let sum = 0;
  for (let i = number % 16; i < values.length; i += 16) sum = (sum * 31 + (Number(values[i]) || 0)) % 1e9;
  return `${column.docCount} ${sum} ${values[number % values.length]} ${column.offsets?.[number % column.docCount]}`;
}

function postings(segment: OpenSegment, number: number, name: "title" | "tag"): string {
  const field = FIELDS[name];
  const terms = segment.terms(field);
  if (terms === null) return "none";
  const term = terms.term(number % terms.size);
  const iterator = segment.postings(field, terms.state(terms.find(term)), { positions: field.positions });
  const found: number[] = [];
  for (let doc = iterator.next(); doc !== NO_MORE_DOCS; doc = iterator.next()) {
    found.push(doc, iterator.freq());
    if (!field.positions) continue;
    const positions = new Uint32Array(iterator.freq());
    iterator.positions(positions);
    found.push(...positions);
  }
  return `${Buffer.from(term).toString()} ${found.join(" ")}`;
}
