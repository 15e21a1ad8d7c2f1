/**
 * Why a document has its score, in Lucene's words: a tree whose leaves multiply and add up to the score. Texts are those of
 * Lucene 9's `BM25Similarity`, `BooleanWeight`, `DisjunctionMaxQuery` and `ConstantScoreWeight`.
 */
import type { Explanation } from "../../search.js";
import { B, bm25, byte4ToInt, K1, LEGACY_FACTOR, type TermWeight } from "../exec/bm25.js";
import { buildScorer, openPostings } from "../exec/build-scorer.js";
import type { LeafContext } from "../exec/context.js";
import type { BoolPlan, DisMaxPlan, PhrasePlan, Plan, TermPlan } from "../exec/plan.js";
import { termText } from "../exec/plan.js";
import { fieldNorms, phraseScorer } from "../exec/scorers/phrase-scorer.js";
import { printFloat } from "./print-float.js";

const f32 = Math.fround;

/** Explains a document that the plan matches; for one that it does not, the value is 0 and the description says so. */
export function explain(leaf: LeafContext, plan: Plan, doc: number): Explanation {
  switch (plan.kind) {
    case "none":
      return { value: 0, description: plan.reason, details: [] };
    case "constant":
      return explainConstant(leaf, plan, doc);
    case "term":
      return explainTerm(leaf, plan, doc);
    case "phrase":
      return explainPhrase(leaf, plan, doc);
    case "bool":
      return explainBool(leaf, plan, doc);
    case "dis_max":
      return explainDisMax(leaf, plan, doc);
    case "documents": {
      const score = scoreAt(leaf, plan, doc);
      return score === null
        ? noMatch("not among the nearest")
        : { value: score, description: "within top k documents", details: [] };
    }
  }
}

function noMatch(description: string): Explanation {
  return { value: 0, description, details: [] };
}

/** Score of the document, null where the plan does not match it. */
function scoreAt(leaf: LeafContext, plan: Plan, doc: number): number | null {
  const scorer = buildScorer(leaf, plan);
  return scorer !== null && scorer.advance(doc) === doc ? scorer.score() : null;
}

function explainConstant(leaf: LeafContext, plan: Plan & { kind: "constant" }, doc: number): Explanation {
  const score = scoreAt(leaf, plan, doc);
  if (score === null) return noMatch(`${plan.text} doesn't match id ${leaf.segment.seqNo(doc)}`);
  const boost = score === 1 || score === 0 ? "" : `^${printFloat(score)}`;
  return { value: score, description: `${plan.text}${boost}`, details: [] };
}

function explainTerm(leaf: LeafContext, plan: TermPlan, doc: number): Explanation {
  let freq = 0;
  for (const postings of openPostings(leaf, plan.field, plan.terms)) {
    if (postings.advance(doc) === doc) freq += postings.freq();
  }
  if (freq === 0) return noMatch("no matching term");
  const single = plan.terms.length === 1;
  const names = plan.terms.map((term) => `${plan.field.path}:${termText(term.bytes)}`);
  const query = single ? names[0] : `Synonym(${names.join(" ")})`;
  const words = single ? "freq, occurrences of term within document" : `termFreq=${printFloat(freq)}`;
  return weighed(leaf, plan, doc, { query, freq, words });
}

function explainPhrase(leaf: LeafContext, plan: PhrasePlan, doc: number): Explanation {
  const scorer = phraseScorer(leaf, plan);
  if (scorer === null || scorer.advance(doc) !== doc) return noMatch("no matching phrase");
  const text = plan.positions
    .map(({ terms }) =>
      terms.length === 1 ? termText(terms[0].bytes) : `(${terms.map((t) => termText(t.bytes)).join(" ")})`,
    )
    .join(" ");
  const query = `${plan.field.path}:"${text}"${plan.slop > 0 ? `~${plan.slop}` : ""}`;
  return weighed(leaf, plan, doc, { query, freq: scorer.freq, words: `phraseFreq=${printFloat(scorer.freq)}` });
}

function weighed(
  leaf: LeafContext,
  plan: TermPlan | PhrasePlan,
  doc: number,
  what: { query: string; freq: number; words: string },
): Explanation {
  const norms = fieldNorms(leaf, plan.field);
  const norm = norms.address === 0 ? 1 : norms.bytes[norms.address + doc];
  const score = explainScore(plan.weight, norm, what);
  return {
    value: score.value,
    // Lucene names the document by its place in the segment; its sequence number stays the same over merges.
    description: `weight(${what.query} in ${leaf.segment.seqNo(doc)}) [PerFieldSimilarity], result of:`,
    details: [score],
  };
}

function explainScore(weight: TermWeight, norm: number, what: { freq: number; words: string }): Explanation {
  const boost = f32(weight.boost * LEGACY_FACTOR);
  const inverse = weight.normInverse[norm];
  const tf = f32(1 - f32(1 / f32(1 + f32(f32(what.freq) * inverse))));
  const length = {
    value: byte4ToInt(norm),
    description: `dl, length of field${norm > 39 ? " (approximate)" : ""}`,
    details: [],
  };
  return {
    value: bm25(weight.weight, what.freq, inverse),
    description: `score(freq=${printFloat(what.freq)}), computed as boost * idf * tf from:`,
    details: [
      { value: boost, description: "boost", details: [] },
      explainIdf(weight),
      {
        value: tf,
        description: "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:",
        details: [
          { value: what.freq, description: what.words, details: [] },
          { value: K1, description: "k1, term saturation parameter", details: [] },
          { value: B, description: "b, length normalization parameter", details: [] },
          length,
          { value: weight.average, description: "avgdl, average length of field", details: [] },
        ],
      },
    ],
  };
}

function explainIdf(weight: TermWeight): Explanation {
  const each = weight.terms.map(({ docFreq, idf }) => ({
    value: idf,
    description: "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:",
    details: [
      { value: docFreq, description: "n, number of documents containing term", details: [] },
      { value: weight.docCount, description: "N, total number of documents with field", details: [] },
    ],
  }));
  return each.length === 1 ? each[0] : { value: weight.idf, description: "idf, sum of:", details: each };
}

function explainBool(leaf: LeafContext, plan: BoolPlan, doc: number): Explanation {
  const value = scoreAt(leaf, plan, doc);
  if (value === null) return noMatch("Failure to meet condition(s) of required/prohibited clause(s)");
  const details: Explanation[] = [];
  for (const part of [...plan.must, ...plan.should]) {
    if (scoreAt(leaf, part, doc) !== null) details.push(explain(leaf, part, doc));
  }
  for (const part of plan.filter) {
    details.push({
      value: 0,
      description: "match on required clause, product of:",
      details: [{ value: 0, description: "# clause", details: [] }, explain(leaf, part, doc)],
    });
  }
  return { value, description: "sum of:", details };
}

function explainDisMax(leaf: LeafContext, plan: DisMaxPlan, doc: number): Explanation {
  const value = scoreAt(leaf, plan, doc);
  if (value === null) return noMatch("No matching clause");
  const details = plan.plans
    .filter((part) => scoreAt(leaf, part, doc) !== null)
    .map((part) => explain(leaf, part, doc));
  const description = plan.tieBreaker === 0 ? "max of:" : `max plus ${printFloat(plan.tieBreaker)} times others of:`;
  return { value, description, details };
}
