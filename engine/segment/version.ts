/**
 * Versions of the segment file, each with what it changed. A reader reads OLDEST_READABLE..FORMAT_VERSION; a feature
 * bit it does not know means that it would misread the file.
 *
 *   1  the first
 */
export const FORMAT_VERSION = 1;
export const OLDEST_READABLE = 1;

/** Feature bits this program understands (none yet). */
export const KNOWN_FEATURES = 0;
