/**
 * What things cost, in microseconds of one core: measured with `npm run bench -- cost` on a 2-core AMD EPYC VM (Node 20), and
 * rounded. They decide where a search runs and nothing else, so being right within a factor of two or three is enough.
 */
export const COST = {
  /** A search that does nothing, an index in it, a leaf of that. */
  search: 30,
  reader: 15,
  leaf: 8,
  /** Looking up a term in a leaf, and beginning to read it. */
  term: 3,
  /** A byte to load from a file: pages that are touched for the first time, reading, checking. */
  loaded: 0.005,
  /** A document of a term: scored, or set in a bitset. */
  scored: 0.0025,
  marked: 0.003,
  /** A document that any of several words is in: their scores are added in windows, and taken out again. */
  added: 0.0035,
  /** A document of the rarest term of several that must all match, for each of the others; where all hits are counted. */
  advanced: 0.02,
  /** The same for a phrase, whose positions are compared. */
  positions: 0.05,
  /** How much less that is where counting ends at some number: then only what may come onto the page is looked at. */
  passedOver: 0.5,
  /** A document scored through scorers one at a time: least scores, best of several. */
  singly: 0.15,
  /** A row of a column compared with a range; a document of a bitset that is combined with another. */
  row: 0.0007,
  bit: 0.0002,
  /** A term of a dictionary compared with a pattern; beginning to read one that matches. */
  compared: 0.4,
  expanded: 0.5,
  /** An id looked up in a leaf. */
  id: 4,
  /** A document whose text is looked at, line by line: nothing is known of how many the index leaves over. */
  text: 2,
  /** A chunk of text that is unpacked and searched for a literal; one of which all lines are read; a line or so of it that is shown. */
  chunk: 9,
  readChunk: 35,
  line: 6,
  /** A document considered for a sorted page: by numbers, by terms. */
  sortedByNumber: 0.004,
  sortedByTerm: 0.04,
  /** A place in a page, whether shown or not; a hit shown; its `_source`; a field's highlight; its explanation, per clause. */
  place: 0.1,
  hit: 4,
  source: 16,
  highlight: 100,
  explain: 60,
  docValue: 1,
  /** A document in an aggregation, by its kind. */
  aggregated: {
    terms: 0.01,
    date_histogram: 0.008,
    histogram: 0.008,
    range: 0.02,
    date_range: 0.02,
    cardinality: 0.035,
    filter: 0.003,
    filters: 0.003,
    missing: 0.003,
    global: 0,
    other: 0.015,
  },
  /** How much dearer an aggregation below another is: its documents are spread over many buckets. */
  below: 2.5,
  /** A document of an aggregation that is answered by block ranges or by the dictionary. */
  summarised: 0.003,
  /** What nothing is known of, per document. */
  unknown: 0.1,
} as const;
