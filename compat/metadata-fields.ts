/** Fields that Elasticsearch makes itself. Few of them can be asked about here: the others are refused, not found empty. */
import { notSupported } from "./errors.js";

const METADATA_FIELDS: ReadonlySet<string> = new Set([
  "_doc_count",
  "_field_names",
  "_id",
  "_ignored",
  "_index",
  "_nested_path",
  "_routing",
  "_seq_no",
  "_source",
  "_tier",
  "_version",
]);

/** The field's name; throws ApiError 400 when it is one of Elasticsearch's own that `where` cannot read. */
export function ordinaryField(field: string, where: string): string {
  if (METADATA_FIELDS.has(field)) throw notSupported(`[${field}] in [${where}]`);
  return field;
}
