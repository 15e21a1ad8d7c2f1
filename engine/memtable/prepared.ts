/**
 * What preparing a document yields: a run of field records in the arena, ready to be sequenced and published. Whoever
 * prepares (this thread or a worker) fills a PreparedBatch; whoever publishes walks it. No objects per field or token.
 *
 * A batch is one arena allocation. A document is [start, end) in it, a sequence of records, each aligned to 4 bytes:
 *
 *   offset  bytes  name      meaning
 *   0       4      head      field ordinal << 8 | kind
 *   4       4      size      bytes of the whole record, this header included, multiple of 4
 *   8       ...    payload
 *
 *   kind 1 TOKENS   u32 count, u32 length (token count without overlaps: the field's norm length),
 *                   u32 textBytes, u32 zero; then count token entries; then the text bytes the entries point into
 *                   (lower-cased or otherwise analysed), padded to 4 and followed by 16 readable bytes of anything.
 *                   One record per document and text field: the values of an array are joined into it, positions apart
 *                   by the field's gap.
 *   kind 2 TERM     u32 byteLength, then the exact bytes (keyword; ip as 16 bytes; boolean "F" or "T"), padded, plus 16 readable
 *                   bytes. One record per value.
 *   kind 3 LONG     i64 little-endian. One record per value. A boolean has one (0 or 1) for its column beside the TERM for its
 *                   postings; each only where the field has the structure.
 *   kind 4 DOUBLE   f64 little-endian, already rounded to the field's type. One record per value.
 *   kind 5 VECTOR   dims x f32 little-endian.
 *   kind 6 EXISTS   no payload: the field has a value that is in no structure (text without tokens, keyword beyond ignore_above is not such).
 *
 *   kind 7 TEXT     as TERM, of any length: a value of a field whose text is kept (wildcard). One record per value.
 *
 *   A token entry is 16 bytes: u32 start (from the first text byte), u32 length (bytes), u32 position, u32 hash
 *   (kernels' hash of the term bytes). Positions never descend.
 */
export const RECORD_HEADER_BYTES = 8;
export const TOKEN_ENTRY_BYTES = 16;
export const TOKENS_HEADER_BYTES = 16;

export const RecordKind = { tokens: 1, term: 2, long: 3, double: 4, vector: 5, exists: 6, text: 7 } as const;

/** Longest term in bytes; longer keyword terms fail the document, longer tokens are cut by analysis (Lucene's limit). */
export const MAX_TERM_BYTES = 32_766;

/** Documents prepared together: one allocation of the arena, the caller's to free. Plain data that can be posted. */
export interface PreparedBatch {
  readonly address: number;
  /** Per document: absolute [start, end) of its records, or start -1 where preparing failed. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}
