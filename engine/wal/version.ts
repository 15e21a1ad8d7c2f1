/**
 * Versions of the log's file format. A node reads every version from OLDEST to CURRENT and writes CURRENT. Each has a
 * fixture in tests/fixtures/ that a test opens.
 *
 * 1  fixed record header of 24 bytes, MessagePack metadata, raw payload; a file ends with its last record
 * 2  files are written with zeros beforehand and used again, so checksums are seeded (log-header.ts); markers among the
 *    records say what was durable (control-record.ts); a file names the one before it and where that ended
 */
export const CURRENT_LOG_VERSION = 2;
/** The oldest version that a node still reads. */
export const OLDEST_READABLE_LOG_VERSION = 1;
