/**
 * BM25 in Lucene 9's arithmetic: every intermediate value is a 32-bit float, so that scores are equal bit for bit.
 * Source: Lucene 9.12 `BM25Similarity` (k1 1.2, b 0.75) times k1 + 1, as `LegacyBM25Similarity` in Elasticsearch and
 * OpenSearch 2 gives it; lengths by `SmallFloat.byte4ToInt`.
 */
const f32 = Math.fround;

/** How soon further occurrences stop counting. */
export const K1 = f32(1.2);
/** How much a document longer than average counts less. */
export const B = f32(0.75);
/** k1 + 1: what the legacy similarity multiplies every boost with. */
export const LEGACY_FACTOR = f32(1 + K1);

/** Lengths below this are stored exactly; above, as this plus a float of four significant bits. */
const EXACT_LENGTHS = 24;

/** Length that a norm byte stands for (Lucene `SmallFloat.byte4ToInt`). */
export function byte4ToInt(byte: number): number {
  if (byte < EXACT_LENGTHS) return byte;
  const float = byte - EXACT_LENGTHS;
  const mantissa = float & 7;
  const shift = (float >>> 3) - 1;
  return EXACT_LENGTHS + (shift === -1 ? mantissa : (mantissa | 8) * 2 ** shift);
}

/** What scoring needs to know of a field in an index; live documents only. */
export interface FieldStatistics {
  /** Documents with at least one term. */
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
}

/** Inverse document frequency of a term that `docFreq` of `docCount` documents contain; float32. */
export function idf(docFreq: number, docCount: number): number {
  return f32(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** Several terms scored as one (a phrase): the sum of their idfs, rounded once. */
export function sumOfIdfs(idfs: readonly number[]): number {
  return f32(idfs.reduce((sum, value) => sum + value, 0));
}

/** Mean number of tokens of a document that has the field; float32. */
export function averageLength(statistics: FieldStatistics): number {
  return f32(statistics.sumTotalTermFreq / statistics.docCount);
}

/** 256 float32: 1 / (k1 * ((1 - b) + b * length / average)) by norm byte. */
export function normInverseTable(average: number): Float32Array {
  const table = new Float32Array(256);
  const oneMinusB = f32(1 - B);
  for (let byte = 0; byte < 256; byte++) {
    const ratio = f32(f32(B * f32(byte4ToInt(byte))) / average);
    table[byte] = f32(1 / f32(K1 * f32(oneMinusB + ratio)));
  }
  return table;
}

/** Tables by the statistics they were made of, which a reader keeps: a query of many words asks for the same one many times. */
const tables = new WeakMap<FieldStatistics, Float32Array>();

function tableOf(statistics: FieldStatistics, average: number): Float32Array {
  let table = tables.get(statistics);
  if (table === undefined) {
    table = normInverseTable(average);
    tables.set(statistics, table);
  }
  return table;
}

/** Score of one term or phrase: `weight` is boost * 2.2 * idf. Monotonic in `freq` and in `normInverse`. */
export function bm25(weight: number, freq: number, normInverse: number): number {
  return f32(weight - f32(weight / f32(1 + f32(f32(freq) * normInverse))));
}

/** What all documents of one term (or phrase) share. */
export interface TermWeight {
  /** boost * 2.2 * idf, float32. */
  readonly weight: number;
  /** The user's boosts multiplied, float32. */
  readonly boost: number;
  readonly idf: number;
  readonly normInverse: Float32Array;
  readonly average: number;
  /** One entry per term that took part, for `explain`. */
  readonly terms: readonly { text: string; docFreq: number; idf: number }[];
  readonly docCount: number;
}

/** Weighs a term, or several terms as one phrase. */
export function termWeight(
  boost: number,
  statistics: FieldStatistics,
  terms: readonly { text: string; docFreq: number }[],
): TermWeight {
  const weighed = terms.map((term) => ({ idf: idf(term.docFreq, statistics.docCount), ...term }));
  const total = weighed.length === 1 ? weighed[0].idf : sumOfIdfs(weighed.map((term) => term.idf));
  const average = averageLength(statistics);
  return {
    idf: total,
    normInverse: tableOf(statistics, average),
    average,
    terms: weighed,
    docCount: statistics.docCount,
    ...boosted(boost, total),
  };
}

/** The same term with another boost. */
export function reweigh(weight: TermWeight, boost: number): TermWeight {
  return { ...weight, ...boosted(boost, weight.idf) };
}

function boosted(boost: number, idf: number): Pick<TermWeight, "weight" | "boost"> {
  return { boost: f32(boost), weight: f32(f32(f32(boost) * LEGACY_FACTOR) * idf) };
}
