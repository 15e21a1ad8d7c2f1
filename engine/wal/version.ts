/**
 * Versions of the log's file format. A node reads every version from OLDEST to CURRENT and writes CURRENT.
 *
 * 1  fixed record header of 24 bytes, MessagePack metadata, raw payload
 */
export const CURRENT_LOG_VERSION = 1;
/** The oldest version that a node still reads. */
export const OLDEST_READABLE_LOG_VERSION = 1;
