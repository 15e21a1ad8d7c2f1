/**
 * How much of a file becomes records. A file is read whole (16 MB by default, see options.ts), so these bound what can
 * grow beyond its bytes: packed sheets, aliases, long names that are printed with each record. What is left out is told
 * in the data set's notes. Time is bounded by the extractor pool.
 */
export const BOUNDS = {
  /** Records of one data set. */
  records: 2_000_000,
  /** Records of one file that are printed: characters of JSON. */
  printedChars: 256 * 1024 * 1024,
  /** Data sets of one file. */
  lists: 100,
  /** Distinct fields of one data set: more is a document; Elasticsearch's own limit is 1000. */
  fields: 500,
  /** Objects inside objects; deeper ones are kept without being searched. */
  depth: 8,
  columns: 500,
  /** Characters of a log entry with its further lines. */
  entryChars: 64 * 1024,
  /** YAML is parsed at about 2 MB/s. */
  yamlChars: 2 * 1024 * 1024,
  yamlAliases: 100,
  /** Bytes that a part of a packed sheet may unpack to, and cells of all sheets. */
  unpackedBytes: 128 * 1024 * 1024,
  cells: 4_000_000,
  /** Characters of a parsed JSON text that is scanned piece by piece. */
  jsonDepth: 512,
} as const;

/** `n` things, with the word in the right number. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
