/** Documents and mappings that all clients use. */

export const BOOKS = Array.from({ length: 30 }, (_, at) => ({
  title: at % 2 === 0 ? `the quick fox number ${at}` : `a lazy dog number ${at}`,
  tag: `t${at % 3}`,
  year: 1990 + at,
}));

export const MAPPINGS = {
  properties: { title: { type: "text" }, tag: { type: "keyword" }, year: { type: "integer" } },
} as const;
