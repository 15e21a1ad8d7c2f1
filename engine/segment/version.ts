/**
 * Versions of the segment file, each with what it changed. A reader reads OLDEST_READABLE..FORMAT_VERSION; a feature
 * bit it does not know means that it would misread the file.
 *
 *   1  the first; no program that was released wrote it
 *   2  columns of booleans hold the numbers 0 and 1, not ordinals
 *   3  `_source` leaves out what columns print back (sourceShapes); ids may be successors of the one before, and have no
 *      filter then; no fieldLengths where norms say them
 *   4  text that is searched by lines and its grams (textData to gramLists); `_source` leaves that text out
 */
export const FORMAT_VERSION = 4;
export const OLDEST_READABLE = 2;

/** Feature bits this program understands (none yet). */
export const KNOWN_FEATURES = 0;
