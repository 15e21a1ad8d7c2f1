import { INDEX } from "./documents.js";

/**
 * Settings and mappings of the code indices, as Elasticsearch writes them.
 *
 * The analyzer `pinakes_code` splits identifiers (camelCase, snake_case, digits, dotted and scoped names) and keeps the
 * whole. A Pinakes node has it built in; for other clusters `codeAnalysis` describes the nearest one from their parts: there a
 * run of Chinese, Japanese or Korean letters stays one word, for what makes bigrams of it wants another tokenizer's types.
 */
const TEXT = { type: "text", analyzer: "pinakes_code" } as const;
/** Searched by words, and by lines: patterns of any kind, over the text as it is. */
const BODY = { ...TEXT, fields: { lines: { type: "wildcard" } } } as const;
const KEYWORD = { type: "keyword" } as const;
/** Shown, never searched. */
const STORED = { type: "keyword", index: false, doc_values: false } as const;
/** The same of counts. */
const STORED_COUNT = { type: "integer", index: false, doc_values: false } as const;
const NAME = { type: "keyword", ignore_above: 1024, fields: { text: TEXT } } as const;
const NAMES = { type: "keyword", ignore_above: 1024 } as const;
const COMMON = {
  repo: KEYWORD,
  path: { type: "keyword", fields: { text: TEXT } },
  language: KEYWORD,
  class: KEYWORD,
  blob: KEYWORD,
  branches: KEYWORD,
  in_tree: { type: "boolean" },
  container: KEYWORD,
} as const;

/** Mapping properties by index name; `dynamic` is strict in all of them. */
export const PROPERTIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [INDEX.files]: {
    ...COMMON,
    name: NAME,
    size: { type: "long" },
    lines: { type: "integer" },
    encoding: KEYWORD,
    format: KEYWORD,
    symbols: NAME,
    imports: NAME,
    body: BODY,
    parsed: KEYWORD,
  },
  [INDEX.declarations]: {
    ...COMMON,
    kind: KEYWORD,
    name: NAME,
    qualified_name: NAME,
    signature: TEXT,
    docstring: TEXT,
    comment: STORED,
    doc_start_line: { type: "integer" },
    code: TEXT,
    start_byte: { type: "integer" },
    end_byte: { type: "integer" },
    start_line: { type: "integer" },
    end_line: { type: "integer" },
    span: KEYWORD,
    locator: STORED,
    calls: NAMES,
    uses: NAMES,
    supers: NAMES,
  },
  // Found by whole names alone: words of paths and names would be most of the index.
  [INDEX.references]: {
    ...COMMON,
    path: KEYWORD,
    enclosing: NAMES,
    name: NAMES,
    kind: KEYWORD,
    start_byte: { type: "integer" },
    edges: STORED,
  },
  [INDEX.catalog]: {
    entry: KEYWORD,
    root: KEYWORD,
    repo: KEYWORD,
    path: { type: "keyword", fields: { text: TEXT } },
    size: { type: "long" },
    mtime_ms: { type: "double" },
    ctime_ms: { type: "double" },
    inode: STORED,
    blob: KEYWORD,
    version: KEYWORD,
    language: KEYWORD,
    status: KEYWORD,
    detail: STORED,
    declarations: { type: "integer" },
    documents: STORED_COUNT,
    dataset: KEYWORD,
    datasets: KEYWORD,
    part: KEYWORD,
    reader: KEYWORD,
    records_note: STORED,
    notes: STORED,
    schema: { type: "object", enabled: false },
    time_field: KEYWORD,
    time_min: { type: "date" },
    time_max: { type: "date" },
    geo: { type: "object", enabled: false },
    queries: { type: "object", enabled: false },
    correlations: { type: "object", enabled: false },
    records: { type: "integer" },
    files: { type: "integer" },
    skipped: { type: "object", enabled: false },
    finished_at: { type: "date" },
    state: KEYWORD,
    holder: { type: "object", enabled: false },
    branch: KEYWORD,
    index: KEYWORD,
    fields: KEYWORD,
    commit: KEYWORD,
    remote: KEYWORD,
    store: KEYWORD,
    identity: KEYWORD,
    wanted: KEYWORD,
    heads: STORED,
    tree_branch: KEYWORD,
    versions: { type: "object", enabled: false },
    history: KEYWORD,
    history_heads: STORED,
    commits: STORED_COUNT,
  },
  [INDEX.commits]: {
    repo: KEYWORD,
    sha: KEYWORD,
    parents: KEYWORD,
    author: NAME,
    author_email: NAME,
    committer: NAME,
    author_date: { type: "date" },
    commit_date: { type: "date" },
    subject: TEXT,
    body: TEXT,
    files: { type: "keyword", fields: { text: TEXT } },
    changes: STORED,
    files_count: { type: "integer" },
    insertions: { type: "integer" },
    deletions: { type: "integer" },
    branches: KEYWORD,
    stores: KEYWORD,
    claims: { type: "object", enabled: false },
    added: TEXT,
    removed: TEXT,
    is_cut: { type: "boolean" },
  },
};

/** Analysis settings that stand in for the built-in `pinakes_code` on a cluster that is not Pinakes. */
export const codeAnalysis = {
  analyzer: {
    pinakes_code: {
      type: "custom",
      tokenizer: "pinakes_identifier",
      filter: ["pinakes_parts", "flatten_graph", "pinakes_longest", "lowercase"],
    },
  },
  tokenizer: { pinakes_identifier: { type: "pattern", pattern: "[^\\p{L}\\p{N}_$]+" } },
  filter: {
    // Lucene refuses a document for one term above 32,766 bytes; a character has at most four.
    pinakes_longest: { type: "length", max: 8191 },
    pinakes_parts: {
      type: "word_delimiter_graph",
      preserve_original: true,
      split_on_case_change: true,
      split_on_numerics: true,
      stem_english_possessive: false,
    },
  },
} as const;
