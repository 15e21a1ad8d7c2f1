/**
 * The table of endpoints: the whole of what is answered. A row promises that its method and path are answered and that
 * every query parameter and body key Elasticsearch documents for it is honoured or refused by name.
 *
 * To add one: write the row in the file of the reader's question (document, search, indices, aliases, templates,
 * data-streams, cat, cluster, features, ingest, snapshot),
 * write its handler in ../handlers/, run the tests: they name what is missing. Nothing else in this folder branches on a path.
 */
import { ABSENT_ROWS } from "./absent.js";
import { ALIAS_ROWS } from "./aliases.js";
import { CAT_ROWS } from "./cat.js";
import { CLUSTER_ROWS } from "./cluster.js";
import { DATA_STREAM_ROWS } from "./data-streams.js";
import { DOCUMENT_ROWS } from "./document.js";
import { FEATURE_ROWS } from "./features.js";
import { INDEX_ROWS } from "./indices.js";
import { INGEST_ROWS } from "./ingest.js";
import { notBuiltRows } from "./not-built.js";
import type { Row } from "./row.js";
import { SEARCH_ROWS } from "./search.js";
import { SNAPSHOT_ROWS } from "./snapshot.js";
import { TEMPLATE_ROWS } from "./templates.js";

/** Rows by the file they stand in. */
export const ROW_FILES: Readonly<Record<string, readonly Row[]>> = {
  "absent.ts": ABSENT_ROWS,
  "aliases.ts": ALIAS_ROWS,
  "cat.ts": CAT_ROWS,
  "cluster.ts": CLUSTER_ROWS,
  "data-streams.ts": DATA_STREAM_ROWS,
  "document.ts": DOCUMENT_ROWS,
  "features.ts": FEATURE_ROWS,
  "indices.ts": INDEX_ROWS,
  "ingest.ts": INGEST_ROWS,
  "search.ts": SEARCH_ROWS,
  "snapshot.ts": SNAPSHOT_ROWS,
  "templates.ts": TEMPLATE_ROWS,
};

/** Joins the rows of this folder with further ones (native endpoints); a second row for a method and path is refused. */
export function joinRows(further: readonly Row[]): readonly Row[] {
  const files = Object.entries({ ...ROW_FILES, "further rows": further });
  const seen = new Map<string, string>();
  const rows: Row[] = [];
  for (const [file, fileRows] of files) {
    for (const row of fileRows) {
      const key = `${row.method} ${row.path.replace(/\{[^}]*\}/g, "{}")}`;
      const other = seen.get(key);
      if (other !== undefined) throw new Error(`two rows answer ${key}: one of ${other}, one of ${file}`);
      seen.set(key, file);
      rows.push(row);
    }
  }
  return Object.freeze([...rows, ...notBuiltRows(seen)]);
}
